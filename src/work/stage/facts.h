/*
 * facts.h -- what a stage depends on and gives, as names with values.
 *
 * One form for the key, for the lock and for the comparison of the two: a
 * list that is sorted by kind and name.  Values are text: a content
 * (work/blob/content.h), a hash, a parameter's JSON.
 *
 * Pure: no file is looked at.
 */
#ifndef READCACHE_WORK_STAGE_FACTS_H
#define READCACHE_WORK_STAGE_FACTS_H

#include "base/buf.h"
#include "base/digest.h"
#include "work/record/verdict.h"

/* In the order of their names in the lock. */
enum fact_kind {
	FACT_CODE,	  /* path: content */
	FACT_COMMAND,	  /* "argv", "cwd", "stdin": hash */
	FACT_DEP,	  /* path: content */
	FACT_ENV,	  /* name: hash, or "unset" */
	FACT_FINGERPRINT, /* spec: hash */
	FACT_OUTPUT,	  /* path: content; the only kind that is no input */
	FACT_OUT,	  /* path: "kept" or "not kept" */
	FACT_PARAM,	  /* name: JSON */
	FACT_WORD,	  /* path: content; the program, files words name */
	FACT_KINDS
};

struct fact {
	enum fact_kind kind;
	struct span name, value;
};

struct facts {
	struct fact *list;
	size_t n, room;
};

/* Nothing is copied.  A name that is there already keeps its first value. */
void facts_add(struct arena *arena, struct facts *facts, enum fact_kind kind,
    struct span name, struct span value);

/* Bring them into their order, each name once. */
void facts_sort(struct facts *facts);

/* The value of NAME, or NULL.  FACTS must be sorted. */
const struct span *facts_find(
    const struct facts *facts, enum fact_kind kind, struct span name);

/* How its section is called in the lock: "dep_hashes". */
const char *fact_section(enum fact_kind kind);

/* The key of the inputs among FACTS, which are sorted, of stage FLOW, NAME. */
struct digest facts_key(
    const struct facts *facts, struct span flow, struct span name);

/*
 * Add to VERDICT a reason for every input that differs, with the old and the
 * new value.  False if none does.  Both must be sorted.
 */
bool facts_compare(struct arena *arena, const struct facts *old,
    const struct facts *now, struct verdict *verdict);

/* Do the inputs differ?  Then *WHICH is the first that does. */
bool facts_differ(
    const struct facts *old, const struct facts *now, struct span *which);

#endif
