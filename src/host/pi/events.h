/*
 * events.h -- from the entries of a branch, oldest first, to what they say
 * about reads (SPEC 5).
 */
#ifndef READCACHE_HOST_PI_EVENTS_H
#define READCACHE_HOST_PI_EVENTS_H

#include "host/pi/entry.h"
#include "replay/event.h"

/*
 * The state of the conversation after the entries so far: who asked last, and
 * which of its calls have a result.  A copy can be used to go back.
 */
struct turn {
	struct asking_message *asking;     /* see events.c */
	struct answered *answered; /* since the last assistant's message */
	bool over; /* the user has spoken since: no call is open */
};

struct events {
	struct arena *arena;
	const struct focus *focus;
	struct event *list;
	size_t n, room;
	struct turn turn;
};

/* FOCUS says whose reads are wanted; it must live as long as the events. */
struct events events_new(struct arena *arena, const struct focus *focus);

/* What happened to an entry.  Of several edits the latest counts. */
enum edit { EDIT_NONE, EDIT_OMITTED, EDIT_REPLACED };

/*
 * Add the next entry, which was parsed from DOC.  AT is its place, for
 * event.at.  If DOC has another arena than the events, its text may be released
 * afterwards: what is needed is copied.
 */
void events_add(struct events *events, const struct json_doc *doc,
    const struct entry *entry, enum edit edit, uint32_t at);

/*
 * Add an assistant's message of which only the calls and the bill are known.
 * GONE means that it was edited, or will not be sent again.  CALLS and the
 * texts of BILL must live as long as the events.
 */
void events_add_calls(struct events *events, struct call *calls, bool gone,
    const struct bill *bill, uint32_t at);

/*
 * Add the result of a read, of which message_read_event said READ and EVENT
 * when it did not know the call.  EVENT's texts are DOC's.
 */
void events_add_read(struct events *events, const struct json_doc *doc,
    enum message_read read, const struct event *event, struct span call_id,
    enum edit edit, uint32_t at);

/* Add the result of a successful edit, by the id of its call (T13). */
void events_add_edited(
    struct events *events, struct span call_id, uint32_t at);

/* Add the result of an edit that was refused. */
void events_add_refused(
    struct events *events, struct span call_id, uint32_t at);

/* Add a context edit.  KNOWN: one can tell what it is about. */
void events_add_context_edit(struct events *events, bool known, uint32_t at);

/* Add a result of which nothing matters but the id of its call. */
void events_add_answered(struct events *events, struct span call_id);

/* Add a message of the user. */
void events_add_user(struct events *events);

/*
 * The calls of the last assistant's message that have no result yet (T14), in
 * order, in ARENA.
 */
struct call *events_pending(const struct turn *turn, struct arena *arena);

/*
 * May a read result that is MESSAGE_ABOUT_ASKED be left out?  Only if its call
 * did not ask for the file in focus.
 */
bool events_elsewhere(const struct events *events, struct span call_id);

/* Add EVENT, which was found in DOC: what is needed of its texts is copied. */
void events_add_event(struct events *events, const struct json_doc *doc,
    const struct event *event, uint32_t at);

/* Add an event that is not from an entry. */
void events_append(struct events *events, const struct event *event);

#endif
