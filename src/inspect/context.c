#include "inspect/context.h"

/* What entering a node changed, to be undone when it is left. */
struct frame {
	uint32_t next_child;
	uint32_t kept_from, barrier, lost;
	struct context_subject *subject; /* that got a sight, or NULL */
	uint32_t edited;         /* a node, or NODE_NONE */
	enum edit before;        /* its edit before that */
};

struct context_walk {
	const struct index *index;
	struct span home;
	struct arena *arena;
	struct arena *scratch;
	uint32_t *first_child, *next_sibling;
	uint32_t next_root;
	uint32_t *position; /* by node: its position on the path */
	uint8_t *edits;     /* by node: enum edit */
	struct frame *frames;
	uint32_t kept_from; /* what is before this position was not kept */
	uint32_t barrier;   /* what is before cannot be known */
	uint32_t lost;      /* what is before may have been removed */
	uint32_t epochs;
	struct map *by_name;
};

static bool
on_path(const struct context *c, uint32_t node)
{
	uint32_t at = c->walk->position[node];

	return at < c->path.n && c->path.nodes[at] == node;
}

enum sight_state
context_state(const struct context *c, const struct sight *sight)
{
	const struct context_walk *w = c->walk;

	if (sight->at < w->barrier)
		return SIGHT_UNREADABLE;
	if (sight->at < w->kept_from)
		return SIGHT_COMPACTED;
	if (sight->at < w->lost)
		return SIGHT_LOST;
	if (sight->asked_at != NODE_NONE) {
		uint32_t asker = c->path.nodes[sight->asked_at];

		if (w->edits[asker] != EDIT_NONE ||
		    c->records->of[asker].asking->dropped)
			return SIGHT_CALL_GONE;
		if (sight->asked_at < w->kept_from)
			return SIGHT_COMPACTED;
	}
	if (sight->change)
		return SIGHT_SEEN;
	switch ((enum edit)w->edits[context_node(c, sight)]) {
	case EDIT_OMITTED:
		return SIGHT_OMITTED;
	case EDIT_REPLACED:
		return SIGHT_REPLACED;
	case EDIT_NONE:
		break;
	}
	return SIGHT_SEEN;
}

