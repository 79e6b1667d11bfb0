/*
 * siblings.h -- calls that run beside a read, in the same message of the model
 * (T14).
 *
 * The host stores the results of a message after all its calls are done, so the
 * branch does not show what they do.  The read may happen before, between or
 * after them.
 */
#ifndef READCACHE_SERVE_SIBLINGS_H
#define READCACHE_SERVE_SIBLINGS_H

#include "file/locate.h"
#include "serve/request.h"

/* What there is among them. */
struct siblings {
	bool change;  /* an edit of a file that is, or may be, this one */
	bool unknown; /* a shell, or a tool that we do not know */
	bool read;    /* another read of a file that is, or may be, this one */
	bool before;  /* whose answer is stored before this one */
};

/*
 * What the calls in PENDING may do to the file that REQUEST asks for.  NAME is
 * where the file was found; empty if nothing was found.  The request's own call
 * is among PENDING.
 */
struct siblings siblings_look(struct arena *arena,
    const struct request *request, const struct call *pending,
    struct span name);

#endif
