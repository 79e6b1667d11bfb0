/*
 * known.h -- the hashes of files that a serving process has read before.
 *
 * A file that is read again is mostly the same: comparing its bytes with
 * those of the last time is many times faster than hashing them, and as sure.
 * Nothing is believed of a file's times.
 */
#ifndef READCACHE_FILE_KNOWN_H
#define READCACHE_FILE_KNOWN_H

#include "base/digest.h"

struct known;

/* NULL: there is no memory to be had; then everything is hashed. */
struct known *known_new(void);
void known_free(struct known *known);

/* The hash of BYTES, the file PATH's.  KNOWN may be NULL. */
struct digest known_digest(struct known *known, struct span path,
    struct span bytes);

#endif
