/*
 * host.h -- what is different from host to host: a table, filled by its folder.
 *
 * All that asks about sessions and plain reads asks here.  The types are those
 * of session/.  host.c has the row of each host, and is the one file that knows
 * which one this program serves.
 */
#ifndef READCACHE_HOST_HOST_H
#define READCACHE_HOST_HOST_H

#include "base/buf.h"
#include "base/excerpt.h"
#include "session/entry.h"
#include "session/events.h"
#include "session/file.h"
#include "session/records.h"
#include "session/session.h"
#include "session/view.h"

struct host {
	/*
	 * Entries.
	 */

	/* Read an entry of a session. */
	entry_parser *entry;

	/*
	 * Add what ENTRY, the next one of a branch, says.  It was parsed from
	 * DOC.  AT is its place, for event.at.  If DOC has another arena than
	 * the events, its text may be released afterwards.
	 */
	void (*add)(struct events *events, const struct json_doc *doc,
	    const struct entry *entry, enum edit edit, uint32_t at);

	/*
	 * Session files, for requests.
	 */

	/*
	 * Open the regular file PATH.  ARENA owns its descriptor.  False if it
	 * cannot be read, or is not a session.
	 */
	bool (*open)(
	    struct arena *arena, struct span path, struct session_file *file);

	/*
	 * Add the directories in which the calls of a file may have been made,
	 * by its CWD and PARENT.  Both may be empty.
	 */
	void (*dirs)(struct dirs *dirs, struct arena *arena, struct span cwd,
	    struct span parent);

	/*
	 * Add the events of the branch that SESSION names, from its boundary to
	 * its leaf; without a leaf, to the file's last entry.  IDS, two empty
	 * sets, and *END are filled.  If the result is not BRANCH_OK, nothing
	 * in EVENTS can be trusted.
	 */
	enum branch_state (*branch)(const struct session_file *file,
	    const struct session *session, const struct branch_ids *ids,
	    struct events *events, struct branch_end *end);

	/*
	 * The plain read: its limits and its words.
	 */

	/*
	 * The view of the lines from OFFSET on (1 is the first), at most LIMIT
	 * (0: all), of BYTES, which has TOTAL lines.  False if there is no line
	 * OFFSET; then only first and total are set.
	 */
	bool (*view)(struct span bytes, uint64_t total, uint64_t offset,
	    uint64_t limit, struct view *view);

	/*
	 * The text of a view.  The words after the lines are written into
	 * ARENA.  ASKED is the path as the model wrote it.
	 */
	struct excerpt (*excerpt)(
	    struct arena *arena, const struct view *view, struct span asked);

	/*
	 * Is TEXT, with the blank line before it, the notice that the lines
	 * FIRST..LAST are all that its limits allow?  *TOTAL is how many lines
	 * it says the file has.
	 */
	bool (*notice)(struct arena *arena, struct span text, uint64_t first,
	    uint64_t last, uint64_t *total);

	/* Write the host's own record of what it cut off, as JSON. */
	void (*truncation)(struct buf *buf, const struct view *view);

	/*
	 * Find the view that TEXT shows, when the host was asked for LIMIT
	 * lines from OFFSET on (0: not given).  False if it shows no line, or
	 * is not such a text.  What was selected before a cut is not known.
	 */
	bool (*recorded)(struct arena *arena, struct span text, uint64_t offset,
	    uint64_t limit, struct view *view);

	/*
	 * Whole session files, for people.
	 */

	/*
	 * Read the session file PATH.  ARENA owns its descriptor from then on.
	 */
	enum index_open (*index)(struct arena *arena, struct span path,
	    index_progress *progress, void *context, struct index *index);
	const char *no_session; /* what INDEX_NO_SESSION means */

	/* Load the records of all nodes. */
	struct session_records (*records)(
	    const struct index *index, index_progress *progress, void *context);

	/* The text of a read result.  False if it cannot be read any more. */
	bool (*text)(const struct session_records *records, uint32_t node,
	    struct arena *arena, struct span *text);

	/*
	 * What the call CALL_ID of the assistant's message NODE changes, in
	 * ARENA.  NULL if that is not known, or if two calls have this id.
	 */
	const struct own_change *(*own)(const struct session_records *records,
	    uint32_t node, struct span call_id, struct arena *arena);

	/*
	 * The events of PATH after its boundary.  event.at is the node.  FOCUS
	 * must be for all files, with no texts left out.
	 */
	struct events (*events)(const struct index *index,
	    const struct index_path *path, const struct focus *focus,
	    struct arena *arena);

	/* When NODE was recorded, as the host wrote it; empty if it did not. */
	struct span (*time)(
	    const struct index *index, uint32_t node, struct arena *arena);

	/*
	 * What is recorded by us.
	 */

	/* Why nothing can be appended to the session; NULL if it can. */
	const char *(*append_bar)(const struct index *index);

	/*
	 * Append an entry after the session's last one.  MEMBERS are its own
	 * members, as JSON without braces.  *LINE is what was written.  False
	 * on failure: errno says why.
	 */
	bool (*append)(const struct index *index, struct span file,
	    struct span members, struct arena *arena, struct span *line);
};

/* The host of this program. */
extern const struct host *const host;

#endif
