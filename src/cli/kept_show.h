/*
 * kept_show.h -- what the cache commands found in records and outputs: members
 * that they add to a JSON object, and lines that they add to a text.
 */
#ifndef READCACHE_CLI_KEPT_SHOW_H
#define READCACHE_CLI_KEPT_SHOW_H

#include "cli/cli.h"
#include "work/kept/kept.h"

void kept_stats_members(struct buf *out, const struct kept_stats *kept);
void kept_stats_text(
    struct buf *out, const struct kept_stats *kept, uint64_t max_bytes);

void kept_verified_members(struct buf *out, const struct kept_verified *kept);
void kept_verified_text(
    struct cli *cli, const struct kept_verified *kept, bool dry);

void kept_gone_members(struct buf *out, const struct kept_gone *kept);
void kept_gone_text(struct buf *out, const struct kept_gone *kept, bool dry);

#endif
