/*
 * memory_inside.h -- what the files that implement memory.h share.
 */
#ifndef READCACHE_SERVE_MEMORY_INSIDE_H
#define READCACHE_SERVE_MEMORY_INSIDE_H

#include <sys/stat.h>

#include "base/seen.h"
#include "serve/folds.h"
#include "serve/ledger.h"
#include "serve/memory.h"
#include "session/entry.h"
#include "session/session.h"

/* The state of the ledger after an entry was added. */
struct mark {
	struct span id;
	size_t events;
	struct turn turn;
};

/*
 * The entries that a host has sent.  At first only their text is kept.  What it
 * says is learned when the host sends it again or refers to it.
 */
struct entries_memory {
	struct buf text; /* "[", items and commas; empty: not known */
	bool learned;    /* the ledger has what the entries say */
	struct map *by_id; /* id -> mark, which may have been cut off */
	struct mark *marks;
	size_t n, room;
	size_t firm; /* going back to a mark before this is impossible */
	struct seen *beside; /* ids that are used, but not on the branch */
};

enum { TAIL_BYTES = 4096 };

/* A session file, as far as it was read. */
struct file_memory {
	struct stat st;
	char *tail; /* its last bytes */
	size_t tail_bytes;
	struct branch_ids ids; /* that no later entry may have */
	bool leaf_is_last; /* no entry follows the leaf */
	struct dirs dirs;  /* where its calls were made */
};

struct memory {
	struct arena *arena;
	enum { KNOWS_NOTHING, KNOWS_ENTRIES, KNOWS_FILE } knows;
	bool unsettled;   /* a change was given up in the middle */
	struct span who;  /* the session's id (or empty), or the file's path */
	struct span leaf; /* the last entry of the branch */
	struct ledger ledger;
	struct folds *folds; /* over the ledger's events */
	struct entries_memory entries;
	struct file_memory file;
};

/* A copy of TEXT that MEMORY keeps. */
struct span memory_keep(struct memory *memory, struct span text);

enum followed {
	FOLLOWED,     /* memory has the session's branch */
	FOLLOWED_NOT, /* it has not, but what it remembers may be useful */
	FOLLOWED_LOST /* what it remembers may be wrong: forget it */
};

/* memory_follow for one kind of session. */
enum followed memory_follow_entries(struct memory *memory,
    struct arena *arena, const struct session *session);
enum followed memory_follow_file(struct memory *memory, struct arena *arena,
    const struct session *session);

/*
 * May ENTRY follow the leaf without changing what was before it?  A compaction,
 * an edit or another branch would change it.
 */
bool memory_extends(const struct memory *memory, const struct entry *entry);

#endif
