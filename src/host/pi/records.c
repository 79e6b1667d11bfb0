#include "host/pi/records.h"

#include "json/json.h"
#include "json/tree.h"
#include "replay/bill.h"

enum {
	ASKED_MAX = 64, /* how many assistants back a call is looked for */
	CALLS_FEW = 8	/* up to this many are searched one by one */
};

static struct span
keep(const struct index *index, struct span text)
{
	return (struct span){arena_cstr(index->arena, text), text.n};
}

/* A line number.  False if only the host understands the value. */
static bool
get_number(const struct json_doc *doc, struct span value, uint64_t *number)
{
	enum json_kind kind = json_kind(value);

	*number = 0;
	if (kind == JSON_ABSENT || kind == JSON_NULL)
		return true;
	return tree_number(tree_parse(doc->arena, value), number) &&
	    *number > 0;
}

/* The arguments of a read. */
static void
load_lines(const struct json_doc *doc, struct span block,
    struct record_call *call)
{
	struct json_field outer = {.name = SPAN("arguments")};
	struct json_field f[] = {{.name = SPAN("offset")},
	    {.name = SPAN("limit")}};
	bool plain;

	json_pick(doc, block, &outer, 1);
	json_pick(doc, outer.value, f, 2);
	plain = get_number(doc, f[0].value, &call->offset);
	call->odd = !get_number(doc, f[1].value, &call->limit) || !plain;
}

static bool
is_read(const struct json_doc *doc, struct span block)
{
	struct json_field f = {.name = SPAN("name")};
	struct json_text name;

	json_pick(doc, block, &f, 1);
	return json_text(doc->arena, f.value, &name) &&
	    span_eq(name.text, SPAN("read"));
}

/* Add the call in BLOCK.  False if it is not a call. */
static bool
add_call(const struct index *index, const struct json_doc *doc,
    struct span block, struct record_call ***end)
{
	struct record_call *call;
	struct call found;

	if (!message_call(doc, block, &found))
		return false;
	call = arena_array(index->arena, 1, sizeof(*call));
	call->tool = found.tool;
	call->reads = is_read(doc, block);
	if (call->reads)
		load_lines(doc, block, call);
	if (call->reads || call->tool == TOOL_CHANGES) {
		call->id = keep(index, found.id);
		call->path = keep(index, found.path);
	}
	**end = call;
	*end = &call->next;
	return true;
}

/* A message with many calls.  Most messages have one. */
struct indexed_asking {
	struct record_asking asking;
	struct map *by_id; /* id -> its first call */
};

/* ASKING, which has N calls; with a map of them if there are many. */
static struct record_asking *
index_calls(struct arena *arena, struct record_asking *asking, size_t n)
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

/* Does CONTENT call a tool that reads or changes files? */
static bool
has_files(const struct json_doc *doc, struct span content)
{
	struct json_items blocks = json_items(doc, content);
	struct span block;
	struct call call;

	while (json_next(&blocks, &block))
		if (message_call(doc, block, &call) &&
		    (call.tool == TOOL_CHANGES || is_read(doc, block)))
			return true;
	return false;
}

/* The number for the model and provider of BILL. */
static uint32_t
model_of(struct session_records *records, struct arena *scratch,
    const struct bill *bill)
{
	struct buf both = buf_new(scratch, 64);
	const uint64_t *known;
	struct span name;

	buf_add(&both, bill->model);
	buf_char(&both, '\0');
	buf_add(&both, bill->provider);
	name = buf_span(&both);
	known = map_find(records->models, name);
	if (known == NULL)
		known = map_at(records->models, keep(records->index, name),
		    ++records->nmodels);
	return (uint32_t)*known;
}

static struct record_asking *
load_asking(struct session_records *records, const struct json_doc *doc,
    const struct message *message)
{
	const struct index *index = records->index;
	struct bill bill = message_bill(doc, message);
	struct record_asking *asking = arena_array(index->arena, 1,
	    sizeof(*asking));
	struct json_items blocks = json_items(doc, message->content);
	struct record_call **end = &asking->calls;
	struct span block;
	size_t calls = 0;

	asking->dropped = message->dropped;
	asking->tokens = bill.tokens < UINT32_MAX ? (uint32_t)bill.tokens
						  : UINT32_MAX;
	if (bill.tokens > 0)
		asking->model = (uint16_t)model_of(records, doc->arena, &bill);
	if (!has_files(doc, message->content))
		return asking;
	while (json_next(&blocks, &block))
		calls += add_call(index, doc, block, &end);
	return index_calls(index->arena, asking, calls);
}

/* The only block of CONTENT, if it is a text. */
static bool
only_text(const struct json_doc *doc, struct span content, struct span *text)
{
	struct json_field f[] = {{.name = SPAN("type")}, {.name = SPAN("text")}};
	struct json_items blocks = json_items(doc, content);
	struct span block, other;
	struct json_text decoded;

	if (!json_next(&blocks, &block) || json_next(&blocks, &other))
		return false;
	json_pick(doc, block, f, 2);
	if (!json_text(doc->arena, f[0].value, &decoded) ||
	    !span_eq(decoded.text, SPAN("text")) ||
	    !json_text(doc->arena, f[1].value, &decoded) || decoded.lone)
		return false;
	*text = decoded.text;
	return true;
}

