/*
 * dir.h -- the store's directories, reached safely.
 *
 * All of them are opened by descriptor, step by step, so that a link put in
 * the way is met and refused, not followed.
 */
#ifndef READCACHE_STORE_DIR_H
#define READCACHE_STORE_DIR_H

#include <dirent.h>

#include "store/store.h"

enum dir_want {
	DIR_LOOK, /* if it is there; nothing is changed */
	DIR_USE,  /* if it is there; made private if it is not */
	DIR_MAKE  /* made if it is not there */
};

/* When gc was last begun: the time of modification of this file. */
#define DIR_STAMP "last-gc"

/*
 * The store's root, opened once and kept; -1 if it cannot be used.  Made if
 * WANT says so.
 */
int dir_root(struct store *store, enum dir_want want);

/* All that stands in the directory FD; to be closed.  NULL: errno tells. */
DIR *dir_list(int fd);

/*
 * Make the file NAME with TEXT in the directory AT, if nothing is there yet.
 * False if something was, or if it is not possible.
 */
bool dir_note(int at, const char *name, struct span text);

/*
 * Open the store's directory SUB ("objects", "memo", ...), making the store
 * if WANT says so.  The descriptor belongs to the store's arena.  -1 if it
 * cannot be used; errno is ENOENT only if there is none.  A store that has to be
 * ours (store_guard) and is not is never opened.
 */
int dir_open(struct store *store, const char *sub, enum dir_want want);

/* As dir_open, for NAME, one component, below FD, a directory of the store. */
int dir_below(
    struct store *store, int fd, const char *name, enum dir_want want);

/*
 * The root itself, if other programs keep their results in it, as files
 * <key>.json; -1 if there is none of these.
 */
int dir_plain(struct store *store, enum dir_want want);

/* What keeps a store from being used. */
enum dir_fault {
	DIR_FINE,
	DIR_ABSENT,     /* nothing is there yet */
	DIR_IN_THE_WAY, /* a link, or something that is no directory */
	DIR_ABOVE_CWD,  /* it is the project itself, or the project is in it */
	DIR_FOREIGN,    /* neither a store nor empty */
	DIR_NOT_OURS,   /* another user's */
	DIR_STRANGE,    /* ours, but not our work: owner.h */
	DIR_KEYLESS,    /* whose work it is cannot be told: no key */
	DIR_KEY_UNFIT,  /* the same: there is one that is not ours alone */
	DIR_FAILED      /* errno tells */
};

/* Look at the store's root; nothing is made or changed. */
enum dir_fault dir_look(const struct store *store);

/* A sentence about FAULT: what is wrong and what to do. */
const char *dir_fault_text(enum dir_fault fault);

#endif
