/*
 * agent.h -- the key of an agent's response.
 *
 * sha256 over four fields, each followed by a NUL:
 *	agent NUL system NUL user NUL model NUL
 * where user is all turns of the conversation, joined by the byte 0x01.
 * Other programs make the same key from the same fields.
 */
#ifndef READCACHE_WORK_KEY_AGENT_H
#define READCACHE_WORK_KEY_AGENT_H

#include "base/digest.h"

struct agent_call {
	struct span agent, system, model;
	const struct span *turns; /* as they were sent, in order */
	size_t nturns;		  /* 0 is the same as one empty turn */
};

/*
 * NULL and *KEY.  Or a sentence that says why there is no key: a field holds
 * NUL, or a turn holds 0x01, so that two different calls could get the same
 * key.
 */
const char *agent_key(const struct agent_call *call, struct digest *key);

#endif
