/*
 * records.h -- the reads of a recorded session: who asked for what, and what
 * was delivered.
 *
 * Everything except the texts is kept in memory.  A text is loaded from the
 * file when it is needed.
 */
#ifndef READCACHE_SESSION_RECORDS_H
#define READCACHE_SESSION_RECORDS_H

#include "meta/meta.h"
#include "session/call.h"
#include "session/index.h"

/*
 * A call of the assistant, in a message that reads or changes files.  Of a call
 * that does neither, only its tool is kept.
 */
struct record_call {
	struct record_call *next;
	enum tool tool;
	struct span id;
	struct span path; /* as the model wrote it; empty if not a string */
	uint64_t offset;  /* 0: not given */
	uint64_t limit;
	bool odd; /* it has arguments that only the host understands */
};

struct record_asking {
	struct record_call *calls;
	uint32_t tokens; /* of its request; 0: not known */
	uint16_t model;  /* who counted them; equal numbers, same model */
	bool dropped : 1; /* failed or aborted: it is not sent again */
	bool lost : 1;    /* its request lacked what was sent before (T15) */
	bool apart : 1;   /* its bill is not compared with those above */
	bool many : 1;    /* see indexed_asking in records.c */
};

struct record_edit {
	struct span target; /* empty if unknown */
	bool replaced;      /* another text replaces it */
};

struct record_result {
	struct span call_id;
	bool has_text; /* it is exactly one text: */
	uint64_t text_bytes;
	struct digest text_hash;
	bool has_meta; /* it has valid metadata: */
	struct meta meta;
	bool sealed; /* its text is what was delivered (T9) */
	uint64_t long_line; /* the line that did not fit, or 0 */
};

/* What is kept of a node depends on its kind; NULL if nothing is. */
union node_record {
	struct record_asking *asking; /* NODE_ASSISTANT */
	struct record_result *result; /* of reads and edits */
	struct record_edit *edit;     /* NODE_CONTEXT_EDIT */
	struct span *kept;            /* NODE_COMPACTION: firstKeptEntryId */
	struct event *invalidation;   /* NODE_CUSTOM */
};

struct session_records {
	const struct index *index;
	union node_record *of; /* indexed by node */
	uint32_t losses;  /* how many messages are lost (T15) */
	struct map *models; /* model and provider -> their number */
	uint32_t nmodels;
};

/* For the host that loads them. */

/* ASKING, whose N calls are there, so that they are found fast. */
struct record_asking *records_index_calls(
    struct arena *arena, struct record_asking *asking, size_t n);

/* All records are there: compare the bills. */
void records_finish(struct session_records *records);

/* For those who ask. */

/*
 * The tokens of the earlier request with which the request of the assistant's
 * message NODE is compared (T15); 0 if there is none.
 */
uint64_t records_tokens_before(
    const struct session_records *records, uint32_t node);

/* A read result on a path, and its call. */
struct record_read {
	uint32_t node;
	const struct record_result *result;
	const struct record_call *call; /* NULL: none, or too far back */
	uint32_t asked_by;              /* the assistant's node, or NODE_NONE */
};

/*
 * The read result at position AT of PATH, and its call; nodes before position
 * FROM are not looked at.  result is NULL if the file has changed since.
 */
struct record_read records_read(const struct session_records *records,
    const struct index_path *path, uint32_t from, uint32_t at);

#endif
