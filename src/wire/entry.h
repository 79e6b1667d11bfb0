/*
 * entry.h -- one entry of a session, as far as reads are concerned.
 */
#ifndef READCACHE_WIRE_ENTRY_H
#define READCACHE_WIRE_ENTRY_H

#include "base/arena.h"
#include "wire/meta.h"

enum entry_kind {
	ENTRY_OTHER,
	ENTRY_COMPACTION,
	ENTRY_CONTEXT_EDIT, /* target: the edited entry; empty if unknown */
	ENTRY_CUSTOM,       /* data: of a pi-readcache entry */
	ENTRY_ASSISTANT,    /* content: where its tool calls are */
	ENTRY_READ_RESULT   /* of the tool "read", not an error */
};

struct entry {
	enum entry_kind kind;
	struct span target;
	struct span data;
	struct span content;
	struct span details;
	struct span call_id;
};

/* Where an entry stands in the tree; parent is empty at the root. */
struct entry_place {
	struct span id, parent;
};

/* False if VALUE is no object with a proper id. */
bool entry_place(struct arena *arena, struct span value,
    struct entry_place *place);

struct entry entry_parse(struct arena *arena, struct span value);

/*
 * What a read result proves: EVENT_READ, or EVENT_SIGHTING when the stored
 * text or the truncation beside it speaks against it (T1, T9).  False if it
 * has no valid metadata.
 */
bool entry_read_event(struct arena *arena, const struct entry *entry,
    struct event *event);

/*
 * The path that the tool call ID, in the assistant's CONTENT, asks `read`
 * for.  False if it is not there.
 */
bool entry_called_path(struct arena *arena, struct span content,
    struct span id, struct span *path);

#endif
