/*
 * own.h -- what a call of pi's edit or write says it changes.
 */
#ifndef READCACHE_HOST_PI_OWN_H
#define READCACHE_HOST_PI_OWN_H

#include "base/arena.h"
#include "replay/own.h"

/*
 * The change that the call of TOOL (its name) with ARGUMENTS makes if it
 * succeeds.  ARGUMENTS is a JSON value that was found valid.  The change lives
 * in ARENA; its texts may lie in ARGUMENTS, and its call_id is CALL_ID.
 *
 * An edit may be written in all the ways that pi takes.  NULL if TOOL is
 * another one, if something is missing or of another type, if a text has half
 * of a surrogate pair, or if there is too much.
 */
const struct own_change *own_of_call(struct arena *arena, struct span tool,
    struct span arguments, struct span call_id);

/* All texts of a change together. */
#define OWN_MAX_BYTES ((size_t)2 * 1024 * 1024)

#endif
