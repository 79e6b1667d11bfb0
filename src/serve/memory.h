/*
 * memory.h -- what a serving process remembers of the last session.
 *
 * It exists so that a request costs no more in a long session than in a short
 * one.  What is remembered is what the whole branch would say.  In any doubt it
 * is forgotten, and the whole branch is looked at again.
 *
 * For a session file: the file may only have grown, by entries that follow the
 * last one.  For entries in requests: the branch up to its leaf, which
 * session.after refers to; and their text, for hosts that send everything again
 * each time, with more at the end.
 */
#ifndef READCACHE_SERVE_MEMORY_H
#define READCACHE_SERVE_MEMORY_H

#include "session/events.h"
#include "replay/trust.h"
#include "serve/branch.h"
#include "serve/leads.h"

struct memory;

/* NULL if out of memory; a process can serve without it. */
struct memory *memory_new(void);
void memory_free(struct memory *memory);

/*
 * The text of the first session.entries, with the commas between them, that
 * need not be validated again because they are in MEMORY.  It may be empty.
 */
struct span memory_known(const struct memory *memory);

/*
 * Follow SESSION.  True if MEMORY now has its branch.  False if it does not;
 * then the whole branch must be looked at.  ARENA is used only during the call.
 */
bool memory_follow(struct memory *memory, struct arena *arena,
    const struct session *session);

/*
 * Forget everything.  For a request that was not understood or not finished:
 * what it would have said about the session is not known, so nothing may build
 * on what was before.
 */
void memory_forget(struct memory *memory);

/* Copy what is remembered about FOCUS (NULL: all files) to EVENTS. */
void memory_events(const struct memory *memory, const struct focus *focus,
    struct events *events);

/* The state of the conversation at the end of the branch. */
struct turn memory_turn(const struct memory *memory);

/*
 * What the branch proves about the file in FOCUS, for questions only.  WHERE
 * says how paths are understood now.  It is valid until the next request.  NULL
 * if it is not kept: fold the events.
 */
const struct trust *memory_trust(struct memory *memory, struct arena *arena,
    const struct history_where *where, const struct focus *focus);

/* Add the directories in which the session file's calls were made. */
void memory_dirs(const struct memory *memory, struct arena *arena,
    struct dirs *dirs);

#endif
