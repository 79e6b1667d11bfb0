/*
 * entry.h -- one entry of a session, as far as reads are concerned.
 */
#ifndef READCACHE_WIRE_ENTRY_H
#define READCACHE_WIRE_ENTRY_H

#include "wire/json.h"
#include "wire/meta.h"

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
	MESSAGE_ASSISTANT,  /* content: where its tool calls are */
	MESSAGE_READ_RESULT, /* of the tool "read", not an error */
	MESSAGE_EDIT_ERROR,  /* of the tool "edit": it was refused */
	MESSAGE_EDITED       /* of "edit" or "write": it was done */
};

struct message {
	enum message_kind kind;
	bool dropped; /* an assistant's that the host never sends again */
	struct span content;
	struct span details;
	struct span call_id;
	struct span asked; /* the path its call asked for, once known */
};

struct message message_parse(const struct json_doc *doc, struct span value);

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
	MESSAGE_READ_UNKNOWN    /* it has no valid metadata */
};

/*
 * Is the metadata of a read result valid, and about another file?  Then most
 * results of a branch need no closer look.
 */
bool message_elsewhere(const struct json_doc *doc,
    const struct message *message, const struct focus *focus);

/* The last component of PATH, without a range behind it. */
struct span focus_part(struct span path);

/*
 * Is focus_part the last name of what PATH, as a call has it, leads to?  Not
 * where the host reads more into it: an @, a URL, other blanks, dots.
 */
bool focus_part_is_name(struct span path);

/*
 * May ASKED, the path in a call, lead to the file in focus?  Then its result
 * needs the closer look.
 */
bool focus_asked(const struct focus *focus, struct span asked);

/*
 * What a read result proves: EVENT_READ, or EVENT_SIGHTING when the stored
 * text or the truncation beside it speaks against it (T1, T9).
 */
enum message_read message_read_event(const struct json_doc *doc,
    const struct message *message, const struct focus *focus,
    struct event *event);

/*
 * Is BLOCK of an assistant's content a tool call?  ID is then its id, PATH
 * the path it asks for; either is empty if it is no text.
 */
bool message_call(const struct json_doc *doc, struct span block,
    struct span *id, struct span *path);

/* One tool call of an assistant's message. */
struct call {
	struct call *next;
	struct span id;
	struct span path; /* that it asks for */
};

/*
 * The tool calls in an assistant's CONTENT, in their order.  They live in
 * ARENA; if that is not DOC's, DOC's text may go.
 */
struct call *message_calls(const struct json_doc *doc, struct span content,
    struct arena *arena);

/* TEXT of DOC, so that it lives as long as ARENA. */
struct span entry_keep(const struct json_doc *doc, struct span text,
    struct arena *arena);

#endif
