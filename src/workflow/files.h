/*
 * files.h -- the files of a node, as a stage has them.
 */
#ifndef READCACHE_WORKFLOW_FILES_H
#define READCACHE_WORKFLOW_FILES_H

#include "stage/stage.h"
#include "workflow/workflow.h"

/* A stage with NODE's deps, code and outputs, and nothing else yet. */
struct stage files_of(struct arena *arena, const struct node *node);

#endif
