/*
 * index.h -- a recorded session as a tree, without its texts.
 *
 * A host reads the file once.  Of every entry only its place in the tree and in
 * the file is kept.  An id that more than one entry has stands for none of them
 * (T8).
 */
#ifndef READCACHE_SESSION_INDEX_H
#define READCACHE_SESSION_INDEX_H

#include <stdint.h>

#include "base/map.h"
#include "session/dirs.h"
#include "session/reader.h"

enum node_kind {
	NODE_OTHER,
	NODE_USER,
	NODE_ASSISTANT,
	NODE_READ_RESULT, /* of the tool "read", not an error */
	NODE_READ_ERROR,
	NODE_EDIT_ERROR,  /* of the tool "edit": it was refused */
	NODE_EDITED,      /* of "edit" or "write": it was done */
	NODE_TOOL_RESULT, /* any other tool result */
	NODE_COMPACTION, /* an ENTRY_BOUNDARY */
	NODE_CONTEXT_EDIT,
	NODE_CUSTOM /* an entry of readcache */
};

#define NODE_NONE UINT32_MAX

/* Does nothing count that is before such a node? */
bool node_is_boundary(enum node_kind kind);

struct index_node {
	uint64_t offset; /* of its line in the file */
	uint32_t size;
	uint32_t parent; /* a node, or NODE_NONE */
	uint32_t line;   /* number of its line, from 1 */
	enum node_kind kind;
	bool unreadable; /* pi reads it, but it is not UTF-8 (T8) */
	bool orphan;     /* its parent is not there, or not before it (T8) */
	bool late;       /* its parent comes later: perhaps a circle (T8) */
	bool has_child;
	uint32_t asker; /* the nearest assistant above it, or NODE_NONE */
	struct span id; /* of an entry without one: "#" and its line's number */
};

struct index {
	struct arena *arena;
	struct arena *scratch; /* for one line at a time */
	int fd;
	uint64_t bytes;   /* of the file */
	uint64_t version; /* of the session's format, as the host counts */
	uint64_t skipped; /* lines that are not JSON */
	struct span cwd;  /* where the session was started; may be empty */
	struct dirs dirs; /* where its calls may have been made, with cwd */
	struct index_node *nodes; /* in the file's order */
	uint32_t n, room;
	struct map *by_id; /* id -> node, or INDEX_TWICE */
	struct orphan *orphans; /* see index.c */
};

#define INDEX_TWICE UINT64_MAX

enum index_open {
	INDEX_OK,
	INDEX_CANNOT_READ, /* errno says why; 0: not a regular file */
	INDEX_NO_SESSION   /* the first entry is not a session header */
};

/*
 * Called from time to time with how many bytes of how many are done.  May be
 * NULL.
 */
typedef void index_progress(void *context, uint64_t done, uint64_t all);

/* For the host that reads a session. */

/* Make room for about as many nodes as the file has lines. */
void index_make_room(struct index *index);

/*
 * Add NODE, whose line, size, kind and readability are known; ID and PARENT
 * (empty: it is a root) are its entry's.
 */
void index_add(struct index *index, struct index_node node, struct span id,
    struct span parent);

/* Add NODE, of an entry without an id, which follows the one before it. */
void index_add_linear(struct index *index, struct index_node node);

/* All nodes are there. */
void index_finish(struct index *index);

/* For those who ask. */

/* The node with this id; NODE_NONE if there is none, or more than one. */
uint32_t index_find(const struct index *index, struct span id);

/* The file's last entry, where pi continues; NODE_NONE if there is none. */
uint32_t index_last(const struct index *index);

/*
 * The text of an entry, in ARENA.  It is valid JSON if the node is readable and
 * the file has not changed.  Empty if it cannot be read any more.
 */
struct span index_line(const struct index *index, uint32_t node,
    struct arena *arena);

/* The way from the root to a leaf, as far as it can be trusted. */
struct index_path {
	uint32_t *nodes; /* the one nearest to the root first */
	uint32_t n;
	uint32_t start;      /* the first one after the boundary */
	uint32_t compaction; /* the node of the boundary, or NODE_NONE */
	bool broken;         /* something before nodes[0] is unreadable (T8) */
};

/*
 * Find the way to LEAF.  False if LEAF is not a readable node, or if the way
 * leads to a node whose parent comes after it in the file, as in a circle: then
 * nothing can be trusted.
 */
bool index_path(const struct index *index, uint32_t leaf, struct arena *arena,
    struct index_path *path);

#endif
