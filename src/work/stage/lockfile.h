/*
 * lockfile.h -- what a stage looked like when it last succeeded:
 * stages/<flow>/<name>.lock.
 *
 * JSON made for version control: hashes and parameters, sorted, one to a
 * line, paths relative, no times, nothing of this machine.  A lock that is
 * damaged, of another version, or half there is no lock: the stage then has
 * no previous run.
 */
#ifndef READCACHE_WORK_STAGE_LOCKFILE_H
#define READCACHE_WORK_STAGE_LOCKFILE_H

#include <sys/stat.h>

#include "store/dir.h"
#include "work/stage/facts.h"

struct lockfile {
	struct facts facts;   /* inputs and outputs, sorted */
	struct digest record; /* the key of what it said */
};

/* Pure: as text, and back.  False if TEXT is no lock. */
struct span lockfile_write(struct arena *arena, const struct lockfile *lock);
bool lockfile_parse(
    struct arena *arena, struct span text, struct lockfile *lock);

/* stages/FLOW in STORE, owned by its arena; -1: not there. */
int lockfile_dir(struct store *store, struct span flow, enum dir_want want);

/*
 * In the directory DIR; what it says is in ARENA.  False if there is none that
 * can be used.
 */
bool lockfile_load(struct arena *arena, struct store *store, int dir,
    struct span name, struct lockfile *lock);

/* The facts of its file, without reading it. */
bool lockfile_stat(
    struct store *store, int dir, struct span name, struct stat *st);

/* False: errno tells. */
bool lockfile_save(struct store *store, int dir, struct span name,
    const struct lockfile *lock);

#endif
