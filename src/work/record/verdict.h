/*
 * verdict.h -- reuse or work, and why, for memo, run and flow.
 *
 * Whoever decides fills a verdict, reason by reason.  It is printed here, as
 * text and as JSON, so that every command reports it in the same way.
 */
#ifndef READCACHE_WORK_RECORD_VERDICT_H
#define READCACHE_WORK_RECORD_VERDICT_H

#include <stdint.h>

#include "base/buf.h"

enum decision {
	DECISION_WORK,	/* it must be done (a miss) */
	DECISION_REUSE, /* the kept result is what it would give (a hit) */
	DECISION_REFUSE /* it may not be done at all: a gate said no */
};

/* How a reuse was found, the cheapest way first. */
enum tier {
	TIER_NONE,
	TIER_GENERATION, /* nothing it reads was seen to change */
	TIER_LOCK,	 /* the same hashes as in its lock */
	TIER_RUN_CACHE,	 /* an earlier run with the same inputs */
	TIER_RUN,	 /* the same run, or session of a flow file */
	TIER_CROSS_RUN	 /* another run with the same key */
};

enum reason {
	REASON_SAME,	     /* nothing changed */
	REASON_FIRST,	     /* no record of it */
	REASON_EXPIRED,	     /* the writer's ttl */
	REASON_TOO_OLD,	     /* the reader's ttl */
	REASON_FUTURE,	     /* made in the future: the clock went back */
	REASON_DAMAGED,	     /* the record is not as it was written */
	REASON_FORCED,	     /* --force, --no-cache, --rerun */
	REASON_SCOPE_OFF,    /* scope off */
	REASON_NO_RUN,	     /* scope run-only, but no run is named */
	REASON_NO_SESSION,   /* a saved workflow remembers nothing */
	REASON_TYPE,	     /* SUBJECT is a type that is never reused */
	REASON_UNRESOLVABLE, /* fingerprint SUBJECT; NOW says why */
	REASON_COMMAND,
	REASON_CODE,	    /* SUBJECT is the file */
	REASON_PARAM,	    /* SUBJECT is its name */
	REASON_DEP,	    /* SUBJECT is the path */
	REASON_OUT,	    /* an output that was changed */
	REASON_OUT_MISSING, /* an output that is gone */
	REASON_OUTS,	    /* other outputs are declared */
	REASON_ENV,	    /* SUBJECT is its name; no values are shown */
	REASON_FINGERPRINT, /* SUBJECT is its text */
	REASON_CONFIG,	    /* of a node, if nothing more exact is known */
	REASON_UPSTREAM,    /* SUBJECT is the node above */
	REASON_STRUCTURE,   /* nodes before it were added, removed or moved */
	REASON_BLOB,	    /* a kept output is missing or damaged */
	REASON_NOT_DONE,    /* it did not succeed last time */
	REASON_STORE	    /* the store failed; NOW says how */
};

struct verdict_reason {
	struct verdict_reason *next;
	enum reason reason;
	struct span subject;  /* empty if there is none */
	struct span old, now; /* p is NULL: unknown, or not to be shown */
};

struct verdict {
	enum decision decision;
	enum tier tier;
	bool aged; /* AGE_MS is known */
	uint64_t age_ms;
	struct verdict_reason *first, *last;
};

/* For a reason without an old or a new value. */
#define VERDICT_UNKNOWN ((struct span){NULL, 0})

/* Add a reason to VERDICT.  Its spans are not copied. */
void verdict_add(struct arena *arena, struct verdict *verdict,
    enum reason reason, struct span subject, struct span old, struct span now);

/* Add a reason that has no subject and no values. */
void verdict_because(
    struct arena *arena, struct verdict *verdict, enum reason reason);

/* A copy of VERDICT and all its reasons and texts in ARENA. */
struct verdict verdict_copy(
    struct arena *arena, const struct verdict *verdict);

/*
 * Make VERDICT a reuse, by TIER, of what was made at CREATED_MS (0: unknown).
 */
void verdict_reuse(
    struct verdict *verdict, enum tier tier, uint64_t created_ms);

/* Write "CACHED (cross-run · age 6m)", "CACHED", "RUN" or "REFUSED". */
void verdict_headline(struct buf *out, const struct verdict *verdict);

/* Write one reason as part of a sentence: "param lr: 0.1 -> 0.2". */
void verdict_reason_text(struct buf *out, const struct verdict_reason *reason);

/* Write all reasons, separated by ", "; "nothing changed" if there are none. */
void verdict_reasons_text(struct buf *out, const struct verdict *verdict);

/*
 * Write members of a JSON object; the caller writes the braces: "decision",
 * "tier", "age_ms", "reason" (the sentence) and
 * "reasons":[{"code","subject","old","new","text"}].
 */
void verdict_members(struct buf *out, const struct verdict *verdict);

/* "cross-run", "generation match", and so on; "" for TIER_NONE. */
const char *tier_name(enum tier tier);

#endif
