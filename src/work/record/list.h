/*
 * list.h -- list all records without reading all files.
 *
 * The directory says which records there are.  The state remembers what each
 * file said when it was last read, and is believed as long as the file is the
 * same.
 */
#ifndef READCACHE_WORK_RECORD_LIST_H
#define READCACHE_WORK_RECORD_LIST_H

#include "store/state/state.h"
#include "work/record/file.h"

struct record_info {
	struct span key;
	uint64_t bytes;
	time_t used; /* last use */
	time_t made; /* when the file was made */
	/*
	 * It is a valid record.  Else it is damaged, or a link or a directory,
	 * and the members below are not set.
	 */
	bool sound;
	bool has_outs;
	enum record_claim claim;
	struct lifetime life;
	struct span kind, flow, phase, run_id, model; /* may be empty */
};

struct record_list {
	struct record_info *items; /* sorted by key */
	size_t n;
};

/*
 * List all records.  What had to be read is put into STATE (may be NULL),
 * which the caller flushes.
 */
struct record_list record_list(struct records *records, struct state *state);

#endif
