/*
 * weigh.h -- compare a request with what the branch proves (SPEC 6 to 8).
 *
 * The result is the facts that decide() needs.  The caller says where old
 * versions come from: for a read they are in the store, for a recorded session
 * in its own texts.
 */
#ifndef READCACHE_ANSWER_WEIGH_H
#define READCACHE_ANSWER_WEIGH_H

#include "answer/decide.h"
#include "base/arena.h"
#include "host/pi/view.h"
#include "replay/policy.h"
#include "replay/trust.h"

/* Lines of a version of a file, from line FIRST on. */
struct piece {
	struct span text;
	uint64_t first;
};

/* Get the version HASH.  False if it is not available, or cannot be trusted. */
typedef bool library_load(void *context, const struct digest *hash,
    struct piece *piece);

struct library {
	library_load *load;
	void *context;
};

struct question {
	enum policy policy;
	uint64_t repeat; /* marker in a row that is sent as text (coverage) */
	uint64_t diff_max_bytes, diff_max_lines; /* of files to compare */
	struct span path, name; /* real path, and the name asked for (T11) */
	struct span asked;      /* the path as the model wrote it */
	struct digest hash;     /* of the file now */
	const struct view *view;
	struct piece now; /* the file now; at least the view's lines */
};

struct weighed {
	enum base_fact base;
	enum newer_fact newer;
	enum change_fact change;
	enum cover_fact cover;
	enum pause_fact pause;
	enum marker_fact marker;
	struct digest base_hash; /* if there is a base or cover */
	struct rests rests;      /* what a compact answer rests on */
	bool other_version;      /* another version covered some lines */
	struct span diff_text;   /* the whole answer, if there is a diff */
	bool paged; /* the diff is of the whole file, whatever was asked */
};

/*
 * Is the marker about a file that has changed outside of these lines? (SPEC 9)
 */
bool weighed_elsewhere(const struct weighed *weighed);

/* Find the facts about QUESTION.  Old versions come from LIBRARY. */
struct weighed weigh(struct arena *arena, const struct question *question,
    const struct trust *trust, const struct library *library);

#endif
