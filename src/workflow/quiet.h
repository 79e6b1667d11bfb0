/*
 * quiet.h -- a run in which nothing happens, seen at a glance.
 *
 * If all nodes of a workflow have files, and a run has found nothing to do
 * without reading any, it leaves a note beside its session: what the workflow
 * was, and what the file system said about every file the nodes read or make
 * and about their locks.  If all of that is the same at the next run, there is
 * nothing to do again; nothing else is looked at.
 *
 * An accelerator only: without the note, or if anything in it does not hold,
 * every stage is asked.  What the note says of files was taken before they
 * were judged, and only files that nobody had touched for a while are in it,
 * so a change after that is always seen.
 */
#ifndef READCACHE_WORKFLOW_QUIET_H
#define READCACHE_WORKFLOW_QUIET_H

#include "workflow/engine.h"

struct quiet_node {
	struct span id;
	uint64_t created_ms; /* 0: not known */
};

struct quiet {
	struct quiet_node *nodes; /* in the order of running */
	size_t n;
	struct span result; /* what the last node of the file has said */
};

/* Would a run of SOURCE with these inputs do nothing?  Nothing is changed. */
bool quiet_holds(struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, struct quiet *quiet);

struct quiet_survey;

/*
 * Before a run of BUNDLE: what the file system says.  NULL if this is no
 * workflow that can be seen through at a glance.
 */
struct quiet_survey *quiet_survey(struct work *work,
    const struct bundle *bundle, const struct given_input *given,
    size_t ngiven);

/* After the run: leave the note if nothing had to be done or even read. */
void quiet_leave(const struct quiet_survey *survey, struct flow_run *run);

#endif
