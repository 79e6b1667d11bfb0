/*
 * session.h -- what is known of a workflow file from run to run.
 *
 * flows/<sha256 of the file's path>/metadata.json: for every node how it ended
 * last time, what it depended on and where its result is kept (a record,
 * work/record/file.h).  Known by the path without links, so every spelling of
 * it leads to the same session, and a file that was moved has a new one.
 *
 * That file is written at the end of a run; before that, what has ended is a
 * line in its journal (journal.h), so a run costs as much as it has nodes and
 * can be killed at any time.  Of a long workflow in which little was done the
 * lines are enough: the whole waits until they are many.
 *
 * Several runs at once do not lose each other's nodes: what is saved is put
 * into what is there then, under a lock.  Nodes that are gone from the file
 * are kept until the session is cleared.
 *
 * A saved workflow has no session: its file here only serves --resume.
 */
#ifndef READCACHE_WORK_WORKFLOW_SESSION_H
#define READCACHE_WORK_WORKFLOW_SESSION_H

#include "base/digest.h"
#include "store/dir.h"
#include "work/workflow/journal.h"
#include "work/workflow/source.h"

enum ending { ENDED_WELL, ENDED_BADLY, ENDED_BLOCKED };

/* A node above, as it was when this one was done. */
struct upstream {
	struct span id;
	struct digest stamp;
};

struct session_node {
	struct span id;
	enum ending ending;
	struct digest config;
	struct digest stamp; /* changes whenever its result does */
	uint64_t cached_ms;
	uint64_t took_ms;
	struct span run; /* in which it was done */
	struct span key; /* of its record; empty: there is none */
	struct span type;
	struct span error; /* why it ended badly */
	struct upstream *above;
	size_t nabove;
	bool changed; /* neither in the file nor in its journal yet */
};

/* Which file it was: every save makes another one. */
struct flow_session_file {
	uint64_t inode, size, changed_ns;
};

struct flow_session {
	struct store *store;
	const struct source *source;
	char name[DIGEST_HEX + 1]; /* of its directory in flows/ */
	uint64_t created_ms, accessed_ms;
	struct session_node *nodes;
	size_t n, room;
	struct map *ids; /* to the index */

	size_t *fresh; /* the nodes that are marked as changed */
	size_t nfresh, fresh_room;
	struct flow_session_file read;	/* what was read last */
	struct digest saved;		/* the workflow's text then */
	char journal[JOURNAL_WORD + 1]; /* the word of its journal */
	uint64_t journal_at;		/* how much of that was read */
	bool is_behind;			/* the journal has more than the file */
	bool cannot_jot;		/* a failure: all waits for the end */
};

/* What is known of SOURCE's file; nothing is made.  Damage is no knowledge. */
struct flow_session session_load(
    struct store *store, const struct source *source);

/*
 * What other runs have noted since; own changes stay.  False if there is
 * nothing new.
 */
bool session_reload(struct flow_session *session);

/* The node called ID, or NULL. */
struct session_node *session_find(struct flow_session *session, struct span id);

/* The same, made if it is not there; the pointer is valid until the next. */
struct session_node *session_note(struct flow_session *session, struct span id);

/* NODE, from session_note, is not what is on disk. */
void session_mark(struct flow_session *session, struct session_node *node);

/*
 * Put the nodes that have changed into the journal: a line each.  False:
 * errno tells; the work itself is not at fault.
 */
bool session_jot(struct flow_session *session);

/*
 * Save what is new, at the end of a run, and that it was used at NOW.  False
 * as above.
 */
bool session_save(struct flow_session *session, uint64_t now);

/*
 * The note that quiet.h keeps beside it: bytes that may be lost.  False if
 * there is none.
 */
bool session_load_note(
    struct store *store, const struct source *source, struct span *note);
bool session_save_note(struct flow_session *session, struct span note);
void session_drop_note(struct flow_session *session);

/* Remove it; the number of nodes it knew. */
size_t session_clear(struct flow_session *session);

/* Remove all of STORE; the number of sessions. */
size_t session_clear_all(struct store *store);

#endif
