/*
 * base64.h -- bytes as text (RFC 4648, with padding).
 */
#ifndef READCACHE_BASE_BASE64_H
#define READCACHE_BASE_BASE64_H

#include "base/buf.h"

void base64_write(struct buf *buf, struct span bytes);

/* False if TEXT is not exactly what base64_write would write. */
bool base64_read(struct arena *arena, struct span text, struct span *bytes);

#endif
