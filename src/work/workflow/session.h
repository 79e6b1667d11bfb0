/*
 * session.h -- what is known about a workflow file from run to run.
 *
 * flows/<sha256 of the file's path>/metadata.json says for every node how it
 * ended last time, what it depended on, and where its result is kept (a
 * record, work/record/file.h).  The path is the one without links, so every
 * spelling of it has the same session; a file that was moved has a new one.
 *
 * metadata.json is written at the end of a run.  Before that, each node that
 * has ended is a line in the journal (journal.h).  So the cost of a run
 * depends on the nodes that it runs, and it can be killed at any time.  If
 * little was done in a long workflow, the lines are enough; metadata.json is
 * written when there are many of them.
 *
 * Several runs at once do not lose each other's nodes: before saving, what is
 * on disk is read again, under a lock.  Nodes that were removed from the
 * workflow are kept until the session is cleared.
 *
 * A saved workflow has no session: its file here is only used for --resume.
 */
#ifndef READCACHE_WORK_WORKFLOW_SESSION_H
#define READCACHE_WORK_WORKFLOW_SESSION_H

#include "base/digest.h"
#include "store/dir.h"
#include "work/workflow/journal.h"
#include "work/workflow/source.h"

enum ending { ENDED_WELL, ENDED_BADLY, ENDED_BLOCKED };

/* A parent, as it was when this node was done. */
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
	struct span run; /* id of the run that did it */
	struct span key; /* of its record; empty: there is none */
	struct span type;
	struct span error; /* why it failed */
	struct upstream *above;
	size_t nabove;
	bool changed; /* not on disk yet */
};

/* Identifies a file: every save makes another one. */
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
	struct map *ids; /* id -> index */

	size_t *fresh; /* indices of the changed nodes */
	size_t nfresh, fresh_room;
	struct flow_session_file read;	/* the file that was read last */
	struct digest saved;		/* hash of the workflow's text then */
	char journal[JOURNAL_WORD + 1]; /* the word of its journal */
	uint64_t journal_at;		/* how much of it was read */
	bool is_behind;			/* the journal has more than the file */
	bool cannot_jot;		/* it failed: save at the end only */
};

/*
 * Load the session of SOURCE's file.  Nothing is made.  A damaged one is
 * empty.
 */
struct flow_session session_load(
    struct store *store, const struct source *source);

/*
 * Read what other runs have noted meanwhile; own changes stay.  False if there
 * is nothing new.
 */
bool session_reload(struct flow_session *session);

/* The node ID, or NULL. */
struct session_node *session_find(struct flow_session *session, struct span id);

/*
 * The node ID, which is added if it is new.  The pointer is valid until the
 * next call.
 */
struct session_node *session_note(struct flow_session *session, struct span id);

/* Mark NODE, from session_note, as not saved yet. */
void session_mark(struct flow_session *session, struct session_node *node);

/*
 * Write a journal line for each changed node.  False: see errno.  That is not
 * a failure of the work itself.
 */
bool session_jot(struct flow_session *session);

/*
 * At the end of a run: save what is new, and that the session was used at NOW.
 * False: see errno.  That is not a failure of the work itself.
 */
bool session_save(struct flow_session *session, uint64_t now);

/*
 * The note of quiet.h, which is kept beside the session and may be lost.
 * False if there is none, or if it cannot be written.
 */
bool session_load_note(
    struct store *store, const struct source *source, struct span *note);
bool session_save_note(struct flow_session *session, struct span note);
void session_drop_note(struct flow_session *session);

/* Remove the session.  The result is how many nodes it had. */
size_t session_clear(struct flow_session *session);

/* Remove all sessions of STORE.  The result is how many there were. */
size_t session_clear_all(struct store *store);

#endif
