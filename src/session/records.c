#include "session/records.h"

#include "replay/bill.h"

enum {
	ASKED_MAX = 64, /* how many assistants back a call is looked for */
	CALLS_FEW = 8	/* up to this many are searched one by one */
};

/* A message with many calls.  Most messages have one. */
struct indexed_asking {
	struct record_asking asking;
	struct map *by_id; /* id -> its first call */
};

struct record_asking *
records_index_calls(
    struct arena *arena, struct record_asking *asking, size_t n)
{
	struct indexed_asking *indexed;

	if (n <= CALLS_FEW)
		return asking;
	indexed = arena_alloc(arena, sizeof(*indexed));
	indexed->asking = *asking;
	indexed->asking.many = true;
	indexed->by_id = map_new(arena, n);
	for (struct record_call *c = asking->calls; c != NULL; c = c->next)
		if (c->id.p != NULL)
			(void)map_at(indexed->by_id, c->id, (uintptr_t)c);
	return &indexed->asking;
}

/* Does NODE end the comparison of bills below it with bills above it? */
static bool
ends_bills(const struct index_node *node)
{
	return node->unreadable || node_is_boundary(node->kind) ||
	    node->kind == NODE_CONTEXT_EDIT;
}

/*
 * Which bills can be compared with earlier ones?  Parents come before their
 * children.
 */
static void
find_apart(struct session_records *records)
{
	const struct index *index = records->index;
	/* Does something end the comparison between a node and its asker? */
	bool *apart = arena_array(index->scratch, (size_t)index->n + 1, 1);

	for (uint32_t i = 0; i < index->n; i++) {
		uint32_t up = index->nodes[i].parent;

		apart[i] = up == NODE_NONE || ends_bills(&index->nodes[up]) ||
		    (index->nodes[up].kind != NODE_ASSISTANT && apart[up]);
		if (index->nodes[i].kind == NODE_ASSISTANT &&
		    records->of[i].asking != NULL)
			records->of[i].asking->apart = apart[i];
	}
	arena_reset(index->scratch);
}

/* T15, by the same rule as in events.c. */
uint64_t
records_tokens_before(const struct session_records *records, uint32_t node)
{
	const struct record_asking *asking = records->of[node].asking;
	const struct record_asking *before = asking;

	if (asking->tokens == 0)
		return 0;
	for (int assistants = 0; assistants < ASKED_MAX; assistants++) {
		if (before == NULL || before->apart)
			return 0;
		node = records->index->nodes[node].asker;
		before = records->of[node].asking;
		if (before != NULL && before->tokens > 0 &&
		    before->model == asking->model)
			return before->tokens;
	}
	return 0;
}

static void
find_losses(struct session_records *records)
{
	const struct index *index = records->index;

	for (uint32_t i = 0; i < index->n; i++) {
		struct record_asking *asking;

		if (index->nodes[i].kind != NODE_ASSISTANT)
			continue;
		asking = records->of[i].asking;
		if (asking == NULL)
			continue;
		asking->lost = bill_is_loss(records_tokens_before(records, i),
		    asking->tokens);
		records->losses += asking->lost;
	}
}

void
records_finish(struct session_records *records)
{
	find_apart(records);
	find_losses(records);
}

/* The call ID of an assistant's message, or NULL. */
static const struct record_call *
find_call(const struct record_asking *asking, struct span id)
{
	const struct record_call *call = asking != NULL ? asking->calls : NULL;
	const uint64_t *found;

	if (asking != NULL && asking->many) {
		found = map_find(
		    ((const struct indexed_asking *)asking)->by_id, id);
		return found != NULL
		    ? (const struct record_call *)(uintptr_t)*found
		    : NULL;
	}
	while (call != NULL && !span_eq(call->id, id))
		call = call->next;
	return call;
}

struct record_read
records_read(const struct session_records *records,
    const struct index_path *path, uint32_t from, uint32_t at)
{
	struct record_read read = {.node = path->nodes[at],
	    .result = records->of[path->nodes[at]].result,
	    .asked_by = NODE_NONE};
	uint32_t node = path->nodes[at];

	if (read.result == NULL || read.result->call_id.n == 0)
		return read;
	for (int assistants = 0; assistants < ASKED_MAX; assistants++) {
		node = records->index->nodes[node].asker;
		/* Along a path the numbers of nodes grow. */
		if (node == NODE_NONE || node < path->nodes[from])
			break;
		read.call = find_call(records->of[node].asking,
		    read.result->call_id);
		if (read.call == NULL)
			continue;
		read.asked_by = node;
		break;
	}
	return read;
}
