/*
 * quiet.h -- see quickly that nodes have nothing to do.
 *
 * If a run found that a node with files has nothing to do, without reading any
 * file, it leaves a note beside the session.  The note says what the file
 * system said about every file that the node reads or makes, its lock and its
 * program (with what runs it, if it is a script), and what the workflow was.
 * If all of that is the same at the node's turn in a later run, there is again
 * nothing to do, and nothing else is looked at.  If it is the same for all
 * nodes, the workflow is not even parsed.  As long as a run has done nothing
 * itself, what it saw of a node when it began is good enough.
 *
 * This only saves time.  Without a note, or if anything in it does not hold,
 * the stage is asked.  The file facts in a note were taken before the files
 * were judged, and only files that nobody had touched for a while are in it.
 * So any later change is seen.
 */
#ifndef READCACHE_WORK_WORKFLOW_QUIET_H
#define READCACHE_WORK_WORKFLOW_QUIET_H

#include "work/workflow/engine.h"
#include "work/workflow/quiet_text.h"

struct quiet {
	struct quiet_text note; /* its nodes are in running order */
	bool is_known;		/* there is a note, and it can be used */
	size_t nsame;		/* how many nodes from the first are as noted */
};

/*
 * Would a run of SOURCE with these inputs do nothing?  Nothing is changed.
 * QUIET keeps what was found.
 */
bool quiet_holds(struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, struct quiet *quiet);

struct quiet_survey;

/* Prepare a run of BUNDLE; QUIET is what quiet_holds found. */
struct quiet_survey *quiet_survey(struct work *work,
    const struct bundle *bundle, const struct given_input *given,
    size_t ngiven, const struct quiet *quiet);

/*
 * It is the turn of node I of RUN.  True if there is nothing to do; its result
 * is from *CREATED_MS.  Else it must be asked, and its files are noted first.
 */
bool quiet_passes(struct quiet_survey *survey, struct flow_run *run, size_t i,
    uint64_t *created_ms);

/*
 * A node of the run does something now, or has done it: what was seen before is
 * not used any more.
 */
void quiet_stirs(struct quiet_survey *survey);

/*
 * After the run: write a note about the nodes that had nothing to do, if it
 * says something new.  Without a SURVEY nothing is known; if such a run
 * failed, an older note is dropped, because there is something to do.
 */
void quiet_leave(const struct quiet_survey *survey, struct flow_run *run);

#endif
