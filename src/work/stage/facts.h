/*
 * facts.h -- what a stage depends on and makes, as names with values.
 *
 * The key, the lock and the comparison of both use this one form: a list that
 * is sorted by kind and name.  Values are text: a content
 * (work/blob/content.h), a hash, or a parameter's JSON.
 *
 * Pure: no file is looked at.
 */
#ifndef READCACHE_WORK_STAGE_FACTS_H
#define READCACHE_WORK_STAGE_FACTS_H

#include "base/buf.h"
#include "base/digest.h"
#include "work/record/verdict.h"

/* In the order of their section names in the lock. */
enum fact_kind {
	FACT_CODE,	  /* path: content */
	FACT_COMMAND,	  /* "argv", "cwd", "stdin": hash */
	FACT_DEP,	  /* path: content */
	FACT_ENV,	  /* name: hash, or "unset" */
	FACT_FINGERPRINT, /* spec: hash */
	FACT_OUTPUT,	  /* path: content; the only kind not an input */
	FACT_OUT,	  /* path: "kept" or "not kept" */
	FACT_PARAM,	  /* name: JSON, maybe hidden (fact_hidden) */
	FACT_WORD,	  /* path: content; program, files in words */
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

/*
 * Add a fact; nothing is copied.  facts_sort drops all but one of equal names.
 */
void facts_add(struct arena *arena, struct facts *facts, enum fact_kind kind,
    struct span name, struct span value);

/*
 * What stands for the parameter JSON if its value must not be kept:
 * "sha256:<64 hex>", with the quotes.
 */
struct span fact_hidden(struct arena *arena, struct span json);

/* Sort FACTS by kind and name, each name once. */
void facts_sort(struct facts *facts);

/* The value of NAME, or NULL if there is none.  FACTS must be sorted. */
const struct span *facts_find(
    const struct facts *facts, enum fact_kind kind, struct span name);

/* The name of its section in the lock: "dep_hashes". */
const char *fact_section(enum fact_kind kind);

/*
 * The key of the inputs among FACTS, for the stage NAME of FLOW.  FACTS must
 * be sorted.
 */
struct digest facts_key(
    const struct facts *facts, struct span flow, struct span name);

/*
 * Add to VERDICT a reason for every input that differs, with the old and the
 * new value, except of variables and hidden parameters.  False if none differs.
 * Both lists must be sorted.
 */
bool facts_compare(struct arena *arena, const struct facts *old,
    const struct facts *now, struct verdict *verdict);

/*
 * Do the inputs differ?  If so, *WHICH is the first that does.  Both lists
 * must be sorted.
 */
bool facts_differ(
    const struct facts *old, const struct facts *now, struct span *which);

#endif
