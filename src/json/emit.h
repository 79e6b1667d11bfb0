/*
 * emit.h -- write JSON text into a buffer.
 *
 * Strings may contain NUL and be large.  They must be valid UTF-8.
 */
#ifndef READCACHE_JSON_EMIT_H
#define READCACHE_JSON_EMIT_H

#include "base/buf.h"

/* A string in quotes, with everything escaped that JSON wants escaped. */
void emit_string(struct buf *buf, struct span text);

/*
 * A member's name and colon, with a comma before it unless it is the first
 * of its object.
 */
void emit_name(struct buf *buf, const char *name);

/* A whole member: its name, with a comma if needed, and its value. */
void emit_string_member(struct buf *buf, const char *name, struct span text);
void emit_number_member(struct buf *buf, const char *name, uint64_t number);

/*
 * A member for any bytes.  Valid UTF-8 is written as a string under NAME, other
 * bytes in base64 under ENCODED.  True if they were valid.
 */
bool emit_bytes_member(
    struct buf *buf, const char *name, const char *encoded, struct span bytes);

#endif
