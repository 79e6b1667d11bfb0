/*
 * policy.h -- the rules by which a read may get a short answer.
 */
#ifndef READCACHE_REPLAY_POLICY_H
#define READCACHE_REPLAY_POLICY_H

#include <stdbool.h>

#include "base/span.h"

enum policy { /* from the strictest on */
	POLICY_STRICT,   /* exact scopes: SPEC 6 to 8 */
	POLICY_COVERAGE, /* also lines shown in any range: SPEC 16 */
	POLICY_PIECES,   /* also lines that moved, and own edits: SPEC 16 */
	POLICY_COUNT
};

/* The name of POLICY in settings, requests and options. */
const char *policy_name(enum policy policy);

/* Read a name.  False if there is no such policy. */
bool policy_parse(struct span name, enum policy *policy);

/* Under coverage: which of equal markers in a row is sent as text. */
enum { REPEAT_DEFAULT = 3 };

#endif
