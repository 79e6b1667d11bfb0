/*
 * project.h -- what belongs together and may be moved together.
 *
 * Keys name places relative to the project's root.  So a project that was
 * moved, or a second clone of it that shares the store, finds what was done
 * before.
 *
 *  1. If the store is ROOT/.pi/readcache and the work is done in or below ROOT,
 *     the root is ROOT.
 *  2. Otherwise it is the root of the repository around the work.
 *  3. Without either there is no project, and keys use absolute names.
 */
#ifndef READCACHE_PATH_PROJECT_H
#define READCACHE_PATH_PROJECT_H

#include "base/arena.h"

/* The root of the project around the directory DIR; "" if there is none. */
struct span project_around(
    struct arena *arena, struct span store, struct span dir);

/* Is STORE the directory .pi/readcache of PROJECT? */
bool project_has_store(struct span project, struct span store);

/*
 * The name that keys use for PATH, in work that is done in DIR.  PATH is
 * absolute and normalized.  If both are in PROJECT and PATH is not in DIR, it
 * is relative to DIR ("../x").  Otherwise it is PATH itself.
 */
struct span project_way(struct arena *arena, struct span project,
    struct span dir, struct span path);

/*
 * The name that keys use for the directory DIR: relative to PROJECT if it is in
 * it, otherwise DIR itself.
 */
struct span project_place(struct span project, struct span dir);

#endif
