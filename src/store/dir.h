/*
 * dir.h -- the store's directories, opened safely.
 *
 * Each directory on the way is opened by descriptor, one component at a time.
 * A symbolic link that somebody put in the way is refused, not followed.
 *
 * In its usual place the store is made private, and git is told to leave it
 * alone, whatever was there before.  Anywhere else the user has named the
 * directory: its mode and the files in it stay as they are, and only what the
 * store makes is private.
 */
#ifndef READCACHE_STORE_DIR_H
#define READCACHE_STORE_DIR_H

#include <dirent.h>

#include "store/store.h"

enum dir_want {
	DIR_LOOK, /* open it if it is there; change nothing */
	DIR_USE,  /* open it if it is there; make it private */
	DIR_MAKE  /* make it if it is not there */
};

/* The file whose modification time is the time when gc last began. */
#define DIR_STAMP "last-gc"

/*
 * The store's root, opened once and kept in STORE.  With DIR_MAKE it is made
 * if it is missing.  -1 if it cannot be used; see errno.
 */
int dir_root(struct store *store, enum dir_want want);

/*
 * Open the directory FD for reading its entries.  FD itself stays as it is.
 * The caller closes the result.  NULL: see errno.
 */
DIR *dir_list(int fd);

/*
 * Does IS_GOOD hold for all names in the directory FD, "." and ".." among them?
 * False: errno is 0 if there is another one, or why we could not look.
 */
bool dir_has_only(int fd, bool (*is_good)(const char *name));

/*
 * Make the file NAME with the content TEXT in the directory AT.  False if NAME
 * exists already, or if it could not be written.
 */
bool dir_note(int at, const char *name, struct span text);

/*
 * Open the store's directory SUB ("objects", "memo", ...).  With DIR_MAKE the
 * store and SUB are made if they are missing.  The descriptor belongs to the
 * store's arena.  -1 if it cannot be used; errno is ENOENT only if it does not
 * exist.  A store that must be ours (store_guard) and is not is never opened.
 */
int dir_open(struct store *store, const char *sub, enum dir_want want);

/*
 * Open the directory NAME, one component, in FD, a directory of the store.
 * WANT and the result are those of dir_open, but the descriptor is the
 * caller's.
 */
int dir_enter(int fd, const char *name, enum dir_want want);

/* dir_enter, with a descriptor that belongs to the store's arena. */
int dir_below(
    struct store *store, int fd, const char *name, enum dir_want want);

/*
 * The root itself, if other programs keep their results in it as files
 * <key>.json.  -1 if there is no such file.  The store is never made here.
 */
int dir_plain(struct store *store, enum dir_want want);

/*
 * Do other programs use the root too, or did they make it?  It was named by the
 * user, and it has files <key>.json and no memo/, or something in it without
 * the CACHEDIR.TAG of a store.  What cannot be proved to be the store's own
 * must not be removed or replaced there.  Also true if we cannot look.
 */
bool dir_is_shared(struct store *store);

/* Why a store cannot be used. */
enum dir_fault {
	DIR_FINE,
	DIR_ABSENT,     /* it does not exist yet */
	DIR_IN_THE_WAY, /* a link, or not a directory */
	DIR_ABOVE_CWD,  /* it is, or contains, the current directory */
	DIR_FOREIGN,    /* neither a store nor empty */
	DIR_NOT_OURS,   /* it belongs to another user */
	DIR_STRANGE,    /* ours by uid, but not made by us: owner.h */
	DIR_KEYLESS,    /* there is no key to prove whose it is */
	DIR_KEY_UNFIT,  /* there is a key, but it may not be ours alone */
	DIR_FAILED      /* see errno */
};

/* Can the store be used?  Nothing is made or changed. */
enum dir_fault dir_look(const struct store *store);

/* What FAULT means and what to do about it, as the end of a sentence. */
const char *dir_fault_text(enum dir_fault fault);

#endif
