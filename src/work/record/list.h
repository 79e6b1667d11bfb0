/*
 * list.h -- all records, without reading all of them.
 *
 * The directory says which there are; the state remembers what each file said
 * when it was last read, and is believed as long as the file is the same.
 */
#ifndef READCACHE_WORK_RECORD_LIST_H
#define READCACHE_WORK_RECORD_LIST_H

#include "store/state/state.h"
#include "work/record/file.h"

struct record_info {
	struct span key;
	uint64_t bytes;
	time_t used; /* last */
	time_t made; /* the file */
	bool sound;  /* it is a record; else the rest is not set: it is
		      * damaged, or no file but a link or a directory */
	bool has_outs;
	struct lifetime life;
	struct span kind, flow, phase, run_id, model; /* may be empty */
};

struct record_list {
	struct record_info *items; /* sorted by key */
	size_t n;
};

/*
 * All of them.  What had to be read is put into STATE (NULL: none), which the
 * caller flushes.
 */
struct record_list record_list(struct records *records, struct state *state);

#endif
