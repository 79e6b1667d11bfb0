/*
 * symbols.h -- where a function of a running process is.
 */
#ifndef READCACHE_TORTURE_SYMBOLS_H
#define READCACHE_TORTURE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The executable's own function NAME in the process PID; 0: not found. */
uint64_t symbol_of_program(pid_t pid, const char *name);

/*
 * The function NAME as the process PID calls it: the executable's own, else
 * a sanitizer's, else the C library's; 0: not found.
 */
uint64_t symbol_in_use(pid_t pid, const char *name);

/* Is ADDRESS in the code of a sanitizer's library? */
bool symbol_is_sanitizer(pid_t pid, uint64_t address);

#endif
