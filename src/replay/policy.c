#include "replay/policy.h"

static const char *const names[POLICY_COUNT] = {
	[POLICY_STRICT] = "strict",
	[POLICY_COVERAGE] = "coverage",
	[POLICY_PIECES] = "pieces",
};

const char *
policy_name(enum policy policy)
{
	return names[policy];
}

bool
policy_parse(struct span name, enum policy *policy)
{
	for (int p = 0; p < POLICY_COUNT; p++) {
		if (!span_eq(name, span_str(names[p])))
			continue;
		*policy = (enum policy)p;
		return true;
	}
	return false;
}
