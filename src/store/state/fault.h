/*
 * fault.h -- survive faults in mapped memory, and waits that do not end.
 *
 * A mapped file that is damaged or cut short can make a library read or write
 * where nothing is mapped.  The process then gets SIGSEGV or SIGBUS.  And a
 * library may wait for a lock whose holder was stopped.  Inside fault_try that
 * ends the work, not the process.  For one thread only.
 */
#ifndef READCACHE_STORE_STATE_FAULT_H
#define READCACHE_STORE_STATE_FAULT_H

enum fault {
	FAULT_NONE = 0,
	FAULT_MEMORY, /* a signal of the memory, or fault_raise */
	FAULT_LATE    /* the time was up */
};

/* Install the signal handlers.  To be called before the first fault_try. */
void fault_prepare(void);

/*
 * Run WORK(CONTEXT), for SECONDS at most; 0 is no limit.  Why it was ended, or
 * FAULT_NONE.
 */
enum fault fault_try(
    void (*work)(void *context), void *context, unsigned seconds);

/* End the work that fault_try is running, as a fault would. */
_Noreturn void fault_raise(void);

#endif
