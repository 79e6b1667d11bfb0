/*
 * meta.h -- details.readcache and invalidations, text <-> value (SPEC 4).
 */
#ifndef READCACHE_META_META_H
#define READCACHE_META_META_H

#include "base/buf.h"
#include "replay/event.h"

struct meta {
	struct event read;     /* kind EVENT_READ */
	struct span text_hash; /* 32 hexadecimal digits, or empty */
	const struct rests *rests; /* to be written; NULL: it has none */
};

/* False if VALUE is not valid metadata; then it proves nothing. */
bool meta_parse(struct arena *arena, struct span value, struct meta *meta);

/* The metadata of an answer that delivers TEXT. */
void meta_emit(struct buf *buf, const struct meta *meta, struct span text);

enum { META_TEXT_HASH = 32 };

/* False if VALUE is no invalidation at all. */
bool invalidation_parse(struct arena *arena, struct span value,
    struct event *event);

/* {"customType":..,"data":{..}} for the host to append. */
void invalidation_emit(struct buf *buf, struct span path, struct scope scope,
    uint64_t at_ms);

#endif
