/*
 * origins.h -- where the lines of one version of a file come from in an earlier
 * one: by the reader's own changes, or by a diff.
 */
#ifndef READCACHE_ANSWER_ORIGINS_H
#define READCACHE_ANSWER_ORIGINS_H

#include "base/budget.h"
#include "base/digest.h"
#include "diff/replace.h"
#include "replay/trust.h"

/* How many lines are looked for in which the reader has changed something. */
enum { SPOTS_MAX = 2048 };

struct origins {
	struct line_origin *list; /* of the later version's lines, in order */
	uint64_t n;
	uint64_t before; /* lines of it that stand before those of the list */
	bool others;	 /* the change was not the reader's own */

	/* Of the reader's own changes: */
	bool cut_end; /* whole lines were removed at the end */
	/* The lines of the earlier version where it made them. */
	uint64_t *spots;
	size_t nspots;
	bool lost; /* nobody can tell where one of them was made */
	const struct own_change **unfit; /* they do not fit what was made */
	size_t nunfit;
};

/*
 * Apply the N CHANGES, of which the newest is the first, to OLD_TEXT, a whole
 * file.  *MADE is what they give.  One that cannot be applied, because somebody
 * else had changed the file before it, is left out and noted in FROM->unfit.
 * False if WORK (replace_cost) is used up.
 */
bool origins_by_changes(struct arena *arena, struct budget *work,
    struct span old_text, const struct trust_view *const *changes, size_t n,
    struct span *made, struct origins *from);

/*
 * Is all there that OWN changes made, after what OTHERS did to the text that
 * they made?  No line of theirs is gone, and nothing new stands where they have
 * removed lines.
 */
bool origins_stand(struct arena *arena, const struct origins *own,
    const struct origins *others);

/* Match the lines of both texts by a diff.  False if there is none. */
bool origins_by_diff(struct arena *arena, struct span old_text,
    struct span new_text, struct origins *from);

#endif
