/*
 * policy.h -- by which rule a read may be answered shortly.
 */
#ifndef READCACHE_REPLAY_POLICY_H
#define READCACHE_REPLAY_POLICY_H

enum policy {
	POLICY_STRICT,  /* exact scopes: SPEC 6 to 8 */
	POLICY_COVERAGE /* also lines shown in any ranges: SPEC 16 */
};

/* Which identical marker in a row is the text, under coverage. */
enum { REPEAT_DEFAULT = 3 };

#endif
