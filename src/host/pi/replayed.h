/*
 * replayed.h -- what a recorded branch says about reads, in bounded memory.
 */
#ifndef READCACHE_HOST_PI_REPLAYED_H
#define READCACHE_HOST_PI_REPLAYED_H

#include "session/events.h"
#include "session/index.h"

/*
 * The events of PATH after its boundary.  event.at is the node.  FOCUS must be
 * for all files, with no texts left out.
 */
struct events replayed_events(const struct index *index,
    const struct index_path *path, const struct focus *focus,
    struct arena *arena);

#endif
