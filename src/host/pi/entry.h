/*
 * entry.h -- one entry of a session, as far as reads are concerned.
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
	ENTRY_CUSTOM        /* data: of a pi-readcache entry */
};

/* Where an entry stands in the tree, and where to look further. */
struct entry {
	enum entry_kind kind;
	struct span id, parent; /* parent is empty at the root */
	struct span target;
	bool replaced; /* the target, by another text */
	struct span data;
	struct span message;
};

/* False if VALUE is no object with a proper id. */
bool entry_parse(const struct json_doc *doc, struct span value, struct entry *entry);

enum message_kind {
	MESSAGE_OTHER,
	MESSAGE_USER,
	MESSAGE_ASSISTANT,  /* content: where its tool calls are */
	MESSAGE_READ_RESULT, /* of the tool "read", not an error */
	MESSAGE_EDIT_ERROR,  /* of the tool "edit": it was refused */
	MESSAGE_EDITED,      /* of "edit" or "write": it was done */
	MESSAGE_OTHER_RESULT /* of any other tool, or an error: only its call */
};

/*
 * What the provider counted for the request that an assistant's message
 * answers (T15).
 */
struct bill {
	uint64_t tokens; /* of that request; 0: not told */
	struct span model, provider;
};

struct message {
	enum message_kind kind;
	bool dropped; /* an assistant's that the host never sends again */
	struct span content;
	struct span details;
	struct span call_id;
	struct span asked; /* the path its call asked for, once known */
	struct span usage, model, provider; /* see message_bill */
};

struct message message_parse(const struct json_doc *doc, struct span value);

/* The bill of an assistant's message. */
struct bill message_bill(
    const struct json_doc *doc, const struct message *message);

/*
 * If MESSAGE, the result of a read without metadata, is the host's notice that
 * not even one line fits: the number of that line, of which nothing is shown
 * but that it is too long.  Else 0.
 */
uint64_t message_long_line(
    const struct json_doc *doc, const struct message *message);

/*
 * The file that somebody asks about; without a path: every file.  Its bytes
 * and their hash spare the hashing of a stored text that is the same.
 */
struct focus {
	struct span path, name;
	struct span bytes;
	struct digest hash;
	bool texts_left_out; /* the host may have left out checked texts */
};

enum message_read {
	MESSAGE_READ_EVENT,
	MESSAGE_READ_ELSEWHERE, /* its metadata is about another file */
	MESSAGE_READ_LONG_LINE, /* it shows that one line is too long */
	MESSAGE_READ_UNKNOWN    /* it has no valid metadata */
};

/* About which file is the metadata of a read result? */
enum message_about {
	MESSAGE_ABOUT_OURS, /* it may be: a closer look is needed */
	MESSAGE_ABOUT_ASKED, /* another one, if the call did not ask for ours */
	MESSAGE_ABOUT_ANOTHER
};

enum message_about message_about(const struct json_doc *doc,
    const struct message *message, const struct focus *focus);

/* The last component of PATH, without a range behind it. */
struct span focus_part(struct span path);

/*
 * Is focus_part the last name of what PATH, as a call has it, leads to?  Not
 * where the host reads more into it: an @, a URL, other blanks, dots.
 */
bool focus_part_is_name(struct span path);

/*
 * May ASKED, the path in a call, lead to the file in focus?  Not if it has
 * another last name.
 */
bool focus_asked(const struct focus *focus, struct span asked);

/*
 * What a read result proves: EVENT_READ, or EVENT_SIGHTING when the stored
 * text or the truncation beside it speaks against it (T1, T9); EVENT_BLIND
 * where it has no metadata.
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
	struct span id;   /* empty if it is no text */
	struct span path; /* that it asks for; empty if it is no text */
	enum tool tool;
	bool unclear; /* another one has its id and another path */
};

/* False if BLOCK of an assistant's content is not a tool call. */
bool message_call(
    const struct json_doc *doc, struct span block, struct call *call);

/*
 * The tool calls in an assistant's CONTENT, in their order.  They live in
 * ARENA; if that is not DOC's, DOC's text may go.
 */
struct call *message_calls(const struct json_doc *doc, struct span content,
    struct arena *arena);

/* CALL of DOC alone, so that it lives as long as ARENA. */
struct call call_keep(const struct json_doc *doc, const struct call *call,
    struct arena *arena);

/* The same for BILL. */
struct bill bill_keep(
    const struct json_doc *doc, struct bill bill, struct arena *arena);

/* TEXT of DOC, so that it lives as long as ARENA. */
struct span entry_keep(const struct json_doc *doc, struct span text,
    struct arena *arena);

#endif
