#include "host/pi/records_load.h"

#include "host/pi/entry.h"
#include "json/json.h"
#include "json/tree.h"

static struct span
keep(const struct index *index, struct span text)
{
	return (struct span){arena_cstr(index->arena, text), text.n};
}

/* A line number.  False if only the host understands the value. */
static bool
get_number(const struct json_doc *doc, struct span value, uint64_t *number)
{
	*number = 0;
	if (json_missing(value))
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
has_path(enum tool tool)
{
	return tool == TOOL_READS || tool == TOOL_CHANGES;
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
	if (call->tool == TOOL_READS)
		load_lines(doc, block, call);
	if (has_path(call->tool)) {
		call->id = keep(index, found.id);
		call->path = keep(index, found.path);
	}
	**end = call;
	*end = &call->next;
	return true;
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
		    has_path(call.tool))
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
	return records_index_calls(index->arena, asking, calls);
}

/* The only text of CONTENT, decoded. */
static bool
only_text(const struct json_doc *doc, struct span content, struct span *text)
{
	struct json_text decoded;
	struct span value;

	if (!message_only_text(doc, content, &value) ||
	    !json_text(doc->arena, value, &decoded) || decoded.lone)
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
	meta->read = event_keep(doc, &meta->read, index->arena);
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
	records_finish(&records);
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

const struct own_change *
records_own(const struct session_records *records, uint32_t node,
    struct span call_id, struct arena *arena)
{
	const struct focus all = {.path = SPAN("")};
	const struct index *index = records->index;
	const struct call *calls, *found = NULL;
	struct json_doc doc;
	struct entry entry;
	struct span line;

	arena_reset(index->scratch);
	line = index_line(index, node, index->scratch);
	if (!json_judge(index->scratch, line, &doc))
		return NULL; /* the file has changed */
	(void)entry_parse(&doc, line, &entry);
	calls = message_calls(&doc,
	    message_parse(&doc, entry.message).content, &all, index->scratch);
	for (; calls != NULL; calls = calls->next) {
		if (!span_eq(calls->id, call_id))
			continue;
		if (found != NULL)
			return NULL;
		found = calls;
	}
	return found != NULL ? own_keep(&doc, found->own, arena) : NULL;
}
