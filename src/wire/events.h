/*
 * events.h -- from the entries of a branch, oldest first, to what they say
 * about reads (SPEC 5).
 */
#ifndef READCACHE_WIRE_EVENTS_H
#define READCACHE_WIRE_EVENTS_H

#include "replay/event.h"
#include "wire/entry.h"

struct events {
	struct arena *arena;
	const struct focus *focus;
	struct event *list;
	size_t n, room;
	struct asking *asking; /* see events.c */
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
 * The same for an assistant's message of which only the calls are at hand.
 * GONE: it was edited, or is never sent again.  CALLS must live as long as
 * the events.
 */
void events_add_calls(struct events *events, struct call *calls, bool gone);

/* The same for the result of an edit that was done, by its call's id (T13). */
void events_add_edited(
    struct events *events, struct span call_id, uint32_t at);

/*
 * May a read result be left out whose metadata is about another file
 * (message_elsewhere)?  Only if the call did not ask for ours either.
 */
bool events_elsewhere(const struct events *events, struct span call_id);

/* An event that stands in no entry. */
void events_append(struct events *events, const struct event *event);

#endif
