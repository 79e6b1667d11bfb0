/*
 * store_show.h -- what the cache commands found and did, as text or JSON.
 */
#ifndef READCACHE_CLI_STORE_SHOW_H
#define READCACHE_CLI_STORE_SHOW_H

#include "cli/clear.h"
#include "cli/cli.h"
#include "store/gc.h"
#include "store/verify.h"
#include "work/kept/kept.h"

struct store_task {
	struct cli *cli;
	struct span root;
	bool absent; /* there is no store yet */
	bool dry;    /* nothing may be removed */
	struct gc_limits limits;
};

void store_show_stats(const struct store_task *task,
    const struct store_stats *stats, const struct kept_stats *kept);
void store_show_verify(const struct store_task *task,
    const struct verify_result *result, const struct kept_verified *kept);
void store_show_gc(const struct store_task *task,
    const struct gc_result *result, const struct kept_gone *kept);
void store_show_clear(
    const struct store_task *task, const struct clear_result *cleared);

#endif
