/*
 * record.h -- the result of a piece of work, as JSON.
 *
 * A file {"value":"...","expires_at":0} is a complete record.  Other programs
 * write such files, and they can read ours, which have more members.  Two
 * members are checks, if they are there: "key" must be the name of the file,
 * and "sum" must fit the rest of the record.
 *
 * Pure: no file is looked at.
 */
#ifndef READCACHE_WORK_RECORD_RECORD_H
#define READCACHE_WORK_RECORD_RECORD_H

#include "base/arena.h"
#include "work/record/clock.h"

/* A larger file is not a record. */
#define RECORD_MAX ((size_t)256 * 1024 * 1024)

/* What a file says of itself.  It matters among other programs' files. */
enum record_claim {
	CLAIM_NONE,  /* it has a value, as any JSON may */
	CLAIM_PLAIN, /* value and expires_at: another program's record */
	CLAIM_OURS   /* its own key and a sum that fits */
};

/* Spans that are not set have p == NULL, and are not written. */
struct record {
	struct span key;   /* 8 to 64 hexadecimal digits */
	struct span value; /* any bytes: an answer, a command's output */
	struct lifetime life;
	struct span kind;   /* "memo", "phase", "stage", "node" */
	struct span status; /* "done"; nothing else is reused */
	bool exited;
	uint64_t exit;	    /* of a command, if EXITED */
	struct span errors; /* its standard error: any bytes */
	struct span order;  /* of VALUE and ERRORS (work/exec/said.h) */
	struct span json;   /* raw JSON: the value as data */
	struct span model;
	struct span outs;   /* raw JSON: the outputs of a stage */
	/*
	 * Raw JSON object: name -> value or hash of each part of the key, to
	 * say later what changed.
	 */
	struct span inputs;
	struct span flow, phase, run_id; /* where it came from */
	struct span creator;		 /* user@host */
	struct span tool_version;
	enum record_claim claim; /* set by record_read */
};

/* May KEY name a record?  8 to 64 lowercase hexadecimal digits. */
bool record_key_valid(struct span key);

/*
 * The text of RECORD, with a line end.  Its texts (kind, model, flow, ...)
 * must be UTF-8; json, outs and inputs must be valid JSON; value and errors
 * may be any bytes.
 */
struct span record_write(struct arena *arena, const struct record *record);

/*
 * Read TEXT, the file of the record KEY.  False if it is not a record, or if
 * its checks fail.  A missing creation time is left 0.
 */
bool record_read(struct arena *arena, struct span key, struct span text,
    struct record *record);

#endif
