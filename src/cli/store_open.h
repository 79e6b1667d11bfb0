/*
 * store_open.h -- choose the store that a command works with.
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
	bool absent; /* it does not exist yet; using it makes it */
	bool told; /* a message about it was printed */
};

/*
 * Choose the store NAMED (--store DIR), or the one in force for the current
 * directory if NAMED is NULL.  Whether it can be used is not checked, and
 * ABSENT is not set.  Only one problem is reported here: a store that nobody
 * has named and that is not this user's work.  It is then treated as empty.
 * CLI_OK; or CLI_USAGE after a message.
 */
int store_choose(
    struct cli *cli, const char *named, struct store_opened *opened);

/* Choose the store as store_choose does, but report nothing about its owner. */
int store_choose_quietly(
    struct cli *cli, const char *named, struct store_opened *opened);

/*
 * Check whether the store can be used, and set ABSENT.  Nothing is made or
 * changed.  CLI_OK; or CLI_STORE after a message that says why not.
 */
int store_check(struct cli *cli, struct store_opened *opened);

/*
 * A work_excludes: do the settings, a struct config, forbid a copy of PATH?
 * If the settings could not be read, they forbid copies of all files.
 */
bool store_excludes(
    struct arena *arena, const void *config, struct span path);

#endif
