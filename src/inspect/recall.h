/*
 * recall.h -- what the texts before some point of a recorded session tell.
 *
 * Texts are loaded from the file when something has to be known, and only so
 * much knowledge is kept: memory does not grow with the session.
 */
#ifndef READCACHE_INSPECT_RECALL_H
#define READCACHE_INSPECT_RECALL_H

#include "inspect/context.h"
#include "inspect/knowledge.h"

struct recall;

struct recall *recall_new(const struct context *context, struct arena *arena);

/* The answer that stands at SIGHT, in ARENA. */
struct known_answer recall_answer(const struct context *context,
    const struct sight *sight, struct arena *arena);

/*
 * What the first N sights of SUBJECT tell, as they are visible where the walk
 * is now.  Valid until the next call.  NULL: so much was to be read again and
 * again that nobody can tell.
 */
const struct knowledge *recall_know(struct recall *recall,
    struct context_subject *subject, uint32_t n);

#endif
