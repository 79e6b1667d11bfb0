#include "host/pi/index.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/slurp.h"
#include "host/pi/entry.h"
#include "host/pi/scan.h"
#include "host/pi/session_file.h"
#include "json/json.h"
#include "json/tree.h"

/* A node whose parent was not known when the node was read. */
struct orphan {
	struct orphan *next;
	uint32_t node;
	struct span parent;
};

#define SHORT_LINE 128 /* entries of pi are longer */
#define PROGRESS_BYTES ((uint64_t)4 * 1024 * 1024)

static struct span
copy(struct arena *arena, struct span text)
{
	return (struct span){arena_cstr(arena, text), text.n};
}

static bool
is_text(const struct json_doc *doc, struct span value, struct span wanted)
{
	struct json_text text;

	return json_text(doc->arena, value, &text) &&
	    span_eq(text.text, wanted);
}

/* Read the header, a session's first line.  False if it is not one. */
static bool
read_header(struct index *index, const struct json_doc *doc, struct span line)
{
	enum { TYPE, ID, VERSION, COUNT };
	struct json_field f[COUNT] = {
		[TYPE] = {.name = SPAN("type")},
		[ID] = {.name = SPAN("id")},
		[VERSION] = {.name = SPAN("version")},
	};
	struct session_origin origin;

	json_pick(doc, line, f, COUNT);
	if (!is_text(doc, f[TYPE].value, SPAN("session")) ||
	    json_kind(f[ID].value) != JSON_STRING)
		return false;
	if (!tree_number(tree_parse(doc->arena, f[VERSION].value),
		&index->version))
		index->version = 1;
	origin = session_origin(doc, line);
	index->cwd = copy(index->arena, origin.cwd);
	dirs_of_headers(&index->dirs, index->arena, index->cwd,
	    copy(index->arena, origin.parent));
	return true;
}

static enum node_kind
message_kind(const struct json_doc *doc, struct span message)
{
	switch (message_parse(doc, message).kind) {
	case MESSAGE_USER:
		return NODE_USER;
	case MESSAGE_ASSISTANT:
		return NODE_ASSISTANT;
	case MESSAGE_READ_RESULT:
		return NODE_READ_RESULT;
	case MESSAGE_READ_ERROR:
		return NODE_READ_ERROR;
	case MESSAGE_EDIT_ERROR:
		return NODE_EDIT_ERROR;
	case MESSAGE_EDITED:
		return NODE_EDITED;
	case MESSAGE_OTHER_RESULT:
		return NODE_TOOL_RESULT;
	case MESSAGE_OTHER:
		break;
	}
	return NODE_OTHER;
}

static enum node_kind
kind_of(const struct json_doc *doc, const struct entry *entry)
{
	switch (entry->kind) {
	case ENTRY_MESSAGE:
		return message_kind(doc, entry->message);
	case ENTRY_COMPACTION:
		return NODE_COMPACTION;
	case ENTRY_CONTEXT_EDIT:
		return NODE_CONTEXT_EDIT;
	case ENTRY_CUSTOM:
		return NODE_CUSTOM;
	case ENTRY_OTHER:
		break;
	}
	return NODE_OTHER;
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

/* In version 1 an entry's parent is the one before it; it has no id. */
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

/* After all lines are read: which nodes' parents came after them? */
static void
find_late(struct index *index)
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

static void
add_line(struct index *index, struct span line, uint64_t offset,
    uint32_t number)
{
	struct json_doc doc;
	struct entry entry;
	struct index_node *node;
	bool valid = json_judge(index->scratch, line, &doc);

	if (!valid && !json_syntax(index->scratch, line)) {
		index->skipped++;
		return;
	}
	if (!valid)
		doc = json_doc(index->scratch);
	if (!entry_parse(&doc, line, &entry) && index->version > 1)
		return; /* not in the tree: neither a parent nor a child */
	node = add_node(index);
	*node = (struct index_node){
	    .offset = offset,
	    .size = (uint32_t)line.n,
	    .line = number,
	    .kind = kind_of(&doc, &entry),
	    .unreadable = !valid,
	};
	if (index->version < 2) {
		link_linear(index, node);
	} else {
		node->id = copy(index->arena, entry.id);
		link_tree(index, node, entry.parent);
	}
	node->asker = NODE_NONE;
	if (node->parent != NODE_NONE)
		pass_on(index, &index->nodes[node->parent], node);
	if (*map_at(index->by_id, node->id, index->n - 1) != index->n - 1)
		*map_at(index->by_id, node->id, 0) = INDEX_TWICE;
}

/* Read all lines.  False if the first entry is not a header. */
static bool
read_lines(struct index *index, index_progress *progress, void *context)
{
	struct scan scan = scan_new(index->arena, index->fd);
	bool header = false;
	uint32_t number = 0;
	uint64_t offset, told = 0;
	struct span line;

	while (scan_next(&scan, &line, &offset)) {
		struct span text = json_trim(line);

		number++;
		if (progress != NULL && offset - told >= PROGRESS_BYTES)
			progress(context, told = offset, index->bytes);
		if (text.n == 0)
			continue;
		arena_reset(index->scratch);
		offset += (uint64_t)(text.p - line.p);
		if (header) {
			add_line(index, text, offset, number);
		} else if (json_syntax(index->scratch, text)) {
			struct json_doc doc = json_doc(index->scratch);

			header = read_header(index, &doc, text);
			if (!header)
				return false;
		} else {
			index->skipped++;
		}
	}
	arena_reset(index->scratch);
	find_late(index);
	return header && !scan.failed;
}

/*
 * Make room for all entries at once, because an arena does not take back memory
 * that was outgrown.  A file of many short lines is not a session; it gets more
 * room as it goes.
 */
static void
make_room(struct index *index)
{
	uint64_t lines = scan_count(index->arena, index->fd);

	if (lines > index->bytes / SHORT_LINE)
		lines = index->bytes / SHORT_LINE;
	index->room = (uint32_t)lines + 1;
	index->nodes = arena_alloc(index->arena,
	    (size_t)index->room * sizeof(*index->nodes));
	index->by_id = map_new(index->arena, index->room);
}

enum index_open
index_open(struct arena *arena, struct span path, index_progress *progress,
    void *context, struct index *index)
{
	struct stat st;
	int fd = slurp_open(arena_cstr(arena, path));

	if (fd < 0)
		return INDEX_CANNOT_READ;
	arena_own_fd(arena, fd);
	if (fstat(fd, &st) != 0)
		return INDEX_CANNOT_READ;
	*index = (struct index){
	    .arena = arena,
	    .scratch = arena_scratch(arena),
	    .fd = fd,
	    .bytes = (uint64_t)st.st_size,
	};
	make_room(index);
	errno = 0;
	if (read_lines(index, progress, context))
		return INDEX_OK;
	return errno != 0 ? INDEX_CANNOT_READ : INDEX_NO_SESSION;
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
