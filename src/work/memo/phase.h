/*
 * phase.h -- a host's question about one phase of its work, as JSON.
 *
 *	{"flow":"review", "phase":"analyze", "type":"agent", "runId":"r1",
 *	 "model":"...", "input":"the prompt as it is sent", "cwd":"/project",
 *	 "cache":{"scope":"cross-run","ttl":"6h","fingerprint":["git:HEAD"]}}
 *
 * "input" may be any JSON; so may be "system", "agent", "tools", "thinking",
 * "structure" and "with", for whatever else the result depends on.  "cache",
 * "noCache" and "explain" say how to look, and are no part of the key.  To
 * keep a result the same object has "status":"done", "output", and if it is
 * wanted "json" and the "key" that the lookup gave.
 *
 * Pure: no file is looked at.
 */
#ifndef READCACHE_WORK_MEMO_PHASE_H
#define READCACHE_WORK_MEMO_PHASE_H

#include <stdint.h>

#include "base/arena.h"

enum phase_scope { SCOPE_RUN_ONLY, SCOPE_CROSS_RUN, SCOPE_OFF };

/* What a result depends on, besides the names: canonical JSON. */
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

/* Texts and JSON that are not there have p == NULL. */
struct phase {
	struct span op; /* "lookup" or "record", where both are taken */
	struct span flow, phase, type, model, run_id;
	struct span cwd; /* absolute */
	struct span parts[PARTS];
	enum phase_scope scope;
	uint64_t ttl_ms; /* 0: any age */
	struct span *fingerprints;
	size_t nfingerprints;
	bool effects;  /* it does what cannot be undone */
	bool no_cache; /* do not look, but keep */
	bool explain;
	struct span status, output, json, key; /* to be kept */
};

/*
 * Read REQUEST; CWD is for one that names none.  NULL; or a sentence that
 * says what is wrong with it and names the phase.
 */
const char *phase_read(struct arena *arena, struct span request,
    struct span cwd, struct phase *phase);

/* Results of this type are never taken from another run. */
bool phase_is_blocked(const struct phase *phase);

const char *phase_part_name(enum phase_part part);

#endif
