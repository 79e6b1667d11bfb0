/*
 * base64.h -- bytes as text (RFC 4648, with padding).
 */
#ifndef READCACHE_BASE_BASE64_H
#define READCACHE_BASE_BASE64_H

#include "base/buf.h"

/* Append BYTES as base64. */
void base64_write(struct buf *buf, struct span bytes);

/*
 * Decode TEXT.  False if TEXT is not exactly what base64_write would write for
 * some bytes.
 */
bool base64_read(struct arena *arena, struct span text, struct span *bytes);

#endif
