/*
 * question.h -- what is asked, and all that is known about it beforehand.
 *
 * Whoever asks fills it in: a request (serve/read.c), or a read of a recorded
 * session (inspect/shadow_answer.c).
 */
#ifndef READCACHE_ANSWER_QUESTION_H
#define READCACHE_ANSWER_QUESTION_H

#include "answer/decide.h"
#include "base/excerpt.h"
#include "replay/policy.h"

/* Lines of a version of a file, from line FIRST on. */
struct piece {
	struct span text;
	uint64_t first;
};

/* Get the version HASH.  False if it is not available, or cannot be trusted. */
typedef bool library_load(
    void *context, const struct digest *hash, struct piece *piece);

/*
 * Where old versions come from: for a request they are in the store, for a
 * recorded session in its own texts.
 */
struct library {
	library_load *load;
	void *context;
};

struct question {
	/* The file and the lines. */
	struct span path, name; /* real path, and the name asked for (T11) */
	struct span asked;	/* the path as the model wrote it */
	struct digest hash;	/* of the file now */
	const struct excerpt *shown; /* by the host's own read */
	struct piece now; /* the file now; at least the lines shown */
	/* The settings. */
	enum policy policy;
	uint64_t repeat; /* marker in a row that is sent as text (coverage) */
	uint64_t diff_max_bytes, diff_max_lines; /* of files to compare */
	/* What only the asker knows. */
	enum bar_fact bar;
	enum beside_fact beside;
	bool read_beside; /* the same message reads the file once more */
	bool read_before; /* and the answer to that may come before this one */
	enum base_fact no_trust; /* if there is no trust table: why */
};

#endif
