/*
 * shadow_inside.h -- the state of the walks of shadow.c, and the steps of a
 * walk, one file for each.  For shadow*.c only.
 */
#ifndef READCACHE_INSPECT_SHADOW_INSIDE_H
#define READCACHE_INSPECT_SHADOW_INSIDE_H

#include "answer/question.h"
#include "base/map.h"
#include "session/events.h"
#include "session/view.h"
#include "inspect/shadow.h"
#include "inspect/witness.h"
#include "replay/trust.h"

/* A version of a file that a read showed, or lines of it. */
struct shown_version {
	struct shown_version *next;
	struct digest hash;
	uint32_t node;
	uint64_t offset, limit; /* as in the call */
};

/* The sums of a file. */
struct summed {
	struct summed *next;
	struct shadow_sum sum;
};

/* The state of the walks along all paths. */
struct shadow_walk {
	enum policy policy;
	const struct session_records *records;
	const struct index_path *path;
	struct arena *arena;	    /* for all walks */
	struct arena *events_arena; /* for what is after the boundary */
	struct arena *scratch;	    /* for one read */
	struct span home;
	bool *counted;	    /* by node */
	struct map *made;   /* node -> struct event *: what its read was */
	uint32_t *asked_by; /* by node: the asking message, or NODE_NONE */
	struct shadow *shadow;
	shadow_each *each; /* or NULL */
	void *context;	   /* for EACH */
	struct summed *sums;
	struct map *by_name; /* name -> struct summed * */
	struct shown_version *versions;
	struct map *by_hash; /* hash -> struct shown_version * */
	struct events events;
	struct events batch;	/* reads of one message, not applied yet */
	uint32_t asking;	/* the message that asked for them */
	struct library library; /* the versions above */
	struct witness *witness;
	struct trust *trust;
	uint32_t start;	      /* of the part after the boundary */
	struct budget budget; /* for what is visited more than once */
	/* The calls of one message: shadow_names.c */
	uint32_t beside_of;
	struct arena *beside_arena;
	struct map *changes, *reads; /* the names that it changes, and reads */
	bool changes_any, reads_any; /* it may change any file; or read it */
	bool unknown; /* it calls a tool that may do anything */
};

/* A read that is about to be answered again. */
struct replica {
	struct record_read read;
	struct span name;
	struct span text; /* as the host gave it */
	struct view view;
	bool known; /* VIEW is known */
	enum beside_fact beside;
	bool read_beside;
};

/* ---- what counts on the walk so far: shadow_fold.c ---- */

/* Nothing before position START of the path counts any more. */
void shadow_begin(struct shadow_walk *w, uint32_t start);

void shadow_apply(struct shadow_walk *w, const struct event *event);

/* Keep what a read was, for reads after its batch and on other paths. */
void shadow_deliver(struct shadow_walk *w, const struct event *event);

/* The same for a read that was kept on another path; false: there is none. */
bool shadow_deliver_again(struct shadow_walk *w, uint32_t node);

/* The reads of a batch have ended: from now on they count (SPEC 13). */
void shadow_end_batch(struct shadow_walk *w);

/* Apply the context edit at position AT of the path. */
void shadow_edit(
    struct shadow_walk *w, const struct record_edit *edit, uint32_t at);

/* ---- versions, as far as texts show them: shadow_versions.c ---- */

/* Keep the version HASH, of which READ showed lines.  For shadow_load. */
void shadow_keep(struct shadow_walk *w, const struct digest *hash,
    const struct record_read *read);

/* The library of the walks; CONTEXT is the struct shadow_walk. */
bool shadow_load(void *context, const struct digest *hash, struct piece *piece);

/*
 * The hash of the file at that time.  For a part it is the first of these: the
 * hash by which the same lines are known; that of a whole version which was
 * read in the same batch, or of the last one, if it has the same lines and
 * line count; a hash of its own.
 */
struct digest shadow_hash(struct shadow_walk *w, const struct replica *r);

/* ---- names in calls: shadow_names.c ---- */

/*
 * The absolute name that the model used, kept for all walks.  False if it is
 * not known.
 */
bool shadow_name(
    struct shadow_walk *w, const struct record_call *call, struct span *name);

/*
 * T14: what runs beside the read of R?  False if it changes the file, so that
 * the host reads it.
 */
bool shadow_beside(struct shadow_walk *w, struct replica *r);

/* ---- the answer: shadow_answer.c ---- */

/* Answer as a read does, and note in *ANSWERED how. */
void shadow_answer(struct shadow_walk *w, const struct replica *r,
    struct shadow_read *answered);

/* ---- sums: shadow_sums.c ---- */

/* Tell of the read, and add it to the sums of all and of its file. */
void shadow_count(struct shadow_walk *w, const struct shadow_read *read);

/* Put the files into w->shadow, sorted. */
void shadow_list(struct shadow_walk *w);

#endif
