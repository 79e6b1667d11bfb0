/*
 * merge.h -- who may decide what: defaults, the user, the project.
 *
 * Pure: no file is looked at.
 */
#ifndef READCACHE_CONFIG_MERGE_H
#define READCACHE_CONFIG_MERGE_H

#include "config/settings.h"

/*
 * Fill the values of CONFIG, whose cwd and files are set, from what the files
 * say; NULL for one that says nothing.  The user may set everything; a
 * project may add excludes, lower limits and ask for the strict policy.  What
 * it wants beyond that is remarked.
 */
void config_merge(struct arena *arena, const struct config_where *where,
    const struct settings *user, const struct settings *project,
    struct config *config);

#endif
