#include "session/index.h"

#include "base/buf.h"
#include "base/slurp.h"

/* A node whose parent was not known when the node was read. */
struct orphan {
	struct orphan *next;
	uint32_t node;
	struct span parent;
};

#define SHORT_LINE 128 /* entries are longer */

static struct span
copy(struct arena *arena, struct span text)
{
	return (struct span){arena_cstr(arena, text), text.n};
}

static struct index_node *
add_node(struct index *index)
{
	if (index->n == index->room) {
		uint32_t room = index->room > 0 ? index->room * 2 : 1024;
		struct index_node *nodes = arena_alloc(index->arena,
		    (size_t)room * sizeof(*nodes));

		if (index->n > 0)
			memcpy(nodes, index->nodes,
			    (size_t)index->n * sizeof(*nodes));
		index->nodes = nodes;
		index->room = room;
	}
	return &index->nodes[index->n++];
}

/* An entry without an id: its parent is the one before it. */
static void
link_linear(struct index *index, struct index_node *node)
{
	struct buf id = buf_new(index->arena, 16);

	buf_char(&id, '#');
	buf_u64(&id, node->line);
	node->id = buf_span(&id);
	node->parent = index->n > 1 ? index->n - 2 : NODE_NONE;
}

/* A parent comes before its children.  If it does not, it is not followed. */
static void
link_tree(struct index *index, struct index_node *node, struct span parent)
{
	const uint64_t *found = map_find(index->by_id, parent);
	struct orphan *orphan;

	node->parent = NODE_NONE;
	node->orphan = parent.n > 0;
	if (parent.n == 0)
		return;
	if (found != NULL && *found != INDEX_TWICE) {
		node->parent = (uint32_t)*found;
		node->orphan = false;
		return;
	}
	orphan = arena_alloc(index->arena, sizeof(*orphan));
	*orphan = (struct orphan){index->orphans, index->n - 1,
	    copy(index->arena, parent)};
	index->orphans = orphan;
}

/* Which nodes' parents came after them? */
void
index_finish(struct index *index)
{
	for (const struct orphan *o = index->orphans; o != NULL; o = o->next) {
		const uint64_t *found = map_find(index->by_id, o->parent);

		index->nodes[o->node].late =
		    found != NULL && *found != INDEX_TWICE;
	}
}

/* Note in a node and its parent what each needs of the other. */
static void
pass_on(const struct index *index, struct index_node *parent,
    struct index_node *child)
{
	parent->has_child = true;
	child->asker = parent->kind == NODE_ASSISTANT
	    ? (uint32_t)(parent - index->nodes)
	    : parent->asker;
}

/* Let others find the last node, and its parent know it. */
static void
enter(struct index *index, struct index_node *node)
{
	node->asker = NODE_NONE;
	if (node->parent != NODE_NONE)
		pass_on(index, &index->nodes[node->parent], node);
	if (*map_at(index->by_id, node->id, index->n - 1) != index->n - 1)
		*map_at(index->by_id, node->id, 0) = INDEX_TWICE;
}

void
index_add(struct index *index, struct index_node node, struct span id,
    struct span parent)
{
	struct index_node *added = add_node(index);

	*added = node;
	added->id = copy(index->arena, id);
	link_tree(index, added, parent);
	enter(index, added);
}

void
index_add_linear(struct index *index, struct index_node node)
{
	struct index_node *added = add_node(index);

	*added = node;
	link_linear(index, added);
	enter(index, added);
}

/*
 * Make room for all entries at once, because an arena does not take back memory
 * that was outgrown.  A file of many short lines is not a session; it gets more
 * room as it goes.
 */
void
index_make_room(struct index *index)
{
	uint64_t lines = reader_count(index->arena, index->fd);

	if (lines > index->bytes / SHORT_LINE)
		lines = index->bytes / SHORT_LINE;
	index->room = (uint32_t)lines + 1;
	index->nodes = arena_alloc(index->arena,
	    (size_t)index->room * sizeof(*index->nodes));
	index->by_id = map_new(index->arena, index->room);
}

uint32_t
index_find(const struct index *index, struct span id)
{
	const uint64_t *found = map_find(index->by_id, id);

	return found == NULL || *found == INDEX_TWICE ? NODE_NONE
						      : (uint32_t)*found;
}

bool
node_is_boundary(enum node_kind kind)
{
	return kind == NODE_COMPACTION;
}

uint32_t
index_last(const struct index *index)
{
	return index->n > 0 ? index->n - 1 : NODE_NONE;
}

struct span
index_line(const struct index *index, uint32_t node, struct arena *arena)
{
	const struct index_node *at = &index->nodes[node];
	char *p = arena_alloc(arena, at->size);

	if (!slurp_at(index->fd, p, at->size, at->offset))
		return SPAN("");
	return (struct span){p, at->size};
}

/* May the way go through NODE? (T8) */
static bool
is_sound(const struct index *index, uint32_t node)
{
	return !index->nodes[node].unreadable &&
	    index_find(index, index->nodes[node].id) == node;
}

static void
turn_round(uint32_t *nodes, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		uint32_t other = nodes[n - 1 - i];

		nodes[n - 1 - i] = nodes[i];
		nodes[i] = other;
	}
}

bool
index_path(const struct index *index, uint32_t leaf, struct arena *arena,
    struct index_path *path)
{
	uint32_t n = 0;

	*path = (struct index_path){.compaction = NODE_NONE};
	if (leaf >= index->n || !is_sound(index, leaf))
		return false;
	/* A parent comes before its children, so this ends. */
	for (uint32_t at = leaf; at != NODE_NONE && is_sound(index, at);
	     at = index->nodes[at].parent)
		n++;
	path->nodes = arena_alloc(arena, (size_t)n * sizeof(*path->nodes));
	for (uint32_t at = leaf; path->n < n; at = index->nodes[at].parent)
		path->nodes[path->n++] = at;
	turn_round(path->nodes, n);
	if (index->nodes[path->nodes[0]].late)
		return false;
	path->broken = index->nodes[path->nodes[0]].orphan ||
	    index->nodes[path->nodes[0]].parent != NODE_NONE;
	for (uint32_t i = 0; i < n; i++) {
		if (!node_is_boundary(index->nodes[path->nodes[i]].kind))
			continue;
		path->compaction = path->nodes[i];
		path->start = i + 1;
	}
	return true;
}
