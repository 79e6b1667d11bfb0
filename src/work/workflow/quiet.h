/*
 * quiet.h -- nodes that have nothing to do, seen at a glance.
 *
 * If a run has found that a node with files has nothing to do, without reading
 * any, it notes beside its session what the file system said about every file
 * that the node reads or makes, about its lock and its program, and what the
 * workflow was.  If all of that is the same when the node's turn comes in a
 * later run, there is nothing to do again, and nothing else is looked at; if
 * it is the same for all nodes, not even the workflow is.  As long as a run has
 * done nothing itself, what it saw of a node when it began is good enough.
 *
 * An accelerator only: without the note, or if anything in it does not hold,
 * the stage is asked.  What the note says of files was taken before they were
 * judged, and only files that nobody had touched for a while are in it, so a
 * change after that is always seen.
 */
#ifndef READCACHE_WORK_WORKFLOW_QUIET_H
#define READCACHE_WORK_WORKFLOW_QUIET_H

#include "work/workflow/engine.h"
#include "work/workflow/quiet_text.h"

struct quiet {
	struct quiet_text note; /* its nodes are in the order of running */
	bool is_known;		/* there is a note, and it counts */
	size_t nsame;		/* so many nodes, the first, are as noted */
};

/* Would a run of SOURCE with these inputs do nothing?  Nothing is changed. */
bool quiet_holds(struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, struct quiet *quiet);

struct quiet_survey;

/* Before a run of BUNDLE; QUIET is what quiet_holds has found. */
struct quiet_survey *quiet_survey(struct work *work,
    const struct bundle *bundle, const struct given_input *given,
    size_t ngiven, const struct quiet *quiet);

/*
 * It is the turn of node I of RUN.  True: there is nothing to do, since
 * *CREATED_MS.  Else it is to be asked, and its files are noted before.
 */
bool quiet_passes(struct quiet_survey *survey, struct flow_run *run, size_t i,
    uint64_t *created_ms);

/* A node of the run does something now: what was seen before is of no use. */
void quiet_stirs(struct quiet_survey *survey);

/*
 * After the run: leave a note of what had nothing to do, if there is news.
 * Without a SURVEY nothing is known; if such a run has failed, there is
 * something to do, whatever an older note says.
 */
void quiet_leave(const struct quiet_survey *survey, struct flow_run *run);

#endif
