/*
 * memory.h -- what a serving process remembers of the last session.
 *
 * Only so that a request costs no more in a long session than in a short one:
 * what is remembered is what the whole branch would say, and in any doubt it
 * is forgotten and the whole branch is looked at again.
 *
 * Of a session file: a file that only grew, by entries that follow the one
 * that was last.  Of a request's entries: the branch up to its leaf, to which
 * session.after refers; and their text, for hosts that send all of it every
 * time, and more at its end.
 */
#ifndef READCACHE_SERVE_MEMORY_H
#define READCACHE_SERVE_MEMORY_H

#include "host/pi/events.h"
#include "serve/branch.h"

struct memory;

/* NULL: there is no memory to be had; a process can serve without. */
struct memory *memory_new(void);
void memory_free(struct memory *memory);

/*
 * The text of the first session.entries, with the commas between them, that
 * need not be judged again: they are in MEMORY.  It may be empty.
 */
struct span memory_known(const struct memory *memory);

/*
 * Go where SESSION is.  True if MEMORY now holds its branch.  False: it is
 * not known here, and only the whole branch can tell.  ARENA is for the time
 * of the call.
 */
bool memory_follow(struct memory *memory, struct arena *arena,
    const struct session *session);

/*
 * A request could not be understood or came to no end: what it would have said
 * of the session is not known, and nothing may go on after what was before.
 */
void memory_forget(struct memory *memory);

/*
 * Copy what it holds about FOCUS (NULL: about all files) to EVENTS, and where
 * the conversation stands.
 */
void memory_events(const struct memory *memory, const struct focus *focus,
    struct events *events);

/* Add where the calls of the session file that it holds were made. */
void memory_dirs(const struct memory *memory, struct arena *arena,
    struct dirs *dirs);

#endif
