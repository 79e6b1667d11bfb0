/*
 * budget.h -- a limit on the steps of a walk.
 *
 * Some walks are short in every real session, but somebody could make up a
 * session in which they are long.  Such walks share a budget that grows with
 * the size of the input.  When it is used up, a walk gives the answer that
 * promises least.  So the work stays linear for every input.
 */
#ifndef READCACHE_BASE_BUDGET_H
#define READCACHE_BASE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
	uint64_t left; /* steps */
};

/*
 * Pay for STEPS steps before they are made.  False: the budget is too small for
 * them, and from now on for anything.
 */
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
