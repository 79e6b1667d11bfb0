/*
 * work.h -- what all stages of one process share.
 */
#ifndef READCACHE_WORK_STAGE_WORK_H
#define READCACHE_WORK_STAGE_WORK_H

#include "path/where.h"
#include "work/blob/checkout.h"
#include "work/blob/keep.h"
#include "work/fingerprint/called.h"
#include "work/record/file.h"

struct expected;

/* Do the user's settings, CONTEXT, exclude PATH, which is absolute? */
typedef bool work_excludes(
    struct arena *arena, const void *context, struct span path);

struct work {
	struct arena *arena;
	struct store *store;
	struct state *state; /* NULL: without the accelerator */
	struct span root;    /* of the project: absolute, normalized */
	struct span project; /* it belongs to, see project.h; "" if to none */
	struct called_known known; /* the repository around it */
	struct where kept;   /* where the store is; asked for once */
	struct links *links; /* while many paths are checked; or NULL */
	int top;	     /* the root, opened */
	struct hasher hasher;
	struct content_look look;
	struct records records;
	enum record_use use;	     /* RECORD_LOOK: nothing may be changed */
	enum keep_sync sync;	     /* when outputs are made durable */
	struct checkout_modes modes; /* how outputs are brought back */
	work_excludes *excludes; /* of what no copy is kept, besides secrets
				    (exclude.h) */
	const void *excluding;
	struct span flow;	     /* whose locks LOCKS has */
	int locks;		     /* stages/<flow>; -1: none is there */
	struct expected *expected;   /* looking: see stage_expect; or NULL */
	size_t nunkept;		     /* results the store could not take */
	bool tells_first;	     /* of these only the first is told */
};

/*
 * For the stages of the project ROOT, with what STORE knows.  With DIR_LOOK
 * nothing is ever changed: stages can only be planned.  False if ROOT cannot be
 * opened: errno tells.  A store that cannot be used is no failure: nothing is
 * found in it and nothing is kept.
 */
bool work_open(struct work *work, struct arena *arena, struct store *store,
    struct span root, enum dir_want want);

/*
 * Write what was found out into the state.  Stages do not do that one by one:
 * without it they are only slower to see that nothing has changed, and to
 * write costs more than that.
 */
void work_close(struct work *work);

/* How keys call DIR, which is absolute, in one text: see called.h. */
struct span work_called(struct work *work, struct span dir);

/* May other projects use the same store? */
bool work_shares(const struct work *work);

/* One more result cannot be kept.  Is that to be told? */
bool work_tells_unkept(struct work *work);

/* The directory of FLOW's locks, kept until another flow's is wanted. */
int work_locks(struct work *work, struct span flow, enum dir_want want);

#endif
