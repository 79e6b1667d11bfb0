/*
 * bundle.h -- a workflow with all its inner workflows, checked.
 */
#ifndef READCACHE_WORK_WORKFLOW_BUNDLE_H
#define READCACHE_WORK_WORKFLOW_BUNDLE_H

#include "work/stage/work.h"
#include "work/workflow/check.h"
#include "work/workflow/source.h"

struct bundle {
	struct source source;
	struct workflow workflow;
	struct graph graph;
	struct bundle **inner; /* for each node; NULL unless it is a flow */
};

/*
 * Load the workflow NAME and those it runs, with paths relative to the root of
 * WORK.  NULL if anything is wrong; FAULTS then has it.  If the file itself
 * cannot be read, *WHY is a sentence about that instead.
 */
struct bundle *bundle_load(const struct work *work, struct span name,
    struct flow_faults *faults, const char **why);

/*
 * Must the nodes inside of BUNDLE be looked at in every run, because one of
 * them decides, reads files or is never reused?
 */
bool bundle_must_enter(const struct bundle *bundle);

#endif
