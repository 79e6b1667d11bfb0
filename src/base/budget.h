/*
 * budget.h -- how much work something is worth.
 *
 * For walks that are short in every session that was not made up.  What they
 * may cost together grows with their input; where it is used up, the walk gives
 * the answer that promises least.  So the work is linear, whatever comes.
 */
#ifndef READCACHE_BASE_BUDGET_H
#define READCACHE_BASE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
	uint64_t left; /* steps */
};

/* STEPS are made now.  False: they cannot be afforded, and no others. */
static inline bool
budget_spend(struct budget *budget, uint64_t steps)
{
	if (budget->left < steps) {
		budget->left = 0;
		return false;
	}
	budget->left -= steps;
	return true;
}

#endif
