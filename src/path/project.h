/*
 * project.h -- what belongs together and may move together.
 *
 * Keys name places by their way from the project's root, so that a project
 * that was moved, and a second clone of it on one store, find what was done
 * before.  The root is the directory that has the store in .pi/readcache, if
 * the work is done in it; else that of the repository around the work.  Where
 * there is neither, every directory is a project of its own, by its absolute
 * name.
 */
#ifndef READCACHE_PATH_PROJECT_H
#define READCACHE_PATH_PROJECT_H

#include "base/arena.h"

/* The root of the project around DIR; "" if there is none. */
struct span project_around(
    struct arena *arena, struct span store, struct span dir);

/* Is STORE, in its own place, the store of PROJECT? */
bool project_has_store(struct span project, struct span store);

/*
 * How keys call PATH, which is absolute and normalized, in work that is done
 * in DIR: by its way from DIR ("../x") if both are in PROJECT, else as it is.
 */
struct span project_way(struct arena *arena, struct span project,
    struct span dir, struct span path);

/* How keys call the directory DIR: below PROJECT, or as it is. */
struct span project_place(struct span project, struct span dir);

#endif
