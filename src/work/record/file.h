/*
 * file.h -- records in the store: memo/<key>.json.
 *
 * The directory is the index: what is there is there, whatever else says.
 * Files are 0600, their directory 0700; a record is whole or not there; of
 * two writers of the same key the last one wins.  Nothing here follows a
 * link, and no key can lead out of the directory.
 *
 * A file's time of access is that of its last use, to the hour (gc.h of the
 * records); its time of modification is that of its making.
 */
#ifndef READCACHE_WORK_RECORD_FILE_H
#define READCACHE_WORK_RECORD_FILE_H

#include "store/dir.h"
#include "work/record/record.h"
#include "work/record/verdict.h"

/* Valid for one command; its descriptors belong to the store's arena. */
struct records {
	struct store *store;
	int dir; /* of memo/, -1 until it is needed */
};

struct records records_in(struct store *store);

/*
 * Their directory: memo/, or the store's root if that is a plain directory of
 * such files, which another program keeps there.  -1 if it cannot be used.
 */
int records_open(struct records *records, enum dir_want want);

enum record_got {
	RECORD_HIT,
	RECORD_ABSENT,
	RECORD_EXPIRED, /* it was removed, unless LOOK */
	RECORD_TOO_OLD, /* for this reader */
	RECORD_FUTURE,	/* the clock went back */
	RECORD_DAMAGED, /* or no file: a link, a directory */
	RECORD_FAILED /* it cannot be read: errno tells */
};

enum record_use {
	RECORD_LOOK, /* nothing is changed: no removal, no note of the use */
	RECORD_USE
};

/*
 * The record KEY, if it is good now for a reader who wants it no older than
 * MAX_AGE ms (0: any age).  A record with a status other than "done" is
 * RECORD_DAMAGED.  For all but ABSENT, DAMAGED and FAILED *RECORD is filled:
 * an explanation may want to say what was there.
 */
enum record_got record_load(struct records *records, struct span key,
    uint64_t max_age, enum record_use use, struct record *record);

/* Why what was loaded is of no use; REASON_SAME for a hit. */
enum reason record_reason(enum record_got got);

/*
 * Keep RECORD under its key.  False: errno tells; EISDIR: a directory with
 * something in it has its name.
 */
bool record_save(struct records *records, const struct record *record);

/* Remove the record KEY.  False if there is none. */
bool record_remove(struct records *records, struct span key);

/* Is there some file for KEY?  Its content is not looked at. */
bool record_exists(struct records *records, struct span key);

/* user@host, for "creator". */
struct span record_creator(struct arena *arena);

#endif
