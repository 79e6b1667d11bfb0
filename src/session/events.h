/*
 * events.h -- what happened on a branch, oldest first, and what that says about
 * reads (SPEC 5).
 *
 * A host reads its entries, and adds what each of them is.
 */
#ifndef READCACHE_SESSION_EVENTS_H
#define READCACHE_SESSION_EVENTS_H

#include "replay/event.h"
#include "session/call.h"
#include "session/focus.h"

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
 * Add an assistant's message of which only the calls and the bill are known.
 * GONE means that it was edited, or will not be sent again.  CALLS and the
 * texts of BILL must live as long as the events.
 */
void events_add_calls(struct events *events, struct call *calls, bool gone,
    const struct bill *bill, uint32_t at);

/* What the result of a read says. */
enum message_read {
	MESSAGE_READ_EVENT,
	MESSAGE_READ_ELSEWHERE, /* its metadata is about another file */
	MESSAGE_READ_LONG_LINE, /* it shows that one line is too long */
	MESSAGE_READ_UNKNOWN    /* it has no valid metadata */
};

/*
 * Add the result of a read, which says READ and EVENT.  EVENT's texts are
 * DOC's.
 */
void events_add_read(struct events *events, const struct json_doc *doc,
    enum message_read read, const struct event *event, struct span call_id,
    enum edit edit, uint32_t at);

/*
 * Add the result of a successful edit, by the id of its call (T13).  EDIT: what
 * happened to that result.
 */
void events_add_edited(struct events *events, struct span call_id,
    enum edit edit, uint32_t at);

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

/* The path that the call CALL_ID asked for; empty if that is not known. */
struct span events_asked(const struct events *events, struct span call_id);

/*
 * May the result of a read be left out, if only its call could say that it is
 * about the file in focus?  Only if that did not ask for it.
 */
bool events_elsewhere(const struct events *events, struct span call_id);

/* A copy of EVENT, which was found in DOC, that lives as long as ARENA. */
struct event event_keep(const struct json_doc *doc, const struct event *event,
    struct arena *arena);

/* Add EVENT, which was found in DOC: what is needed of its texts is copied. */
void events_add_event(struct events *events, const struct json_doc *doc,
    const struct event *event, uint32_t at);

/* Add an event that is not from an entry. */
void events_append(struct events *events, const struct event *event);

#endif
