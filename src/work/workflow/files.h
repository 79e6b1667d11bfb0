/*
 * files.h -- the files of a node, in the form of a stage.
 */
#ifndef READCACHE_WORK_WORKFLOW_FILES_H
#define READCACHE_WORK_WORKFLOW_FILES_H

#include "work/stage/stage.h"
#include "work/workflow/workflow.h"

/* A stage with NODE's deps, code and outputs; nothing else is set. */
struct stage files_of(struct arena *arena, const struct node *node);

#endif
