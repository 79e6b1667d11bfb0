/*
 * strings.h -- visit every string inside of a node's JSON.
 */
#ifndef READCACHE_WORK_WORKFLOW_STRINGS_H
#define READCACHE_WORK_WORKFLOW_STRINGS_H

#include "work/workflow/template.h"
#include "work/workflow/workflow.h"

/* Called with each decoded string, but not with names of members. */
typedef void strings_visit(void *context, struct span text);

/* Visit all strings of VALUE, a valid JSON text. */
void strings_each(struct arena *arena, struct span value, strings_visit *visit,
    void *context);

/*
 * Writes the JSON value that replaces the string TEXT.  False ends the whole
 * replacement.
 */
typedef bool strings_map(void *context, struct span text, struct buf *out);

/* Write VALUE with its strings replaced.  False if MAP was false. */
bool strings_replace(struct arena *arena, struct span value, strings_map *map,
    void *context, struct buf *out);

/* All references in what NODE runs or passes on. */
struct references {
	struct template_piece *at;
	size_t n, room;
	struct arena *arena;
};
struct references references_of(struct arena *arena, const struct node *node);

#endif
