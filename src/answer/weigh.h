/*
 * weigh.h -- what is asked, against what the branch proves: the facts that
 * decide() wants (SPEC 6 to 8).
 *
 * Where old versions come from is the caller's affair: for a read they are in
 * the store, for a recorded session in its own texts.
 */
#ifndef READCACHE_ANSWER_WEIGH_H
#define READCACHE_ANSWER_WEIGH_H

#include "answer/decide.h"
#include "base/arena.h"
#include "host/pi/view.h"
#include "replay/policy.h"
#include "replay/trust.h"

/* Some lines of a version of a file: those from FIRST on. */
struct piece {
	struct span text;
	uint64_t first;
};

/* False: there is no such version at hand, or none that can be believed. */
typedef bool library_load(void *context, const struct digest *hash,
    struct piece *piece);

struct library {
	library_load *load;
	void *context;
};

struct question {
	enum policy policy;
	uint64_t repeat; /* which marker in a row is the text (coverage) */
	uint64_t diff_max_bytes, diff_max_lines; /* of files to compare */
	struct span path, name; /* real, and as asked for (T11) */
	struct span asked;      /* the path as the model wrote it */
	struct digest hash;     /* of the file now */
	const struct view *view;
	struct piece now; /* the file now, the view's lines at least */
};

struct weighed {
	enum base_fact base;
	enum newer_fact newer;
	enum change_fact change;
	enum cover_fact cover;
	enum pause_fact pause;
	enum marker_fact marker;
	struct digest base_hash; /* where there is a base, or cover */
	struct rests rests;      /* what a compact answer rests on */
	bool other_version;      /* lines were covered by another version */
	struct span diff_text;   /* the whole answer, if there is a diff */
	bool paged; /* the diff is of the whole file, whatever was asked */
};

/* Is a marker about lines of another version than the file's? (SPEC 9) */
bool weighed_elsewhere(const struct weighed *weighed);

struct weighed weigh(struct arena *arena, const struct question *question,
    const struct trust *trust, const struct library *library);

#endif
