/*
 * mac.h -- proof that whoever wrote something knew a key (HMAC-SHA256).
 */
#ifndef READCACHE_BASE_MAC_H
#define READCACHE_BASE_MAC_H

#include "base/digest.h"

enum { MAC_KEY = 32 };

/*
 * Of N parts.  Each goes in after its length, so that no part can pose as
 * the end of another.
 */
struct digest mac_of(
    const uint8_t key[MAC_KEY], const struct span *parts, size_t n);

#endif
