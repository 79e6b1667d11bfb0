/*
 * weigh.h -- compare a question with what the branch proves (SPEC 6 to 8).
 *
 * The result is the facts that decide() needs, and nothing that the model
 * sees: texts are written when it is decided which (answer.c).
 */
#ifndef READCACHE_ANSWER_WEIGH_H
#define READCACHE_ANSWER_WEIGH_H

#include "answer/pieces.h"
#include "answer/question.h"
#include "base/arena.h"
#include "diff/unified.h"
#include "replay/trust.h"

struct weighed {
	enum base_fact base;
	enum newer_fact newer;
	enum change_fact change;
	enum cover_fact cover;
	enum pause_fact pause;
	enum marker_fact marker;
	struct scope scope;	 /* that a compact answer covers */
	struct digest base_hash; /* if there is a base or cover */
	struct rests rests;	 /* what a compact answer rests on */
	bool other_version;	 /* another version covered some lines */
	struct diff diff;	 /* if change is CHANGE_DIFF_USEFUL */
	enum piece_fact piece;
	struct trace trace;   /* unless piece is PIECE_NONE */
	struct pieces pieces; /* then, too */
	bool again; /* the marker is the same as the one before it */
};

/*
 * Is the marker about a file that has changed outside of these lines? (SPEC 9)
 */
bool weighed_elsewhere(const struct weighed *weighed);

/* Find the facts about QUESTION.  Old versions come from LIBRARY. */
struct weighed weigh(struct arena *arena, const struct question *question,
    const struct trust *trust, const struct library *library);

#endif
