/*
 * random.h -- bytes that nobody can guess.
 */
#ifndef READCACHE_OS_RANDOM_H
#define READCACHE_OS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

enum { RANDOM_KEY = 16 };

/*
 * Set the N bytes at TO, at most 256.  May wait while the system starts.  False
 * if there are none: TO may then hold anything.
 */
bool random_fill(void *to, size_t n);

/* As random_fill, but without waiting. */
bool random_try(void *to, size_t n);

/*
 * Sixteen bytes that are random for each process, the same in every call or
 * not, and if possible without a system call.  They are good against somebody
 * who prepares input, and not for a secret that is kept.  False if there are
 * none.
 */
bool random_key(unsigned char key[RANDOM_KEY]);

#endif
