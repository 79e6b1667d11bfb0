/*
 * file.h -- records in the store: memo/<key>.json.
 *
 * The directory is the only index of records.  Files have mode 0600, their
 * directory 0700.  A record is there as a whole or not at all; if two
 * processes write the same key, the last one wins.  Links are never followed,
 * and no key can lead out of the directory.
 *
 * A file's access time is its last use, to the hour (trim.h).  Its
 * modification time is when it was made.
 */
#ifndef READCACHE_WORK_RECORD_FILE_H
#define READCACHE_WORK_RECORD_FILE_H

#include "store/dir.h"
#include "store/seal.h"
#include "work/record/record.h"
#include "work/record/verdict.h"

/*
 * The records of a store, for one command.  The descriptor belongs to the
 * store's arena.
 */
struct records {
	struct store *store;
	int dir; /* of memo/; -1 until it is needed */
};

/* The records of STORE.  Nothing is opened yet. */
struct records records_in(struct store *store);

/*
 * The directory of records: memo/, or the root of the store if another program
 * keeps such files there.  -1 if it cannot be used.
 */
int records_open(struct records *records, enum dir_want want);

/* Are the records in the root of the store, where another program has them? */
bool records_are_plain(const struct records *records);

/* The name in the seal of the record in the file NAME. */
struct seal_name record_seal(const char *name);

enum record_got {
	RECORD_HIT,
	RECORD_ABSENT,
	RECORD_EXPIRED, /* and removed, unless RECORD_LOOK */
	RECORD_TOO_OLD, /* for this reader */
	RECORD_FUTURE,	/* the clock went back */
	RECORD_DAMAGED, /* or not a file: a link, a directory */
	RECORD_FAILED /* cannot be read: see errno */
};

enum record_use {
	RECORD_LOOK, /* change nothing: no removal, no note of the use */
	RECORD_USE
};

/*
 * Load the record KEY, for a reader who wants it no older than MAX_AGE ms (0:
 * any age).  A record with a status other than "done" is RECORD_DAMAGED.
 * *RECORD is filled except for ABSENT, DAMAGED and FAILED, so that an
 * explanation can say what was there.
 */
enum record_got record_load(struct records *records, struct span key,
    uint64_t max_age, enum record_use use, struct record *record);

/* The reason why what was loaded is of no use; REASON_SAME for a hit. */
enum reason record_reason(enum record_got got);

/*
 * Write RECORD under its key.  False: see errno; EISDIR if a directory that is
 * not empty has its name.  EEXIST if other programs use the directory
 * (dir_is_shared) and something that is not a record has its name.
 */
bool record_save(struct records *records, const struct record *record);

/*
 * Remove the record KEY.  False if it could not be removed.  In a directory
 * that other programs use (dir_is_shared) only a record is removed, theirs or
 * ours (CLAIM_PLAIN); anything else stays.
 */
bool record_remove(struct records *records, struct span key);

/* Is there a file for KEY, whatever it holds? */
bool record_exists(struct records *records, struct span key);

/* "user@host", for the member "creator". */
struct span record_creator(struct arena *arena);

#endif
