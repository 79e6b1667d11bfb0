/*
 * quiet_text.h -- a note of quiet.h as bytes.
 *
 * Only for this machine and this version.  A note that cannot be read is
 * ignored.
 */
#ifndef READCACHE_WORK_WORKFLOW_QUIET_TEXT_H
#define READCACHE_WORK_WORKFLOW_QUIET_TEXT_H

#include <sys/stat.h>

#include "base/buf.h"
#include "base/digest.h"

/* The facts of a file; times are in nanoseconds. */
struct quiet_facts {
	uint64_t dev, inode, size, mtime, ctime;
};

struct quiet_file {
	struct span name; /* from the root; of a lock: the node's id */
	uint64_t is_lock;
	struct quiet_facts facts;
};

/*
 * A node that had nothing to do, and its files as they were then.  The files
 * stay bytes, as they are in the note: with thousands of nodes each is looked
 * at once, and most are written as they were read.
 */
struct quiet_node {
	struct span id;
	uint64_t created_ms; /* of its result; 0: unknown */
	struct span files;   /* see quiet_next; empty: unknown */
};

struct quiet_text {
	uint64_t accessed_ms;
	struct digest circumstances;
	struct span *env; /* names of variables in CIRCUMSTANCES */
	size_t nenv;
	struct quiet_node *nodes;
	size_t nnodes;
	bool is_whole; /* every node of the workflow is in it */
	struct span programs; /* files, as in quiet_node */
	struct span flow;   /* directory of the locks */
	struct span record; /* key of the last node's record, or empty */
	struct span result;
};

struct quiet_facts quiet_facts(const struct stat *st);

/* Add FILE at the end of FILES. */
void quiet_add(struct buf *files, const struct quiet_file *file);

/* Take the first file off FILES.  False if there is none. */
bool quiet_next(struct span *files, struct quiet_file *file);

/* TEXT as bytes, in ARENA. */
struct span quiet_write(struct arena *arena, const struct quiet_text *text);

/*
 * Read BYTES; the result points into them.  False if they are not a note, or
 * damaged.
 */
bool quiet_read(
    struct arena *arena, struct span bytes, struct quiet_text *text);

#endif