uint32_t
subject_before(const struct context_subject *subject, uint32_t n, uint32_t at)
{
	uint32_t low = 0;

	while (low < n) {
		uint32_t middle = low + (n - low) / 2;

		if (subject->sights[middle].at < at)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* ---- what changes ---- */

static void
change_all(struct context *c)
{
	c->epoch = ++c->walk->epochs;
}

/* The sights of SUBJECT from position AT on have changed. */
static void
change_from(struct context_subject *subject, uint32_t at)
{
	uint32_t n = subject_before(subject, subject->n, at);

	if (n < subject->least)
		subject->least = n;
}

/* NODE, which is on the path, was edited: note what that changes. */
static void
change_edited(struct context *c, uint32_t node)
{
	uint32_t at = c->walk->position[node];
	struct context_subject *subject = c->walk->frames[at].subject;
	const struct record_asking *asking = NULL;

	if (c->walk->index->nodes[node].kind == NODE_ASSISTANT)
		asking = c->records->of[node].asking;
	if (asking != NULL && asking->calls != NULL)
		change_all(c);
	else if (subject != NULL)
		change_from(subject, at);
}

/* ---- into a node, and out of it ---- */

static struct context_subject *
find_subject(struct context_walk *w, struct span name)
{
	const uint64_t *found = map_find(w->by_name, name);
	struct context_subject *subject;

	if (found != NULL)
		return (struct context_subject *)(uintptr_t)*found;
	subject = arena_array(w->arena, 1, sizeof(*subject));
	subject->name = (struct span){arena_cstr(w->arena, name), name.n};
	*map_at(w->by_name, subject->name, 0) = (uintptr_t)subject;
	return subject;
}

static void
add_sight(struct context_walk *w, struct context_subject *subject,
    const struct sight *sight)
{
	if (subject->n == subject->room) {
		uint32_t room = subject->room > 0 ? subject->room * 2 : 4;
		struct sight *sights = arena_array(w->arena, room,
		    sizeof(*sights));

		if (subject->n > 0)
			memcpy(sights, subject->sights,
			    subject->n * sizeof(*sights));
		subject->sights = sights;
		subject->room = room;
	}
	subject->sights[subject->n++] = *sight;
}

/* Enter the read result at AT.  False if the file has changed meanwhile. */
static bool
enter_result(struct context *c, uint32_t at)
{
	struct record_read read = records_read(c->records, &c->path, 0, at);
	struct context_walk *w = c->walk;

	if (read.result == NULL)
		return false;
	arena_reset(w->scratch);
	c->subject = NULL;
	c->sight = (struct sight){
	    .at = at,
	    .asked_at = read.asked_by != NODE_NONE
		? w->position[read.asked_by]
		: NODE_NONE,
	    .result = read.result,
	    .asked = asked_of(read.result, read.call, w->index->cwd, w->home,
		w->scratch),
	};
	if (c->sight.asked.name.n == 0)
		return true;
	c->subject = find_subject(w, c->sight.asked.name);
	c->sight.asked.name = c->subject->name;
	add_sight(w, c->subject, &c->sight);
	w->frames[at].subject = c->subject;
	return true;
}

/* Enter the result of an edit or a write at AT. */
static void
enter_change(struct context *c, uint32_t at)
{
	struct record_read edit = records_read(c->records, &c->path, 0, at);
	struct context_walk *w = c->walk;
	struct context_subject *subject;
	struct sight sight = {
	    .at = at, .result = edit.result, .change = true};

	if (edit.result == NULL || edit.asked_by == NODE_NONE)
		return;
	arena_reset(w->scratch);
	sight.asked_at = w->position[edit.asked_by];
	sight.asked.name = asked_change(
	    edit.call, w->index, w->home, w->scratch, &sight.sure);
	if (sight.asked.name.n == 0)
		return;
	subject = find_subject(w, sight.asked.name);
	sight.asked.name = subject->name;
	add_sight(w, subject, &sight);
	w->frames[at].subject = subject;
}

static void
enter_compaction(struct context *c, uint32_t at)
{
	const struct span *kept = c->records->of[c->path.nodes[at]].kept;
	uint32_t node = NODE_NONE;

	if (kept != NULL && kept->n > 0)
		node = index_find(c->walk->index, *kept);
	c->walk->kept_from = node != NODE_NONE && on_path(c, node)
	    ? c->walk->position[node]
	    : at;
	change_all(c);
}

/* Nothing before AT can be known. */
static void
enter_unknown(struct context *c, uint32_t at)
{
	c->walk->barrier = at;
	change_all(c);
}

/* If the request that AT answers lacked something, it is not known what. */
static void
enter_assistant(struct context *c, uint32_t at)
{
	const struct record_asking *asking =
	    c->records->of[c->path.nodes[at]].asking;

	if (asking == NULL || !asking->lost)
		return;
	c->walk->lost = at;
	change_all(c);
}

static void
enter_edit(struct context *c, uint32_t at)
{
	const struct record_edit *edit = c->records->of[c->path.nodes[at]].edit;
	struct frame *frame = &c->walk->frames[at];
	uint8_t *state;
	uint32_t node;

	if (edit == NULL || edit->target.n == 0) {
		enter_unknown(c, at);
		return;
	}
	node = index_find(c->walk->index, edit->target);
	if (node == NODE_NONE || !on_path(c, node))
		return;
	state = &c->walk->edits[node];
	frame->edited = node;
	frame->before = (enum edit)*state;
	*state = edit->replaced ? EDIT_REPLACED : EDIT_OMITTED;
	change_edited(c, node);
}

/* Append NODE to the path.  True if it is a read result. */
static bool
enter(struct context *c, uint32_t node)
{
	struct context_walk *w = c->walk;
	uint32_t at = c->path.n++;

	c->path.nodes[at] = node;
	w->position[node] = at;
	w->frames[at] = (struct frame){
	    .next_child = w->first_child[node],
	    .kept_from = w->kept_from,
	    .barrier = w->barrier,
	    .lost = w->lost,
	    .edited = NODE_NONE,
	};
	if (w->index->nodes[node].unreadable)
		enter_unknown(c, at + 1);
	else if (w->index->nodes[node].kind == NODE_READ_RESULT)
		return enter_result(c, at);
	else if (w->index->nodes[node].kind == NODE_EDITED)
		enter_change(c, at);
	else if (w->index->nodes[node].kind == NODE_COMPACTION)
		enter_compaction(c, at);
	else if (w->index->nodes[node].kind == NODE_CONTEXT_EDIT)
		enter_edit(c, at);
	else if (w->index->nodes[node].kind == NODE_ASSISTANT)
		enter_assistant(c, at);
	return false;
}

/* Undo the last node of the path. */
static void
leave(struct context *c)
{
	struct context_walk *w = c->walk;
	const struct frame *frame = &w->frames[--c->path.n];
	struct context_subject *subject = frame->subject;

	if (subject != NULL && --subject->n < subject->least)
		subject->least = subject->n;
	if (frame->edited != NODE_NONE) {
		w->edits[frame->edited] = (uint8_t)frame->before;
		change_edited(c, frame->edited);
	}
	if (frame->kept_from != w->kept_from ||
	    frame->barrier != w->barrier || frame->lost != w->lost)
		change_all(c);
	w->lost = frame->lost;
	w->kept_from = frame->kept_from;
	w->barrier = frame->barrier;
}

/* The node to enter next, with the path leading to its parent; or NODE_NONE. */
static uint32_t
next_node(struct context *c)
{
	struct context_walk *w = c->walk;
	uint32_t node = NODE_NONE;

	while (node == NODE_NONE && c->path.n > 0) {
		struct frame *frame = &w->frames[c->path.n - 1];

		node = frame->next_child;
		if (node != NODE_NONE)
			frame->next_child = w->next_sibling[node];
		else
			leave(c);
	}
	if (node == NODE_NONE) {
		node = w->next_root;
		if (node != NODE_NONE)
			w->next_root = w->next_sibling[node];
	}
	return node;
}

bool
context_next(struct context *c)
{
	uint32_t node;

	do {
		node = next_node(c);
	} while (node != NODE_NONE && !enter(c, node));
	return node != NODE_NONE;
}

/* ---- the tree ---- */

/* An array with a number for each node and one more; NODE_NONE at first. */
static uint32_t *
node_array(const struct context_walk *w)
{
	size_t size = ((size_t)w->index->n + 1) * sizeof(uint32_t);

	return memset(arena_alloc(w->arena, size), 0xff, size);
}

/* Is there an earlier node with the same id? */
static bool
is_second(const struct index *index, struct map *firsts, uint32_t node)
{
	struct span id = index->nodes[node].id;

	if (index->nodes[node].unreadable || index_find(index, id) == node)
		return false;
	return *map_at(firsts, id, node) != node;
}

/*
 * Link children in the order of the file.  The extra element has those without
 * a parent.
 */
static void
link_children(struct context_walk *w)
{
	const struct index *index = w->index;
	struct map *firsts = map_new(w->scratch, 4);
	bool *second = arena_array(w->scratch, (size_t)index->n + 1,
	    sizeof(*second));

	for (uint32_t i = 0; i < index->n; i++)
		second[i] = is_second(index, firsts, i);
	w->first_child = node_array(w);
	w->next_sibling = node_array(w);
	for (uint32_t i = index->n; i-- > 0;) {
		uint32_t parent = index->nodes[i].parent;
		uint32_t *first = &w->first_child[parent != NODE_NONE
			? parent
			: index->n];

		if (second[i])
			continue;
		w->next_sibling[i] = *first;
		*first = i;
	}
	w->next_root = w->first_child[index->n];
	arena_reset(w->scratch);
}

struct context *
context_new(const struct session_records *records, struct span home,
    struct arena *arena)
{
	struct context *c = arena_array(arena, 1, sizeof(*c));
	struct context_walk *w = arena_array(arena, 1, sizeof(*w));
	size_t nodes = (size_t)records->index->n + 1;

	*w = (struct context_walk){
	    .index = records->index,
	    .home = home,
	    .arena = arena,
	    .scratch = arena_scratch(arena),
	    .by_name = map_new(arena, 64),
	};
	link_children(w);
	w->position = node_array(w);
	w->edits = arena_array(arena, nodes, 1);
	w->frames = arena_array(arena, nodes, sizeof(*w->frames));
	*c = (struct context){.records = records, .walk = w};
	c->path.nodes = node_array(w);
	return c;
}
