/*
 * replayed.h -- what a recorded branch says about reads, in bounded memory.
 */
#ifndef READCACHE_HOST_PI_REPLAYED_H
#define READCACHE_HOST_PI_REPLAYED_H

#include "host/pi/events.h"
#include "host/pi/index.h"

/*
 * The events of PATH behind its boundary; event.at is the node.  FOCUS: all
 * files, without texts left out.
 */
struct events replayed_events(const struct index *index,
    const struct index_path *path, const struct focus *focus,
    struct arena *arena);

#endif
