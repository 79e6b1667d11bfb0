/*
 * report_slots.h -- what is trusted at one point of a walk along a branch, by
 * the report's keys, and which changes are noted in the steps.
 */
#ifndef READCACHE_INSPECT_REPORT_SLOTS_H
#define READCACHE_INSPECT_REPORT_SLOTS_H

#include "inspect/report_data.h"

/* Is a key trusted? */
struct report_slot {
	bool trusted;
	bool listed; /* see slots_sync */
	struct digest hash;
	uint32_t step; /* the latest that said so */
};

struct report_slots {
	struct report *report;
	const uint32_t *step_of;   /* by node */
	const struct map *file_of; /* path -> file */
	struct arena *arena;       /* for the report */
	struct arena *scratch;     /* for one branch */
	struct map *key_of;        /* bytes of file, scope and name -> key */
	uint32_t *first_key;       /* by file */
	uint32_t *next_key;        /* by key: the next one of the same file */
	struct report_slot *of;    /* by key */
	uint32_t trusted;          /* how many are */
};

/* ARENA is the report's; OWN is needed only during the walk. */
struct report_slots slots_new(struct report *report, const uint32_t *step_of,
    const struct map *file_of, struct arena *arena, struct arena *own);

/* Nothing is trusted any more. */
void slots_forget(struct report_slots *slots);

/* The index of the file PATH, or REPORT_NONE. */
uint32_t slots_file(const struct report_slots *slots, struct span path);

/* The key, or REPORT_NONE.  slots_make adds it if it is new. */
uint32_t slots_find(const struct report_slots *slots, uint32_t file,
    struct span name, struct scope scope);
uint32_t slots_make(struct report_slots *slots, uint32_t file,
    struct span name, struct scope scope);

/*
 * From NODE on KEY is trusted in version HASH, or not at all if HASH is NULL.
 * If that is a change, it is noted in STEP, which may be NULL.
 */
void slots_set(struct report_slots *slots, uint32_t key,
    const struct digest *hash, uint32_t node, struct report_step *step);

/* Set all keys to what TRUST says, from NODE on.  Changes are noted in STEP. */
void slots_sync(struct report_slots *slots, const struct trust *trust,
    uint32_t node, struct report_step *step);

#endif
