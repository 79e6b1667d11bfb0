/*
 * fault.h -- work on mapped memory that may lie.
 *
 * A mapped file that was damaged or cut short can lead a library astray:
 * the process is then sent SIGSEGV or SIGBUS.  Inside of fault_try that ends
 * the work, not the process.  For one thread.
 */
#ifndef READCACHE_STORE_STATE_FAULT_H
#define READCACHE_STORE_STATE_FAULT_H

#include <stdbool.h>

/* To be called before the first fault_try, when the file is opened. */
void fault_prepare(void);

/* Run WORK(CONTEXT).  False if it was ended by a fault. */
bool fault_try(void (*work)(void *context), void *context);

/* End the work that fault_try runs now, as a fault would. */
_Noreturn void fault_raise(void);

#endif
