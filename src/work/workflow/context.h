/*
 * context.h -- files that an agent is given to read with its question.
 *
 * "context" of a node is a list of patterns (19.3); what they name now is read
 * before the agent is asked.  For the cache they are fingerprints ("glob!:"),
 * so an agent is asked again when one of them has changed.
 */
#ifndef READCACHE_WORK_WORKFLOW_CONTEXT_H
#define READCACHE_WORK_WORKFLOW_CONTEXT_H

#include "work/workflow/resolve.h"

/* "glob!:PATTERN". */
struct span context_fingerprint(struct arena *arena, struct span pattern);

/*
 * [{"path","text"},...] of the files that R->node names, each once; "base64"
 * instead of "text" if it is none.  False if one cannot be read: R->why.
 */
bool context_write(struct resolver *r, struct buf *out);

#endif
