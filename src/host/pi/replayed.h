/*
 * replayed.h -- what a recorded branch says about reads, in bounded memory.
 */
#ifndef READCACHE_HOST_PI_REPLAYED_H
#define READCACHE_HOST_PI_REPLAYED_H

#include "host/pi/events.h"
#include "host/pi/index.h"

/* Which entries are the target of a context edit, among some of a path. */
struct map *replayed_edits(const struct index *index,
    const struct index_path *path, uint32_t from, uint32_t to,
    struct arena *arena);

/* What EDITS, made so, say about an entry. */
enum edit replayed_edit(const struct map *edits, struct span id);

/*
 * The events of PATH behind its boundary; event.at is the node.  FOCUS: all
 * files, without texts left out.
 */
struct events replayed_events(const struct index *index,
    const struct index_path *path, const struct focus *focus,
    struct arena *arena);

#endif
