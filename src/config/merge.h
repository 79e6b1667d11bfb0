/*
 * merge.h -- who may decide what: defaults, the user, the project.
 *
 * These functions are pure: no file is looked at.
 */
#ifndef READCACHE_CONFIG_MERGE_H
#define READCACHE_CONFIG_MERGE_H

#include "config/settings.h"

/*
 * Fill in the values of CONFIG, whose cwd and files are set, from what the
 * files say; NULL for a file that says nothing.
 *
 * The user may set everything.  A project may add excludes, lower limits and
 * ask for the strict policy.  For anything else it asks for, a remark is made.
 */
void config_merge(struct arena *arena, const struct config_where *where,
    const struct settings *user, const struct settings *project,
    struct config *config);

#endif
