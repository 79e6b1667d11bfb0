/*
 * fault.h -- survive faults in mapped memory.
 *
 * A mapped file that is damaged or cut short can make a library read or write
 * where nothing is mapped.  The process then gets SIGSEGV or SIGBUS.  Inside
 * fault_try that ends the work, not the process.  For one thread only.
 */
#ifndef READCACHE_STORE_STATE_FAULT_H
#define READCACHE_STORE_STATE_FAULT_H

#include <stdbool.h>

/* Install the signal handlers.  To be called before the first fault_try. */
void fault_prepare(void);

/* Run WORK(CONTEXT).  False if a fault ended it. */
bool fault_try(void (*work)(void *context), void *context);

/* End the work that fault_try is running, as a fault would. */
_Noreturn void fault_raise(void);

#endif
