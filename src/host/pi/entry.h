/*
 * entry.h -- one entry of a session, as far as it matters for reads.
 */
#ifndef READCACHE_HOST_PI_ENTRY_H
#define READCACHE_HOST_PI_ENTRY_H

#include "json/json.h"
#include "meta/meta.h"

enum entry_kind {
	ENTRY_OTHER,
	ENTRY_MESSAGE,
	ENTRY_COMPACTION,
	ENTRY_CONTEXT_EDIT, /* of target, which is empty if unknown */
	ENTRY_CUSTOM        /* data: that of a pi-readcache entry */
};

/*
 * What a kind of entry does to the conversation before it.  All readers ask
 * here: of requests, of files from both ends, and the memory of a process.
 */

/* Does nothing count that is before such an entry (SPEC 5)? */
bool entry_is_boundary(enum entry_kind kind);

/* Does it change what earlier entries mean?  A boundary does, too. */
bool entry_reaches_back(enum entry_kind kind);

/* The place of an entry in the tree, and its parts. */
struct entry {
	enum entry_kind kind;
	struct span id, parent; /* parent is empty at the root */
	struct span target;
	bool replaced; /* another text replaces the target */
	struct span data;
	struct span message;
};

/* Read an entry.  False if VALUE is not an object with an id. */
bool entry_parse(const struct json_doc *doc, struct span value, struct entry *entry);

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

/*
 * What the provider counted for the request that an assistant's message answers
 * (T15).
 */
struct bill {
	uint64_t tokens; /* of that request; 0: not known */
	struct span model, provider;
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
 * MESSAGE is the result of a read without metadata.  If its text is the host's
 * notice that not even one line fits, this is the number of that line;
 * otherwise 0.  Such a notice shows nothing of the line but that it is too
 * long.
 */
uint64_t message_long_line(
    const struct json_doc *doc, const struct message *message);

/*
 * The file that somebody asks about; if path is empty, every file.  BYTES and
 * their HASH save hashing a stored text that is equal to them.
 */
struct focus {
	struct span path, name;
	struct span bytes;
	struct digest hash;
	bool texts_left_out; /* the host may leave out texts that it checked */
};

enum message_read {
	MESSAGE_READ_EVENT,
	MESSAGE_READ_ELSEWHERE, /* its metadata is about another file */
	MESSAGE_READ_LONG_LINE, /* it shows that one line is too long */
	MESSAGE_READ_UNKNOWN    /* it has no valid metadata */
};

/* Which file is the metadata of a read result about? */
enum message_about {
	MESSAGE_ABOUT_OURS, /* perhaps ours: a closer look is needed */
	MESSAGE_ABOUT_ASKED, /* another one, unless the call asked for ours */
	MESSAGE_ABOUT_ANOTHER
};

enum message_about message_about(const struct json_doc *doc,
    const struct message *message, const struct focus *focus);

/* The last component of PATH, without a range after it. */
struct span focus_part(struct span path);

/*
 * Is focus_part the last name of the file that PATH, as written in a call,
 * leads to?  Not if the host reads more into it: an @, a URL, other blanks,
 * dots.
 */
bool focus_part_is_name(struct span path);

/*
 * May ASKED, the path in a call, lead to the file in focus?  Not if its last
 * name is another one.
 */
bool focus_asked(const struct focus *focus, struct span asked);

/*
 * What a read result proves: EVENT_READ; EVENT_SIGHTING if its stored text or
 * its truncation contradicts it (T1, T9); EVENT_BLIND if it has no metadata.
 */
enum message_read message_read_event(const struct json_doc *doc,
    const struct message *message, const struct focus *focus,
    struct event *event);

/* What a tool may do to files. */
enum tool {
	TOOL_UNKNOWN,  /* anything: a shell, or a tool we do not know */
	TOOL_HARMLESS, /* nothing */
	TOOL_CHANGES   /* change the one file at the path it is given */
};

/* One tool call of an assistant's message. */
struct call {
	struct call *next;
	struct span id;   /* empty if it is not a string */
	struct span path; /* the path argument; empty if it is not a string */
	enum tool tool;
	bool unclear; /* another call has the same id and another path */
};

/* Read a tool call.  False if BLOCK, of an assistant's content, is not one. */
bool message_call(
    const struct json_doc *doc, struct span block, struct call *call);

/*
 * The tool calls in an assistant's CONTENT, in order.  They live in ARENA.  If
 * that is not DOC's arena, DOC's text may be released.
 */
struct call *message_calls(const struct json_doc *doc, struct span content,
    struct arena *arena);

/*
 * A copy of CALL, which was found in DOC, that lives as long as ARENA.  It is
 * not in a list.
 */
struct call call_keep(const struct json_doc *doc, const struct call *call,
    struct arena *arena);

/* A copy of BILL, which was found in DOC, that lives as long as ARENA. */
struct bill bill_keep(
    const struct json_doc *doc, struct bill bill, struct arena *arena);

/*
 * TEXT, which was found in DOC, so that it lives as long as ARENA.  It is
 * copied only if DOC has another arena.
 */
struct span entry_keep(const struct json_doc *doc, struct span text,
    struct arena *arena);

#endif
