/*
 * said.h -- what a command wrote, to be said again.
 *
 * Both streams byte for byte, and in which order their pieces came, so that
 * saying it again looks on a terminal as it looked the first time.
 */
#ifndef READCACHE_WORK_EXEC_SAID_H
#define READCACHE_WORK_EXEC_SAID_H

#include "base/buf.h"

enum said_stream { SAID_OUT, SAID_ERR, SAID_STREAMS };

/* More than this of both together is not kept. */
#define SAID_MAX ((size_t)64 * 1024 * 1024)

struct said {
	struct buf text[SAID_STREAMS];
	struct buf order;      /* as said_order says */
	enum said_stream last; /* which stream spoke last */
	size_t run;	       /* and how much since the other did */
	bool lost; /* it is not all: more than SAID_MAX, or unreadable */
};

struct said said_new(struct arena *arena);

/* STREAM said BYTES.  False if there is no room for them: said->lost. */
bool said_add(struct said *said, enum said_stream stream, struct span bytes);

/*
 * The order as text: the lengths of the pieces by turns, standard output
 * first ("12 5 3": 12 bytes of output, 5 of error, 3 of output).  Empty if
 * only one stream has said anything.
 */
struct span said_order(struct said *said);

/*
 * Say it again: OUT and ERR are written to the two descriptors in the order
 * ORDER.  An order that does not fit the texts is ignored: all of OUT, then
 * all of ERR.  False: errno tells.
 */
bool said_replay(struct span out, struct span err, struct span order,
    const int fds[SAID_STREAMS]);

#endif
