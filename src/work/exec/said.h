/*
 * said.h -- the output of a command, to be written again.
 *
 * Both streams byte for byte, and the order in which their pieces came, so
 * that writing it again looks the same on a terminal as it did the first time.
 */
#ifndef READCACHE_WORK_EXEC_SAID_H
#define READCACHE_WORK_EXEC_SAID_H

#include "base/buf.h"

enum said_stream { SAID_OUT, SAID_ERR, SAID_STREAMS };

/* More than this, of both streams together, is not kept. */
#define SAID_MAX ((size_t)64 * 1024 * 1024)

struct said {
	struct buf text[SAID_STREAMS];
	struct buf order;      /* as said_order says */
	enum said_stream last; /* the stream that was written last */
	size_t run;	       /* bytes since the other was */
	bool lost; /* some is missing: too much, or unreadable */
};

/* Empty output; its texts will live in ARENA. */
struct said said_new(struct arena *arena);

/*
 * Add BYTES of STREAM.  False if there is no room for them; LOST is then set.
 */
bool said_add(struct said *said, enum said_stream stream, struct span bytes);

/*
 * The order as text: the lengths of the pieces in turns, standard output
 * first.  "12 5 3": 12 bytes of output, 5 of error, 3 of output.  Empty if only
 * one stream has any bytes.
 */
struct span said_order(struct said *said);

/*
 * Write OUT and ERR to the two descriptors in the order ORDER.  An order that
 * does not fit the texts is ignored: all of OUT, then all of ERR.  False: see
 * errno.
 */
bool said_replay(struct span out, struct span err, struct span order,
    const int fds[SAID_STREAMS]);

#endif
