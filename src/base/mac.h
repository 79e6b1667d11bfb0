/*
 * mac.h -- proof that whoever wrote something knew a key (HMAC-SHA256).
 */
#ifndef READCACHE_BASE_MAC_H
#define READCACHE_BASE_MAC_H

#include "base/digest.h"

enum { MAC_KEY = 32 };

/*
 * The HMAC of N parts.  Each part is preceded by its length, so that moving
 * bytes from one part to the next changes the result.
 */
struct digest mac_of(
    const uint8_t key[MAC_KEY], const struct span *parts, size_t n);

#endif
