/*
 * trust.h -- what a branch proves that its reader has seen (SPEC 6).
 *
 * A pure fold over events, oldest first.  It cannot fail.  An event that proves
 * nothing changes nothing.
 */
#ifndef READCACHE_REPLAY_TRUST_H
#define READCACHE_REPLAY_TRUST_H

#include "base/arena.h"
#include "base/budget.h"
#include "replay/event.h"

struct trust; /* opaque; its invariants are in trust.c */

struct trust *trust_new(struct arena *arena);

/*
 * TRUST, for questions only: what they need comes from ARENA, and their work is
 * paid from a budget of their own, so TRUST stays as it is.  No event may be
 * applied to the result.  It is valid until one is applied to TRUST.
 */
const struct trust *trust_lend(
    const struct trust *trust, struct arena *arena);

enum trust_step { TRUST_IGNORED, TRUST_SET, TRUST_CLEARED };

/*
 * Fold one event in.  TRUST_IGNORED is an answer, not an error: the event made
 * nothing trusted.
 */
enum trust_step trust_apply(struct trust *trust, const struct event *event);

enum trust_find {
	TRUST_FOUND,
	TRUST_NEVER,     /* nothing proves that the scope was seen */
	TRUST_REFRESHED, /* the range was refreshed: T7 */
	TRUST_MOVED      /* the name last led to another file: T11 */
};

struct trust_base {
	struct digest hash; /* of the whole file as it was */
	uint64_t seq;       /* when its text was shown; larger is later */
	const struct text_id *text; /* the answer that gave it; NULL: unknown */
};

/*
 * Find the base for SCOPE of the file PATH, which was shown before under the
 * same NAME.  *BASE is set only if the result is TRUST_FOUND.
 */
enum trust_find trust_find(const struct trust *trust, struct span path,
    struct span name, struct scope scope, struct trust_base *base);

/*
 * One view of the file PATH by NAME: lines FIRST to LAST of version HASH, which
 * has TOTAL lines.  It was shown at SEQ, and may contradict an older base (T6).
 * A marker shows no text, so it is not a view; for an exception see alone.
 */
struct trust_view {
	const struct trust_view *path_before; /* the next older view of PATH */
	const struct trust_view *name_before; /* the next older view by NAME */
	struct span path, name;
	uint64_t seq;
	struct digest hash;
	uint64_t first, last, total;
	bool ends;   /* it showed that LAST is the file's last line */
	bool veiled; /* it is not known what the model sees instead */
	bool bare;   /* it showed its lines, but not how many there are */
	bool shows;  /* it is evidence: the reader has these lines */
	bool anchor; /* it contained the text of these lines */
	bool apart;  /* a diff from a version that was not trusted */
	bool alone;  /* a marker that met no guard: the model is sent the text
		      * it stands for */
	/* It is no view: here the reader changed the file itself. */
	bool change;
	union {
		const struct text_id *text; /* the answer's id; NULL: not known */
		const struct own_change *own; /* change; NULL: not known how */
	};
};

/* A walk over the views of a file. */
struct trust_views {
	const struct trust_view *of_path, *by_name;
	struct budget *budget;
	bool cut; /* the budget was used up before the end */
};

/*
 * Walk the views of the file PATH, by whatever name, and the views by NAME, of
 * whatever file.  trust_next_view gives the latest one that is left.  It gives
 * NULL at the end.  If the budget is used up it gives NULL too, and views->cut
 * is true.
 */
struct trust_views trust_views(
    const struct trust *trust, struct span path, struct span name);
const struct trust_view *trust_next_view(struct trust_views *views);

/* The same, with the reader's own changes in their places among the views. */
const struct trust_view *trust_next_step(struct trust_views *views);

/*
 * Was the text of VIEW, which is known, given again since, by an answer that
 * proves nothing?  Then the text alone does not say which of them is meant.
 */
bool trust_text_is_lost(
    const struct trust *trust, const struct trust_view *view);

/*
 * An answer rests on the text ID, which was given at SEQ: add it to RESTS.  If
 * it was given again since, as the text of other lines, it does not say which of
 * them is meant, and RESTS are untold.
 */
void trust_rest_on(const struct trust *trust, struct rests *rests,
    const struct text_id *id, uint64_t seq);

/*
 * When something of the file was last void (see trust_void): views and changes
 * up to this number may prove nothing.  0: never.
 */
uint64_t trust_void_until(
    const struct trust *trust, struct span path, struct span name);

/* The budget of these walks; every event adds to it. */
struct budget *trust_budget(const struct trust *trust);

/*
 * Coverage (SPEC 16).  Is the text of some of the lines FIRST to LAST void?  It
 * is if the line was refreshed, or the file was seen in an unknown state, and
 * the line was not shown since.
 */
bool trust_void(const struct trust *trust, struct span path, struct span name,
    uint64_t first, uint64_t last);

/*
 * Does the reader know version HASH of the file line by line?  Only views of
 * that version count, and nothing else may have been shown since.  RESTS,
 * unless it is NULL, gets the texts of those views.
 */
bool trust_knows_version(const struct trust *trust, struct span path,
    struct span name, const struct digest *hash, struct rests *rests);

/*
 * How many times in a row SCOPE was answered with the marker for version HASH.
 */
uint64_t trust_repeats(const struct trust *trust, struct span path,
    struct span name, struct scope scope, const struct digest *hash);

/*
 * T13.  Did the reader itself change the file, and has it not seen all of these
 * lines since, in a text or a diff?
 */
bool trust_edited(const struct trust *trust, struct span path,
    struct span name, uint64_t first, uint64_t last);

/*
 * Was an edit of the file refused, and has the text of these lines not been
 * shown since?
 */
bool trust_edit_failed(const struct trust *trust, struct span path,
    struct span name, uint64_t first, uint64_t last);

/* One thing that is trusted. */
struct trust_item {
	struct span path, name;
	struct scope scope;
	struct digest hash;
	uint64_t seq; /* when it was last confirmed */
};

/*
 * List everything that is trusted, in ARENA.  It is sorted by path, name and
 * scope: the full scope first, then ranges by their lines.  Returns how many.
 */
size_t trust_list(const struct trust *trust, struct arena *arena,
    struct trust_item **items);

/* How many paths and how many scopes are trusted now. */
void trust_count(const struct trust *trust, uint64_t *paths,
    uint64_t *scopes);

#endif
