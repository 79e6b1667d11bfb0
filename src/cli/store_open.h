/*
 * store_open.h -- the store that a command works with.
 */
#ifndef READCACHE_CLI_STORE_OPEN_H
#define READCACHE_CLI_STORE_OPEN_H

#include "cli/cli.h"
#include "config/config.h"
#include "store/dir.h"
#include "store/store.h"

struct store_opened {
	struct config config; /* the settings in force here */
	struct store store;
	bool absent; /* there is none yet; using it makes it */
	bool told; /* a message about it was written */
};

/*
 * The store NAMED (--store DIR), or the one in force for the current
 * directory if that is NULL.  Whether it can be used is not asked: ABSENT is
 * not set.  Only that it is somebody else's work, if it is one that nobody
 * has named, is told here: it is then as if it was empty.  CLI_OK; or
 * CLI_USAGE after a message.
 */
int store_choose(
    struct cli *cli, const char *named, struct store_opened *opened);

/* The same, and nothing is told. */
int store_choose_quietly(
    struct cli *cli, const char *named, struct store_opened *opened);

/*
 * Look whether it can be used; nothing is made or changed.  CLI_OK; or
 * CLI_STORE after a message that says why not.
 */
int store_check(struct cli *cli, struct store_opened *opened);

/*
 * For work_excludes: do the settings, a struct config, want no copy of PATH?
 * While nobody knows what they say, of no file.
 */
bool store_excludes(
    struct arena *arena, const void *config, struct span path);

#endif
