/*
 * trace.h -- where the reader has the lines that it asks for (SPEC 16).
 *
 * A line may have been shown under another number, or the reader may have
 * written it itself.  So each requested line is followed back through the
 * versions of the file, the newest evidence first:
 *
 *   1. Over a change of the reader's own: its arguments, applied to the version
 *      before it, tell which line was which.
 *   2. Over any other change: a diff of the two versions tells it.
 *
 * At every step a line that no change has touched is compared byte for byte.
 * So a wrong match can lose a line, but never claim one.
 */
#ifndef READCACHE_ANSWER_TRACE_H
#define READCACHE_ANSWER_TRACE_H

#include "answer/scale.h"

enum trace_kind {
	TRACE_TEXT,  /* the reader must be sent it */
	TRACE_SHOWN, /* it was shown, as line FORMER */
	TRACE_OWN    /* the reader wrote it, by itself or by an edit of it */
};

struct traced_line {
	enum trace_kind kind;
	/*
	 * SHOWN: its number then.  OWN: its number in what the reader's changes
	 * made, if others have moved it since; otherwise 0.
	 */
	uint64_t former;
	struct library_version *from; /* SHOWN: the version that was shown */
	bool edited; /* OWN: by an edit, which may have left parts of it */
	bool cut;    /* the reader removed whole lines just before it */
	bool vague;  /* SHOWN: a newer answer showed another line as FORMER */
};

struct trace {
	struct traced_line *lines; /* one for each requested line */
	uint64_t n;
	bool whole;   /* no line is TEXT */
	bool placed;  /* the reader knows where each of its changes was */
	bool others;  /* somebody else has changed the file since, too */
	bool undone;  /* and may have taken back what the reader changed */
	bool written; /* the reader wrote the whole file */
	bool cut_end; /* the reader removed whole lines at the end */
	struct library_version *made; /* where moved OWN lines have numbers */
	/*
	 * Whatever the reader changed before SINCE may be in MADE in part only,
	 * or not at all: others have come between.  0: there is no such change.
	 */
	uint64_t since;
	struct digest base; /* the version shown last of those it rests on */
	struct rests rests; /* the answers that showed these lines */
	struct span *calls; /* the reader's own calls, oldest first */
	size_t ncalls;
};

/*
 * Follow the requested lines back.  False: the reader has none of them, or
 * nobody can say on which answers they rest.
 */
bool trace_make(struct scale *s, struct trace *trace);

/* May the reader have written LINE before TRACE->since, too? */
bool trace_wrote_before(
    struct scale *s, const struct trace *trace, struct span line);

#endif
