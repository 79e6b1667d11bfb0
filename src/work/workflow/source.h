/*
 * source.h -- which workflow is meant, and its text.
 *
 * What holds a slash or ends with ".json" is a file: it is being worked on,
 * and has a session that remembers its nodes' results.  Any other name is a
 * saved workflow, <project>/.pi/flows/<name>.json, which has none.
 */
#ifndef READCACHE_WORK_WORKFLOW_SOURCE_H
#define READCACHE_WORK_WORKFLOW_SOURCE_H

#include "base/arena.h"
#include "base/digest.h"

struct source {
	struct span shown; /* as it was asked for */
	bool saved;
	struct span path; /* without links; the session is known by it */
	struct span text;
	struct digest hash; /* of the text */
	struct span stages; /* the folder of its stages' locks */
};

/* May NAME be a saved workflow's? */
bool source_name_ok(struct span name);

/* Where the saved workflow NAME lies in the project ROOT. */
struct span source_saved_path(
    struct arena *arena, struct span root, struct span name);

/*
 * Load the workflow NAME for somebody in ROOT, which is absolute.  NULL, or a
 * sentence that says why there is none.
 */
const char *source_load(struct arena *arena, struct span root, struct span name,
    struct source *source);

#endif
