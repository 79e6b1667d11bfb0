/*
 * memory.h -- advice about memory.
 */
#ifndef READCACHE_OS_MEMORY_H
#define READCACHE_OS_MEMORY_H

#include <stddef.h>

/*
 * The N bytes at P, whole pages, will all be used: large pages are welcome.
 * This is only to be quicker.  The twin does nothing.
 */
void memory_large_pages(void *p, size_t n);

#endif
