/*
 * state.h -- a cache of facts that are slow to find out.
 *
 * A database (LMDB) beside the user's key, one for each store (home.h).  It
 * makes things faster and is never the truth: every entry says something that
 * can be found out without it, and whoever reads an entry checks that it still
 * holds.  If the database cannot be opened, is damaged or deleted, everything
 * still works, only slower.  Every function takes NULL for "there is no
 * database".  Each entry has a check of its own, by the user's key; an entry
 * that is damaged, or that was not written for this store, table and name,
 * counts as absent.
 *
 * Puts are kept in memory.  state_flush writes all of them in one transaction,
 * after the files they are about are on disk.  state_get sees them at once.
 * Several processes may use the database at the same time.  Nobody waits for
 * another one longer than a second; then there is no database, or what was to
 * be written is lost.
 *
 * Rules:
 * 1. One struct state at a time in a process.
 * 2. Call state_rest before a child is started or anything is waited for.
 * 3. Do not use it in a forked child.
 */
#ifndef READCACHE_STORE_STATE_STATE_H
#define READCACHE_STORE_STATE_STATE_H

#include "store/dir.h"
#include "store/store.h"

enum state_table {
	STATE_STAT = 'S',	/* (device, inode) -> a file's facts and hash */
	STATE_GENERATION = 'G', /* path -> how often it changed */
	STATE_DEP = 'D', /* stage -> note of its last success (generation.h) */
	STATE_RECORD = 'I', /* record -> what its file says */
	STATE_LEFT = 'L'    /* path -> content that a command left there */
};

enum {
	STATE_NAME_MAX = 64,   /* bytes; hash a name that may be longer */
	STATE_VALUE_MAX = 4096 /* bytes */
};

struct state;

/*
 * Open the state of STORE.  DIR_MAKE makes it if it is missing, DIR_USE opens
 * it if it exists, DIR_LOOK too but changes nothing.  NULL if it cannot be
 * used: go on without.  Values that state_get gives live in the store's arena.
 */
struct state *state_open(struct store *store, enum dir_want want);

/* Close STATE, which may be NULL.  What was not flushed is lost. */
void state_close(struct state *state);

/*
 * The value of NAME, which lives in the store's arena.  False if there is
 * none.
 */
bool state_get(struct state *state, enum state_table table, struct span name,
    struct span *value);

/* Set NAME to VALUE at the next flush.  Ignored if either is too long. */
void state_put(struct state *state, enum state_table table, struct span name,
    struct span value);

/* Remove NAME at the next flush. */
void state_drop(struct state *state, enum state_table table, struct span name);

/*
 * Write all puts and drops.  False if that failed: they are lost, which is not
 * a reason to fail anything else.
 */
bool state_flush(struct state *state);

/* End the read transaction.  The next state_get sees what others wrote. */
void state_rest(struct state *state);

/* How many entries there are. */
uint64_t state_count(struct state *state);

/*
 * Remove the database of STORE.  Whoever has it open loses what is written
 * there.  False if there is none, or it cannot be removed.
 */
bool state_remove(struct store *store);

/* Where the database is. */
struct state_place {
	struct span dir;
	uint64_t bytes;
};

/* Find the database of STORE, without opening it.  False if there is none. */
bool state_place(struct store *store, struct state_place *place);

/*
 * Remove databases of any store that were not used for 90 days, but not that of
 * STORE; at most once a day.  Also remove what earlier versions kept in STORE
 * itself.
 */
void state_tidy(struct store *store);

/* Name and version of the database library in this program: "LMDB 0.9.24". */
struct span state_library(void);

#endif
