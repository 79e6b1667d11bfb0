/*
 * recall.h -- what the texts before a point of a recorded session prove.
 *
 * Texts are loaded from the file when they are needed, and only a limited
 * amount of knowledge is kept.  So memory does not grow with the session.
 */
#ifndef READCACHE_INSPECT_RECALL_H
#define READCACHE_INSPECT_RECALL_H

#include "inspect/context.h"
#include "inspect/knowledge.h"

struct recall;

/* CONTEXT is the walk whose sights are recalled. */
struct recall *recall_new(const struct context *context, struct arena *arena);

/* The answer at SIGHT, in ARENA. */
struct known_answer recall_answer(const struct context *context,
    const struct sight *sight, struct arena *arena);

/*
 * What the first N sights of SUBJECT prove, as they are visible where the walk
 * is now.  Valid until the next call.  NULL if too much had to be read again:
 * then it is not known.
 */
const struct knowledge *recall_know(struct recall *recall,
    struct context_subject *subject, uint32_t n);

#endif
