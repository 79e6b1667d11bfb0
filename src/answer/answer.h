/*
 * answer.h -- the one way from a question to an answer.
 *
 * In this order, whoever asks:
 *
 *   facts      what the branch proves about the lines (weigh.h)
 *   decision   the mode, from the facts alone (decide.h)
 *   text       what the model sees (render.h)
 *   event      what the answer says of itself, with the hash of its text
 */
#ifndef READCACHE_ANSWER_ANSWER_H
#define READCACHE_ANSWER_ANSWER_H

#include "answer/question.h"
#include "base/arena.h"
#include "replay/trust.h"

struct reply {
	struct decided verdict;
	struct span text; /* what the model is to see */
	/*
	 * What the answer says of itself: it becomes the metadata (SPEC 4).
	 * An answer of MODE_PLAIN says nothing; there only bytes counts.
	 */
	struct event read;
	struct rests rests; /* of a compact answer: what it rests on */
};

/*
 * Answer QUESTION by what TRUST proves, with the old versions of LIBRARY.
 * TRUST may be NULL: then the answer is the text, and question->no_trust is the
 * reason.  The texts live in ARENA, or are the question's own.
 */
struct reply answer_make(struct arena *arena, const struct question *question,
    const struct trust *trust, const struct library *library);

#endif
