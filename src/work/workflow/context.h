/*
 * context.h -- files that an agent gets with its question.
 *
 * "context" of a node is a list of patterns (19.3).  The files that match are
 * read when the agent is asked.  For the cache they are fingerprints
 * ("glob!:"), so an agent is asked again when one of them has changed.
 */
#ifndef READCACHE_WORK_WORKFLOW_CONTEXT_H
#define READCACHE_WORK_WORKFLOW_CONTEXT_H

#include "work/workflow/resolve.h"

/* The fingerprint "glob!:PATTERN". */
struct span context_fingerprint(struct arena *arena, struct span pattern);

/*
 * Write [{"path","text"},...] for the files of R->node's context, each once.
 * "base64" replaces "text" if it is not UTF-8.  False if a file cannot be
 * read: R->why says so.
 */
bool context_write(struct resolver *r, struct buf *out);

#endif
