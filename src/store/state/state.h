/*
 * state.h -- what is quicker to look up than to find out again.
 *
 * A database (LMDB) beside the store, state.mdb.  It is an accelerator and
 * never the truth: every entry says something that can be found out without
 * it, and whoever reads one checks that it still holds.  If it cannot be
 * opened, or is damaged or deleted, things are slower and nothing else: every
 * function takes NULL for "there is none", and a damaged entry is one that is
 * not there (each carries a check of its own).
 *
 * Puts are kept in memory until state_flush writes all of them in one
 * transaction, after what they speak of is on disk; state_get sees them
 * before.  Several processes may use it at once.
 *
 * Rules: one struct state at a time in a process; state_rest before a child
 * is started or anything is waited for; not to be used in a forked child.
 */
#ifndef READCACHE_STORE_STATE_STATE_H
#define READCACHE_STORE_STATE_STATE_H

#include "store/dir.h"
#include "store/store.h"

enum state_table {
	STATE_STAT = 'S',	/* (device, inode) -> a file's facts and hash */
	STATE_GENERATION = 'G', /* path -> how often it was seen to change */
	STATE_DEP = 'D', /* (stage, path) -> generation that it last ran on */
	STATE_RUN = 'R', /* (stage, inputs) -> key of the record */
	STATE_RECORD = 'I', /* record -> what its file says, without reading */
	STATE_NODE = 'N', /* node -> how it ended the last time */
	STATE_LEFT = 'L'  /* path -> content that a command left there */
};

enum {
	STATE_NAME_MAX = 64,   /* bytes of a name; hash what may be longer */
	STATE_VALUE_MAX = 4096 /* bytes of a value */
};

struct state;

/*
 * The state of STORE.  DIR_MAKE makes it if there is none; DIR_USE opens it
 * if it is there; DIR_LOOK too, and then nothing of it is changed.  NULL: go
 * on without.  What it gives lives in the store's arena.
 */
struct state *state_open(struct store *store, enum dir_want want);

/* Without writing what was not flushed.  NULL is allowed. */
void state_close(struct state *state);

/* The value of NAME; it lives in the arena.  False if there is none. */
bool state_get(struct state *state, enum state_table table, struct span name,
    struct span *value);

/* Set the value of NAME with the next flush. */
void state_put(struct state *state, enum state_table table, struct span name,
    struct span value);

/* Forget NAME with the next flush. */
void state_drop(struct state *state, enum state_table table, struct span name);

/*
 * Write what was put.  False if that failed, which is no reason to fail
 * anything: the puts are lost.
 */
bool state_flush(struct state *state);

/* Let go of what is read; the next state_get sees what others wrote. */
void state_rest(struct state *state);

/* How many entries there are, and forget all of them (for gc). */
uint64_t state_count(struct state *state);
bool state_clear(struct state *state);

/* The database that is in this program, with its version. */
struct span state_library(void);

#endif
