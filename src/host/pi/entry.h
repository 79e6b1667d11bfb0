/*
 * entry.h -- one entry of a session of pi, as far as it matters for reads.
 */
#ifndef READCACHE_HOST_PI_ENTRY_H
#define READCACHE_HOST_PI_ENTRY_H

#include "json/json.h"
#include "meta/meta.h"
#include "session/entry.h"
#include "session/events.h"

/* Read an entry of pi. */
entry_parser entry_parse;

/*
 * Read the entry of LINE, which is validated first: DOC then has its text.
 * False if LINE is not JSON in UTF-8, or not an object with an id (T8).
 */
bool entry_of_line(struct arena *arena, struct span line,
    struct json_doc *doc, struct entry *entry);

enum message_kind {
	MESSAGE_OTHER,
	MESSAGE_USER,
	MESSAGE_ASSISTANT,  /* content has its tool calls */
	MESSAGE_READ_RESULT, /* of the tool "read", not an error */
	MESSAGE_READ_ERROR,  /* of the tool "read": only its call matters */
	MESSAGE_EDIT_ERROR,  /* of the tool "edit": it was refused */
	MESSAGE_EDITED,      /* of "edit" or "write": it was done */
	MESSAGE_OTHER_RESULT /* any other: only its call matters */
};

struct message {
	enum message_kind kind;
	bool dropped; /* an assistant's that the host will not send again */
	struct span content;
	struct span details;
	struct span call_id;
	struct span asked; /* the path that its call asked for, once known */
	struct span usage, model, provider; /* see message_bill */
};

struct message message_parse(const struct json_doc *doc, struct span value);

/* The bill of an assistant's message. */
struct bill message_bill(
    const struct json_doc *doc, const struct message *message);

/*
 * The string in the only block of CONTENT, not decoded.  False if CONTENT is
 * not exactly one text.
 */
bool message_only_text(const struct json_doc *doc, struct span content,
    struct span *value);

/*
 * MESSAGE is the result of a read without metadata.  If its text is the host's
 * notice that not even one line fits, this is the number of that line;
 * otherwise 0.  Such a notice shows nothing of the line but that it is too
 * long.
 */
uint64_t message_long_line(
    const struct json_doc *doc, const struct message *message);

/* Which file is the metadata of a read result about? */
enum message_about {
	MESSAGE_ABOUT_OURS, /* perhaps ours: a closer look is needed */
	MESSAGE_ABOUT_ASKED, /* another one, unless the call asked for ours */
	MESSAGE_ABOUT_ANOTHER
};

enum message_about message_about(const struct json_doc *doc,
    const struct message *message, const struct focus *focus);

/*
 * What a read result proves: EVENT_READ; EVENT_SIGHTING if its stored text or
 * its truncation contradicts it (T1, T9); EVENT_BLIND if it has no metadata.
 */
enum message_read message_read_event(const struct json_doc *doc,
    const struct message *message, const struct focus *focus,
    struct event *event);

/* Read a tool call.  False if BLOCK, of an assistant's content, is not one. */
bool message_call(
    const struct json_doc *doc, struct span block, struct call *call);

/*
 * The tool calls in an assistant's CONTENT, in order.  They live in ARENA.  If
 * that is not DOC's arena, DOC's text may be released.  What they change is
 * only known of those that may be about the file in FOCUS.
 */
struct call *message_calls(const struct json_doc *doc, struct span content,
    const struct focus *focus, struct arena *arena);

#endif
