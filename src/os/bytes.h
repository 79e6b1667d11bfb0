/*
 * bytes.h -- search in bytes: what POSIX.1-2008 does not have.
 *
 * The C libraries of Linux search many bytes at a time.  The twin looks at one
 * after the other.
 */
#ifndef READCACHE_OS_BYTES_H
#define READCACHE_OS_BYTES_H

#include <stddef.h>

/* The last place of BYTE among the N bytes at P, or NULL (memrchr). */
void *bytes_last(const void *p, int byte, size_t n)
    __attribute__((pure, nonnull));

/*
 * The first place of the NNEEDLE bytes at NEEDLE among the N bytes at P, or
 * NULL (memmem).  No bytes at all are found at P.
 */
void *bytes_find(const void *p, size_t n, const void *needle, size_t nneedle)
    __attribute__((pure, nonnull));

#endif
