/*
 * report_walk.h -- what was trusted along the branches of a session.
 */
#ifndef READCACHE_INSPECT_REPORT_WALK_H
#define READCACHE_INSPECT_REPORT_WALK_H

#include "inspect/report_data.h"
#include "serve/history.h"

/*
 * Fill in, for every step, what was trusted before it and what it changed.
 * STEP_OF has the step of each node, or REPORT_NONE.  FILE_OF maps a path to
 * its file.  PROGRESS may be NULL.
 */
void report_walk(struct report *report, const struct session_records *records,
    const uint32_t *step_of, const struct map *file_of,
    const struct history_where *where, struct arena *arena,
    index_progress *progress, void *context);

#endif
