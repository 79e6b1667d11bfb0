/*
 * strings.h -- every string inside of a node's JSON, wherever it stands.
 */
#ifndef READCACHE_WORK_WORKFLOW_STRINGS_H
#define READCACHE_WORK_WORKFLOW_STRINGS_H

#include "work/workflow/template.h"
#include "work/workflow/workflow.h"

/* Called with each string (not with names of members), decoded. */
typedef void strings_visit(void *context, struct span text);

/* Go through VALUE, a judged JSON text. */
void strings_each(struct arena *arena, struct span value, strings_visit *visit,
    void *context);

/*
 * What becomes of a string: MAP writes the JSON value that takes its place.
 * False gives all of it up.
 */
typedef bool strings_map(void *context, struct span text, struct buf *out);

/* VALUE with its strings replaced. */
bool strings_replace(struct arena *arena, struct span value, strings_map *map,
    void *context, struct buf *out);

/* The references in everything that NODE runs or hands over. */
struct references {
	struct template_piece *at;
	size_t n, room;
	struct arena *arena;
};
struct references references_of(struct arena *arena, const struct node *node);

#endif
