/*
 * policy.h -- the rules by which a read may get a short answer.
 */
#ifndef READCACHE_REPLAY_POLICY_H
#define READCACHE_REPLAY_POLICY_H

enum policy {
	POLICY_STRICT,  /* exact scopes: SPEC 6 to 8 */
	POLICY_COVERAGE /* also lines shown in any range: SPEC 16 */
};

/* Under coverage: which of equal markers in a row is sent as text. */
enum { REPEAT_DEFAULT = 3 };

#endif
