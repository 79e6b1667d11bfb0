/*
 * source.h -- find a workflow by name, and read its text.
 *
 * A name that has a slash or ends with ".json" is a file: somebody is working
 * on it, and it has a session that remembers its nodes' results.  Any other
 * name is a saved workflow, <project>/.pi/flows/<name>.json, which has no
 * session.
 */
#ifndef READCACHE_WORK_WORKFLOW_SOURCE_H
#define READCACHE_WORK_WORKFLOW_SOURCE_H

#include "base/arena.h"
#include "base/digest.h"

struct source {
	struct span shown; /* the name as it was given */
	bool saved;
	struct span path; /* without links; identifies the session */
	struct span text;
	struct digest hash; /* of the text */
	struct span stages; /* directory of its stages' locks */
};

/* Can NAME be that of a saved workflow? */
bool source_name_ok(struct span name);

/* The path of the saved workflow NAME in the project ROOT. */
struct span source_saved_path(
    struct arena *arena, struct span root, struct span name);

/*
 * Load the workflow NAME in ROOT, which is absolute.  NULL, or a sentence that
 * says why it cannot be read.
 */
const char *source_load(struct arena *arena, struct span root, struct span name,
    struct source *source);

#endif
