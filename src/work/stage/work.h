/*
 * work.h -- what all stages of a process share.
 */
#ifndef READCACHE_WORK_STAGE_WORK_H
#define READCACHE_WORK_STAGE_WORK_H

#include "path/where.h"
#include "work/blob/checkout.h"
#include "work/blob/keep.h"
#include "work/fingerprint/called.h"
#include "work/record/file.h"

struct expected;

/* Do the user's settings, CONTEXT, exclude the absolute PATH? */
typedef bool work_excludes(
    struct arena *arena, const void *context, struct span path);

struct work {
	struct arena *arena;
	struct store *store;
	struct state *state; /* NULL: go on without */
	struct span root;    /* of the stages: absolute, normalized */
	struct span project; /* around ROOT (project.h); "" if none */
	struct called_known known; /* what git said about it */
	struct where kept;   /* the resolved place of the store */
	struct links *links; /* a cache while many paths are checked; or NULL */
	int top;	     /* descriptor of ROOT */
	struct hasher hasher;
	struct content_look look;
	struct records records;
	enum record_use use;	     /* RECORD_LOOK: change nothing */
	enum keep_sync sync;	     /* when outputs are made durable */
	struct checkout_modes modes; /* how outputs are brought back */
	/* Says of which files no copy is kept, besides secrets (exclude.h). */
	work_excludes *excludes;
	const void *excluding;
	struct span flow;	     /* the flow of LOCKS */
	int locks;		     /* stages/<flow>; -1 if not there */
	struct expected *expected;   /* see stage_expect; or NULL */
	size_t nunkept;		     /* results that could not be kept */
	size_t nlocks;		     /* locks that could not be written */
	size_t nwithheld;	     /* outputs that are excluded */
	bool tells_first;	     /* remark only the first of these */
};

/*
 * Open WORK for the stages of the project ROOT, with STORE.  With DIR_LOOK
 * nothing is ever changed: stages can only be planned.  False if ROOT cannot
 * be opened: see errno.  A store that cannot be used is not a failure: nothing
 * is found in it and nothing is kept.
 */
bool work_open(struct work *work, struct arena *arena, struct store *store,
    struct span root, enum dir_want want);

/*
 * Flush the state and close WORK.  Stages do not flush one by one: that would
 * cost more time than it saves.  What is lost without a flush only makes the
 * next run slower.
 */
void work_close(struct work *work);

/* The name of DIR, which is absolute, in keys, as one text (called.h). */
struct span work_called(struct work *work, struct span dir);

/* May other projects use the same store? */
bool work_shares(const struct work *work);

/* Count one more result that cannot be kept.  Should it be remarked? */
bool work_tells_unkept(struct work *work);

/* Count one more lock that cannot be written.  Should it be remarked? */
bool work_tells_lock(struct work *work);

/*
 * Count one more output that is excluded.  Should it be remarked?  Of many
 * stages only the first few are: with settings that cannot be read all are.
 */
bool work_tells_withheld(struct work *work);

/*
 * The directory of FLOW's locks, kept open until another flow's is asked for.
 * -1 if it cannot be used.
 */
int work_locks(struct work *work, struct span flow, enum dir_want want);

#endif
