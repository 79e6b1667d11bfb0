/*
 * siblings.h -- calls that run beside a read, in the same message of the
 * model (T14).
 *
 * The host stores the results of a message when all of its calls are done, so
 * nothing on the branch says what they do.  A read is made before, between or
 * after them, as chance will have it.
 */
#ifndef READCACHE_SERVE_SIBLINGS_H
#define READCACHE_SERVE_SIBLINGS_H

#include "file/locate.h"
#include "serve/request.h"

enum siblings {
	SIBLINGS_NONE,    /* none that may change the file */
	SIBLINGS_UNKNOWN, /* a shell, or a tool we do not know */
	SIBLINGS_CHANGE   /* an edit of what is, or might be, the file */
};

/*
 * What the calls in PENDING may do to the file that REQUEST asks for and that
 * was found at NAME (empty: nothing was found).  The request's own call is
 * among them.
 */
enum siblings siblings_look(struct arena *arena, const struct request *request,
    const struct call *pending, struct span name);

#endif