static struct record_result *
load_result(const struct index *index, const struct json_doc *doc,
    const struct message *message)
{
	struct record_result *record = arena_array(index->arena, 1,
	    sizeof(*record));
	struct json_field f = {.name = SPAN("readcache")};
	struct meta *meta = &record->meta;
	struct span text;

	record->call_id = keep(index, message->call_id);
	record->has_text = only_text(doc, message->content, &text);
	if (record->has_text) {
		record->text_bytes = text.n;
		record->text_hash = digest_of(text);
	}
	json_pick(doc, message->details, &f, 1);
	record->has_meta = meta_parse(doc->arena, f.value, meta);
	record->long_line = message_long_line(doc, message);
	if (!record->has_meta)
		return record;
	meta->read.path = keep(index, meta->read.path);
	meta->read.name = keep(index, meta->read.name);
	record->sealed = record->has_text && meta->text_hash.n > 0 &&
	    digest_begins(&record->text_hash, meta->text_hash);
	meta->text_hash = keep(index, meta->text_hash);
	return record;
}

static struct span *
load_kept(const struct index *index, const struct json_doc *doc,
    struct span line)
{
	struct span *kept = arena_alloc(index->arena, sizeof(*kept));
	struct json_field f = {.name = SPAN("firstKeptEntryId")};
	struct json_text id = {.text = SPAN("")};

	json_pick(doc, line, &f, 1);
	(void)json_text(doc->arena, f.value, &id);
	*kept = keep(index, id.text);
	return kept;
}

static struct record_edit *
load_edit(const struct index *index, const struct entry *entry)
{
	struct record_edit *edit = arena_alloc(index->arena, sizeof(*edit));

	*edit = (struct record_edit){keep(index, entry->target),
	    entry->replaced};
	return edit;
}

static struct event *
load_invalidation(const struct index *index, const struct json_doc *doc,
    const struct entry *entry)
{
	struct event event, *kept;

	if (!invalidation_parse(doc->arena, entry->data, &event))
		return NULL;
	kept = arena_alloc(index->arena, sizeof(*kept));
	*kept = event;
	if (event.path.n > 0)
		kept->path = keep(index, event.path);
	return kept;
}

static union node_record
load_record(struct session_records *records, uint32_t node)
{
	const struct index *index = records->index;
	struct span line = index_line(index, node, index->scratch);
	union node_record record = {NULL};
	struct json_doc doc;
	struct entry entry;
	struct message message;

	if (!json_judge(index->scratch, line, &doc))
		return record; /* the file has changed: nothing is known */
	(void)entry_parse(&doc, line, &entry);
	message = message_parse(&doc, entry.message);
	switch (index->nodes[node].kind) {
	case NODE_ASSISTANT:
		record.asking = load_asking(records, &doc, &message);
		break;
	case NODE_READ_RESULT:
	case NODE_EDIT_ERROR:
	case NODE_EDITED:
		record.result = load_result(index, &doc, &message);
		break;
	case NODE_COMPACTION:
		record.kept = load_kept(index, &doc, line);
		break;
	case NODE_CONTEXT_EDIT:
		record.edit = load_edit(index, &entry);
		break;
	case NODE_CUSTOM:
		record.invalidation = load_invalidation(index, &doc, &entry);
		break;
	case NODE_OTHER:
	case NODE_USER:
	case NODE_READ_ERROR:
	case NODE_TOOL_RESULT:
		break;
	}
	return record;
}

static bool
matters(const struct index_node *node)
{
	switch (node->kind) {
	case NODE_ASSISTANT:
	case NODE_READ_RESULT:
	case NODE_EDIT_ERROR:
	case NODE_EDITED:
	case NODE_COMPACTION:
	case NODE_CONTEXT_EDIT:
	case NODE_CUSTOM:
		return !node->unreadable;
	case NODE_OTHER:
	case NODE_USER:
	case NODE_READ_ERROR:
	case NODE_TOOL_RESULT:
		break;
	}
	return false;
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

struct session_records
records_load(const struct index *index, index_progress *progress,
    void *context)
{
	struct session_records records = {
	    .index = index,
	    .of = arena_array(index->arena, (size_t)index->n + 1,
		sizeof(*records.of)),
	    .models = map_new(index->arena, 4),
	};

	for (uint32_t i = 0; i < index->n; i++) {
		if (!matters(&index->nodes[i]))
			continue;
		arena_reset(index->scratch);
		records.of[i] = load_record(&records, i);
		if (progress != NULL && i % 1024 == 0)
			progress(context, index->nodes[i].offset,
			    index->bytes);
	}
	arena_reset(index->scratch);
	find_apart(&records);
	find_losses(&records);
	return records;
}

bool
records_text(const struct session_records *records, uint32_t node,
    struct arena *arena, struct span *text)
{
	struct span line = index_line(records->index, node, arena);
	struct json_doc doc;
	struct entry entry;
	struct message message;

	if (!json_judge(arena, line, &doc))
		return false;
	(void)entry_parse(&doc, line, &entry);
	message = message_parse(&doc, entry.message);
	return only_text(&doc, message.content, text);
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
