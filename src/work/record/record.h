/*
 * record.h -- the result of a piece of work, as JSON.
 *
 * A file {"value":"...","expires_at":0} is a whole record: other programs
 * write such ones, and they can read ours, which hold more members.  What
 * checks itself does so only where the members for it are there: "key" must
 * be the name of the file, and "sum" must fit what the record says.
 *
 * Pure: no file is looked at.
 */
#ifndef READCACHE_WORK_RECORD_RECORD_H
#define READCACHE_WORK_RECORD_RECORD_H

#include "base/arena.h"
#include "work/record/clock.h"

/* Larger files are none. */
#define RECORD_MAX ((size_t)256 * 1024 * 1024)

/* Spans that are not set have p == NULL, and are not written. */
struct record {
	struct span key;   /* 8 to 64 hexadecimal digits */
	struct span value; /* any bytes: an answer, a command's output */
	struct lifetime life;
	struct span kind;   /* "memo", "phase", "stage", "node" */
	struct span status; /* "done"; nothing else is reused */
	bool exited;
	uint64_t exit;	    /* of a command, if EXITED */
	struct span errors; /* what it wrote to standard error: any bytes */
	struct span order;  /* of value and errors (work/exec/said.h) */
	struct span json;   /* raw JSON: the value as data */
	struct span model;
	struct span outs;   /* raw JSON: what the stage made */
	struct span inputs; /* raw JSON object: name -> value or hash of each
			     * part of the key, to tell later what changed */
	struct span flow, phase, run_id; /* where it is from */
	struct span creator;		 /* who made it: user@host */
	struct span tool_version;
};

/* True if KEY may name a record: 8 to 64 lowercase hexadecimal digits. */
bool record_key_valid(struct span key);

/*
 * The text of RECORD, with a line end.  Its texts (kind, model, flow, ...)
 * must be UTF-8, json, outs and inputs valid JSON; value and errors may be
 * any bytes.
 */
struct span record_write(struct arena *arena, const struct record *record);

/*
 * Read TEXT, the file of the record KEY.  False if it is no record, or one
 * that is not what was written.  A missing creation time is left 0.
 */
bool record_read(struct arena *arena, struct span key, struct span text,
    struct record *record);

#endif
