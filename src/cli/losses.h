/*
 * losses.h -- the silent losses of context in a recorded session (T15).
 */
#ifndef READCACHE_CLI_LOSSES_H
#define READCACHE_CLI_LOSSES_H

#include "cli/cli.h"
#include "session/records.h"

/*
 * Add the losses to LIST as items of a JSON array, without brackets.  FILE
 * names the session if there are several, else it is NULL.
 */
void losses_emit(struct cli *cli, struct buf *list,
    const struct session_records *records, const char *file);

/* Write one indented line for each loss. */
void losses_tell(struct cli *cli, const struct session_records *records);

#endif
