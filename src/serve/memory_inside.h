/*
 * memory_inside.h -- what the files behind memory.h share.
 */
#ifndef READCACHE_SERVE_MEMORY_INSIDE_H
#define READCACHE_SERVE_MEMORY_INSIDE_H

#include <sys/stat.h>

#include "base/seen.h"
#include "host/pi/trail.h"
#include "serve/ledger.h"
#include "serve/memory.h"

/* Where the ledger stood when an entry had been added. */
struct mark {
	struct span id;
	size_t events;
	struct turn turn;
};

/*
 * The entries that a host has sent.  At first only their text is kept; what
 * it says is learned when the host comes back to it.
 */
struct entries_memory {
	struct buf text; /* "[", items and commas; empty: it is not known */
	bool learned;    /* the ledger holds what the entries say */
	struct map *by_id; /* id -> mark; it may be one that was cut off */
	struct mark *marks;
	size_t n, room;
	size_t firm; /* marks before this one cannot be gone back to */
	struct seen *beside; /* ids that are taken, but not on the branch */
};

enum { TAIL_BYTES = 4096 };

/* A session file, as far as it was read. */
struct file_memory {
	struct stat st;
	char *tail; /* its last bytes */
	size_t tail_bytes;
	struct trail_ids ids; /* that no entry may have once more */
	bool leaf_is_last; /* no entry stands behind the leaf */
	struct dirs dirs;  /* where its calls were made */
};

struct memory {
	struct arena *arena;
	enum { KNOWS_NOTHING, KNOWS_ENTRIES, KNOWS_FILE } knows;
	bool unsettled;   /* somebody gave up in the middle of a change */
	struct span who;  /* the session's id (or empty), or the file's path */
	struct span leaf; /* the last entry of the branch */
	struct ledger ledger;
	struct entries_memory entries;
	struct file_memory file;
};

/* A copy of TEXT that MEMORY keeps. */
struct span memory_keep(struct memory *memory, struct span text);

enum followed {
	FOLLOWED,     /* the session's branch is held */
	FOLLOWED_NOT, /* it is not, but what is remembered may be of use */
	FOLLOWED_LOST /* what is remembered may be anything: forget it */
};

/* memory_follow for one kind of session. */
enum followed memory_follow_entries(struct memory *memory,
    struct arena *arena, const struct session *session);
enum followed memory_follow_file(struct memory *memory, struct arena *arena,
    const struct session *session);

/*
 * May ENTRY follow the leaf without changing what was before it?  A
 * compaction and an edit do change that, and so does another branch.
 */
bool memory_extends(const struct memory *memory, const struct entry *entry);

#endif
