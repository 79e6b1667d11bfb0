/*
 * records_load.h -- the reads of a session file of pi (session/records.h).
 */
#ifndef READCACHE_HOST_PI_RECORDS_LOAD_H
#define READCACHE_HOST_PI_RECORDS_LOAD_H

#include "session/records.h"

/* Load the records of all nodes. */
struct session_records records_load(
    const struct index *index, index_progress *progress, void *context);

/* The text of a read result, in ARENA.  False if it cannot be read any more. */
bool records_text(const struct session_records *records, uint32_t node,
    struct arena *arena, struct span *text);

/*
 * What the call CALL_ID of the assistant's message NODE changes, in ARENA.
 * NULL if that is not known, or if two calls have this id.
 */
const struct own_change *records_own(const struct session_records *records,
    uint32_t node, struct span call_id, struct arena *arena);

#endif
