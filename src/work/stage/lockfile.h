/*
 * lockfile.h -- the inputs and outputs of a stage when it last succeeded:
 * stages/<flow>/<name>.lock.
 *
 * It is JSON made for version control: hashes and parameters, sorted, one to a
 * line, relative paths, no times, nothing about this machine.  A lock that is
 * damaged, incomplete or of another version counts as no lock: the stage then
 * has no previous run.
 */
#ifndef READCACHE_WORK_STAGE_LOCKFILE_H
#define READCACHE_WORK_STAGE_LOCKFILE_H

#include <sys/stat.h>

#include "store/dir.h"
#include "work/stage/facts.h"

struct lockfile {
	struct facts facts;   /* inputs and outputs, sorted */
	struct digest record; /* key of the record with its output */
};

/* A lock as text, and back.  False if TEXT is not a valid lock. */
struct span lockfile_write(struct arena *arena, const struct lockfile *lock);
bool lockfile_parse(
    struct arena *arena, struct span text, struct lockfile *lock);

/*
 * The directory stages/FLOW of STORE; it belongs to the store's arena.  -1 if
 * it cannot be used.
 */
int lockfile_dir(struct store *store, struct span flow, enum dir_want want);

/*
 * Load the lock of the stage NAME of FLOW, whose directory is DIR; its texts
 * are in ARENA.  False if there is no valid lock.
 */
bool lockfile_load(struct arena *arena, struct store *store, int dir,
    struct span flow, struct span name, struct lockfile *lock);

/* The facts of the lock's file, which is not read.  False if there is none. */
bool lockfile_stat(
    struct store *store, int dir, struct span name, struct stat *st);

/* Write the lock of the stage NAME of FLOW to DIR.  False: see errno. */
bool lockfile_save(struct store *store, int dir, struct span flow,
    struct span name, const struct lockfile *lock);

#endif
