/*
 * events.h -- from the entries of a branch, oldest first, to what they say
 * about reads (SPEC 5).
 */
#ifndef READCACHE_HOST_PI_EVENTS_H
#define READCACHE_HOST_PI_EVENTS_H

#include "host/pi/entry.h"
#include "replay/event.h"

/*
 * Where the conversation stands after the entries so far: who asked last, and
 * which of its calls have a result.  A copy can be gone back to.
 */
struct turn {
	struct asking_message *asking;     /* see events.c */
	struct answered *answered; /* since the last assistant's message */
	bool over; /* a user has spoken since: nothing is waited for */
};

struct events {
	struct arena *arena;
	const struct focus *focus;
	struct event *list;
	size_t n, room;
	struct turn turn;
};

/* FOCUS: whose reads are wanted; it must live as long as the events. */
struct events events_new(struct arena *arena, const struct focus *focus);

/* What became of an entry; of several edits the latest counts. */
enum edit { EDIT_NONE, EDIT_OMITTED, EDIT_REPLACED };

/*
 * The next entry, as it was parsed out of DOC, and where it stands (for
 * event.at).  If DOC is looked into by another arena than that of the events,
 * its text is taken for gone afterwards, and what is needed is copied.
 */
void events_add(struct events *events, const struct json_doc *doc,
    const struct entry *entry, enum edit edit, uint32_t at);

/*
 * The same for an assistant's message of which only the calls and the bill are
 * at hand.  GONE: it was edited, or is never sent again.  CALLS and BILL's
 * texts must live as long as the events.
 */
void events_add_calls(struct events *events, struct call *calls, bool gone,
    const struct bill *bill, uint32_t at);

/* The same for the result of an edit that was done, by its call's id (T13). */
void events_add_edited(
    struct events *events, struct span call_id, uint32_t at);

/* The same for a result of which nothing matters but whose it is. */
void events_add_answered(struct events *events, struct span call_id);

/* The same for a message of the user. */
void events_add_user(struct events *events);

/*
 * The calls of the last assistant's message that have no result yet (T14), in
 * ARENA, in their order.
 */
struct call *events_pending(const struct turn *turn, struct arena *arena);

/*
 * May a read result be left out that is MESSAGE_ABOUT_ASKED?  Only if the
 * call did not ask for ours.
 */
bool events_elsewhere(const struct events *events, struct span call_id);

/* An event that stands in no entry. */
void events_append(struct events *events, const struct event *event);

#endif
