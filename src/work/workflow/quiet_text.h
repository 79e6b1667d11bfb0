/*
 * quiet_text.h -- a note of quiet.h as bytes.
 *
 * For this machine and this version only; whoever cannot read it goes without.
 */
#ifndef READCACHE_WORK_WORKFLOW_QUIET_TEXT_H
#define READCACHE_WORK_WORKFLOW_QUIET_TEXT_H

#include <sys/stat.h>

#include "base/buf.h"
#include "base/digest.h"

/* What the file system says about a file; times in nanoseconds. */
struct quiet_facts {
	uint64_t dev, inode, size, mtime, ctime;
};

struct quiet_file {
	struct span name; /* from the project's root; of a lock: the node's */
	uint64_t is_lock;
	struct quiet_facts facts;
};

/*
 * A node that had nothing to do, and its files as they were then.  They stay
 * bytes, as they stand in the note: of thousands of nodes each is looked at
 * once, and all but a few are written as they were read.
 */
struct quiet_node {
	struct span id;
	uint64_t created_ms; /* of its result; 0: not known */
	struct span files;   /* see quiet_next; empty: nothing is known */
};

struct quiet_text {
	uint64_t accessed_ms;
	struct digest circumstances;
	struct span *env; /* the variables that are part of them */
	size_t nenv;
	struct quiet_node *nodes;
	size_t nnodes;
	bool is_whole; /* no node of the workflow is missing */
	struct span programs; /* files, too */
	struct span flow;   /* the folder of the locks */
	struct span record; /* the key of the result's record, or empty */
	struct span result;
};

struct quiet_facts quiet_facts(const struct stat *st);

/* One more file at the end of FILES. */
void quiet_add(struct buf *files, const struct quiet_file *file);

/* The first of FILES, which then are the others.  False: there is none. */
bool quiet_next(struct span *files, struct quiet_file *file);

struct span quiet_write(struct arena *arena, const struct quiet_text *text);

/* False if BYTES are none, or damaged.  The result points into them. */
bool quiet_read(
    struct arena *arena, struct span bytes, struct quiet_text *text);

#endif
