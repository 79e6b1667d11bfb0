/*
 * verdict.h -- reuse or work, and why: what memo, run and flow all tell.
 *
 * A verdict is filled by those who decide, reason by reason, and printed here,
 * as text and as JSON, so that every command says the same thing the same
 * way.
 */
#ifndef READCACHE_WORK_RECORD_VERDICT_H
#define READCACHE_WORK_RECORD_VERDICT_H

#include <stdint.h>

#include "base/buf.h"

enum decision {
	DECISION_WORK,	/* it has to be done (a miss) */
	DECISION_REUSE, /* what is kept is what it would give (a hit) */
	DECISION_REFUSE /* it may not be done at all: a gate said no */
};

/* How a reuse was found; the cheapest first. */
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
	REASON_DAMAGED,	     /* the record is not what was written */
	REASON_FORCED,	     /* --force, --no-cache, --rerun */
	REASON_SCOPE_OFF,    /* scope off */
	REASON_NO_RUN,	     /* scope run-only, and no run is named */
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
	REASON_ENV,	    /* SUBJECT is its name; values are not shown */
	REASON_FINGERPRINT, /* SUBJECT is its text */
	REASON_CONFIG,	    /* of a node, when nothing better is known */
	REASON_UPSTREAM,    /* SUBJECT is the node above */
	REASON_STRUCTURE,   /* nodes were added, removed or moved before it */
	REASON_BLOB,	    /* a kept output is missing or damaged */
	REASON_NOT_DONE,    /* the last time it did not succeed */
	REASON_STORE	    /* the store failed; NOW says how */
};

struct verdict_reason {
	struct verdict_reason *next;
	enum reason reason;
	struct span subject;  /* empty: there is none */
	struct span old, now; /* p is NULL: not known, not shown */
};

struct verdict {
	enum decision decision;
	enum tier tier;
	bool aged; /* AGE_MS is known */
	uint64_t age_ms;
	struct verdict_reason *first, *last;
};

/* No old and new value to show. */
#define VERDICT_UNKNOWN ((struct span){NULL, 0})

/* Add a reason; its spans are not copied. */
void verdict_add(struct arena *arena, struct verdict *verdict,
    enum reason reason, struct span subject, struct span old, struct span now);

/* The same for a reason that needs no more words. */
void verdict_because(
    struct arena *arena, struct verdict *verdict, enum reason reason);

/* The same verdict with all its reasons, in ARENA. */
struct verdict verdict_copy(
    struct arena *arena, const struct verdict *verdict);

/* Reuse, by TIER, of what was made at CREATED (0: nobody knows when). */
void verdict_reuse(
    struct verdict *verdict, enum tier tier, uint64_t created_ms);

/* "CACHED (cross-run · age 6m)", "CACHED", "RUN", "REFUSED". */
void verdict_headline(struct buf *out, const struct verdict *verdict);

/* One reason as a sentence part: "param lr: 0.1 -> 0.2". */
void verdict_reason_text(struct buf *out, const struct verdict_reason *reason);

/* All of them, parted by ", "; "nothing changed" if there is none. */
void verdict_reasons_text(struct buf *out, const struct verdict *verdict);

/*
 * The members of a JSON object (the caller writes the braces):
 * "decision", "tier", "age_ms", "reason" (the sentence) and
 * "reasons":[{"code","subject","old","new","text"}].
 */
void verdict_members(struct buf *out, const struct verdict *verdict);

/* "cross-run", "generation match", and so on; "" for TIER_NONE. */
const char *tier_name(enum tier tier);

#endif
