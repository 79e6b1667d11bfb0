/*
 * trust.h -- what a branch proves its reader has seen (SPEC 6).
 *
 * A pure fold over events, oldest first.  It cannot fail; an event that
 * proves nothing changes nothing.
 */
#ifndef READCACHE_REPLAY_TRUST_H
#define READCACHE_REPLAY_TRUST_H

#include "base/arena.h"
#include "base/budget.h"
#include "replay/event.h"

struct trust; /* opaque; its invariants stand in trust.c */

struct trust *trust_new(struct arena *arena);

enum trust_step { TRUST_IGNORED, TRUST_SET, TRUST_CLEARED };

/* Fold one event in.  TRUST_IGNORED is an answer, not an error. */
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
	const struct text_id *text; /* by which it was told; NULL: unnamed */
};

/* The base for SCOPE of the file PATH, shown before by the same NAME. */
enum trust_find trust_find(const struct trust *trust, struct span path,
    struct span name, struct scope scope, struct trust_base *base);

/*
 * One view of the file PATH by NAME: lines FIRST to LAST of the version HASH,
 * which has TOTAL lines.  It was shown at SEQ, and may contradict a base that
 * is older (T6).  Markers are no views: they show no text.
 */
struct trust_view {
	const struct trust_view *path_before; /* the next older one of PATH */
	const struct trust_view *name_before; /* the same by NAME */
	struct span path, name;
	uint64_t seq;
	struct digest hash;
	uint64_t first, last, total;
	bool ends;   /* it showed that line LAST is the file's last */
	bool veiled; /* nobody knows what the model sees in its place */
	bool bare;   /* it told of its lines only, not how many there are */
	bool shows;  /* it is evidence: the reader has these lines */
	bool anchor; /* it carried their text itself */
	bool apart;  /* a diff from another version than the one trusted */
	bool alone;  /* a marker that met no guard: it is sent as its text */
	const struct text_id *text; /* what was delivered; NULL: unnamed */
};

/* The views of a file that are still to be looked at. */
struct trust_views {
	const struct trust_view *of_path, *by_name;
	struct budget *budget;
	bool cut; /* there are more than anybody may look at */
};

/*
 * The views of the file PATH, by whatever name, and those by NAME, of whatever
 * file.  trust_next_view: the latest of those left, or NULL.
 */
struct trust_views trust_views(
    const struct trust *trust, struct span path, struct span name);
const struct trust_view *trust_next_view(struct trust_views *views);

/* What looking at them may cost; it grows with every event. */
struct budget *trust_budget(const struct trust *trust);

/*
 * Coverage (SPEC 16).  Was any of the lines FIRST to LAST refreshed, or the
 * file seen in an unknown state, and their text not shown since?
 */
bool trust_void(const struct trust *trust, struct span path, struct span name,
    uint64_t first, uint64_t last);

/*
 * Does the reader know version HASH of the file line for line, from views of
 * that version alone, with nothing else shown since?  RESTS, if it is not
 * NULL, gets the texts of those views.
 */
bool trust_knows_version(const struct trust *trust, struct span path,
    struct span name, const struct digest *hash, struct rests *rests);

/* How often in a row SCOPE was answered by the marker for version HASH. */
uint64_t trust_repeats(const struct trust *trust, struct span path,
    struct span name, struct scope scope, const struct digest *hash);

/*
 * T13.  Did the reader change the file by itself, and was not told of these
 * lines since, by their text or a diff?
 */
bool trust_edited(const struct trust *trust, struct span path,
    struct span name, uint64_t first, uint64_t last);

/* Was an edit of the file refused, and these lines not shown since? */
bool trust_edit_failed(const struct trust *trust, struct span path,
    struct span name, uint64_t first, uint64_t last);

/* One thing that is trusted. */
struct trust_item {
	struct span path, name;
	struct scope scope;
	struct digest hash;
	uint64_t seq; /* when that was last said */
};

/*
 * All of them, in ARENA, by path, name and scope: the full one first, then
 * ranges by their lines.  How many.
 */
size_t trust_list(const struct trust *trust, struct arena *arena,
    struct trust_item **items);

/* How many paths and scopes are trusted now. */
void trust_count(const struct trust *trust, uint64_t *paths,
    uint64_t *scopes);

#endif
