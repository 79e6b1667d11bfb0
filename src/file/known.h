/*
 * known.h -- the hashes of files that a serving process has read before.
 *
 * A file that is read again is mostly unchanged.  Comparing its bytes with
 * those of the last time is many times faster than hashing them, and just as
 * certain.  The times of a file are not trusted.
 */
#ifndef READCACHE_FILE_KNOWN_H
#define READCACHE_FILE_KNOWN_H

#include "base/digest.h"

struct known;

/* NULL if out of memory; then every file is hashed. */
struct known *known_new(void);
void known_free(struct known *known);

/* The hash of BYTES, the contents of the file PATH.  KNOWN may be NULL. */
struct digest known_digest(struct known *known, struct span path,
    struct span bytes);

#endif
