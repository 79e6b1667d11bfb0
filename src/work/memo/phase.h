/*
 * phase.h -- a host's question about one phase of its work, as JSON.
 *
 *	{"flow":"review", "phase":"analyze", "type":"agent", "runId":"r1",
 *	 "model":"...", "input":"the prompt as it is sent", "cwd":"/project",
 *	 "cache":{"scope":"cross-run","ttl":"6h","fingerprint":["git:HEAD"]}}
 *
 * "input" may be any JSON.  So may "system", "agent", "tools", "thinking",
 * "structure" and "with", for everything else the result depends on.
 * "noCache", "explain" and the ttl say how to look, and are not part of the
 * key.  The fingerprints are, and with the scope run-only so is the runId.  To
 * keep a result, the same object has "status":"done" and "output", and it may
 * have "json" and the "key" that the lookup gave.
 *
 * Pure: no file is looked at.
 */
#ifndef READCACHE_WORK_MEMO_PHASE_H
#define READCACHE_WORK_MEMO_PHASE_H

#include <stdint.h>

#include "base/arena.h"

enum phase_scope { SCOPE_RUN_ONLY, SCOPE_CROSS_RUN, SCOPE_OFF };

/* The parts that a result depends on, besides the names: canonical JSON. */
enum phase_part {
	PART_INPUT,
	PART_SYSTEM,
	PART_AGENT,
	PART_TOOLS,
	PART_THINKING,
	PART_STRUCTURE,
	PART_WITH,
	PARTS
};

/* The request.  Texts and JSON that are absent have p == NULL. */
struct phase {
	struct span op; /* "lookup" or "record", where both are accepted */
	struct span flow, phase, type, model, run_id;
	struct span cwd; /* absolute */
	struct span parts[PARTS];
	enum phase_scope scope;
	uint64_t ttl_ms; /* 0: any age */
	struct span *fingerprints;
	size_t nfingerprints;
	bool effects;  /* it does something that cannot be undone */
	bool no_cache; /* do not reuse, but keep */
	bool explain;
	struct span status, output, json, key; /* of a result */
};

/*
 * Read REQUEST.  CWD is used if it names no directory.  NULL if it is valid,
 * else a sentence that names the phase and says what is wrong.
 */
const char *phase_read(struct arena *arena, struct span request,
    struct span cwd, struct phase *phase);

/* Is the type one whose results are never reused from another run? */
bool phase_is_blocked(const struct phase *phase);

/* The member of a request that has PART: "input", "system", ... */
const char *phase_part_name(enum phase_part part);

#endif
