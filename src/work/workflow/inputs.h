/*
 * inputs.h -- the values of a workflow's inputs.
 */
#ifndef READCACHE_WORK_WORKFLOW_INPUTS_H
#define READCACHE_WORK_WORKFLOW_INPUTS_H

#include "base/map.h"
#include "work/workflow/workflow.h"

struct inputs {
	const struct workflow *workflow;
	struct map *names;   /* name -> index among the declared inputs */
	struct span *values; /* of each declared input */
};

/* An input that was given: "name=value". */
struct given_input {
	struct span name, value;
};

/*
 * Set *INPUTS to what was given, or the defaults.  NULL, or a sentence if an
 * input is not declared, is given twice, or is missing.
 */
const char *inputs_set(struct arena *arena, const struct workflow *workflow,
    const struct given_input *given, size_t n, struct inputs *inputs);

/* The index of the input NAME, or their number if there is none. */
size_t inputs_find(const struct inputs *inputs, struct span name);

/* The value of the input NAME; false if there is none. */
bool inputs_get(
    const struct inputs *inputs, struct span name, struct span *value);

#endif
