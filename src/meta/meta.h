/*
 * meta.h -- details.readcache and invalidations: read and write them (SPEC 4).
 */
#ifndef READCACHE_META_META_H
#define READCACHE_META_META_H

#include "base/buf.h"
#include "replay/event.h"

struct meta {
	struct event read;     /* kind EVENT_READ */
	struct span text_hash; /* as it was read: 32 digits, or empty */
	const struct rests *rests; /* to be written; NULL: none */
};

/*
 * Read the metadata of an answer.  False if VALUE is not valid metadata; then
 * the answer proves nothing.
 */
bool meta_parse(struct arena *arena, struct span value, struct meta *meta);

/* Write the metadata of an answer.  The read must have text_id and text_bytes. */
void meta_emit(struct buf *buf, const struct meta *meta);

enum { META_TEXT_HASH = 32 };

/*
 * Read an invalidation.  False if VALUE is certainly not one.  If it may be one
 * but is not understood, the event is an EVENT_FORGET.
 */
bool invalidation_parse(struct arena *arena, struct span value,
    struct event *event);

/* Write {"customType":..,"data":{..}}, an entry for the host to append. */
void invalidation_emit(struct buf *buf, struct span path, struct scope scope,
    uint64_t at_ms);

#endif
