/*
 * write_all.h -- write all bytes, or fail.
 */
#ifndef READCACHE_BASE_WRITE_ALL_H
#define READCACHE_BASE_WRITE_ALL_H

#include "base/span.h"

/* Write all of BYTES to FD.  False on an error; errno says which. */
bool write_all(int fd, struct span bytes);

#endif
