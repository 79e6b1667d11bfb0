/*
 * session.h -- session files named on the command line.
 */
#ifndef READCACHE_CLI_SESSION_H
#define READCACHE_CLI_SESSION_H

#include "cli/cli.h"
#include "session/index.h"

/*
 * Open FILE, with a progress line if that takes long.  False (and a message)
 * if it cannot be used.
 */
bool cli_session(struct cli *cli, struct arena *arena, const char *file,
    struct index *index);

/*
 * The entry ID, or where the session goes on if ID is NULL.  NODE_NONE (and a
 * message) if there is none.
 */
uint32_t cli_leaf(struct cli *cli, const struct index *index,
    const char *file, const char *id);

#endif
