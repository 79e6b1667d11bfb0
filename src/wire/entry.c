#include "wire/entry.h"

#include "wire/json.h"
#include "wire/tree.h"

/* The text of a string value; empty if it is none. */
static struct span
text_of(const struct json_doc *doc, struct span value)
{
	struct json_text text;

	return json_text(doc->arena, value, &text) ? text.text : SPAN("");
}

static bool
text_is(const struct json_doc *doc, struct span value, struct span wanted)
{
	return span_eq(text_of(doc, value), wanted);
}

bool
entry_parse(const struct json_doc *doc, struct span value, struct entry *entry)
{
	enum { TYPE, ID, PARENT, MESSAGE, CUSTOM, DATA, TARGET, COUNT };
	struct json_field f[COUNT] = {
		[TYPE] = {.name = SPAN("type")},
		[ID] = {.name = SPAN("id")},
		[PARENT] = {.name = SPAN("parentId")},
		[MESSAGE] = {.name = SPAN("message")},
		[CUSTOM] = {.name = SPAN("customType")},
		[DATA] = {.name = SPAN("data")},
		[TARGET] = {.name = SPAN("targetId")},
	};
	struct span type;

	json_pick(doc, value, f, COUNT);
	*entry = (struct entry){
	    .kind = ENTRY_OTHER,
	    .id = text_of(doc, f[ID].value),
	    .parent = text_of(doc, f[PARENT].value),
	};
	type = text_of(doc, f[TYPE].value);
	if (span_eq(type, SPAN("message"))) {
		entry->kind = ENTRY_MESSAGE;
		entry->message = f[MESSAGE].value;
	} else if (span_eq(type, SPAN("compaction"))) {
		entry->kind = ENTRY_COMPACTION;
	} else if (span_eq(type, SPAN("context_edit"))) {
		entry->kind = ENTRY_CONTEXT_EDIT;
		entry->target = text_of(doc, f[TARGET].value);
	} else if (span_eq(type, SPAN("custom")) &&
	    text_is(doc, f[CUSTOM].value, SPAN("pi-readcache"))) {
		entry->kind = ENTRY_CUSTOM;
		entry->data = f[DATA].value;
	}
	return entry->id.n > 0;
}

struct message
message_parse(const struct json_doc *doc, struct span value)
{
	enum { ROLE, TOOL, CALL, ERROR, CONTENT, DETAILS, COUNT };
	struct json_field f[COUNT] = {
		[ROLE] = {.name = SPAN("role")},
		[TOOL] = {.name = SPAN("toolName")},
		[CALL] = {.name = SPAN("toolCallId")},
		[ERROR] = {.name = SPAN("isError")},
		[CONTENT] = {.name = SPAN("content")},
		[DETAILS] = {.name = SPAN("details")},
	};
	struct message message = {.kind = MESSAGE_OTHER};
	enum json_kind error;

	json_pick(doc, value, f, COUNT);
	message.content = f[CONTENT].value;
	if (text_is(doc, f[ROLE].value, SPAN("assistant"))) {
		message.kind = MESSAGE_ASSISTANT;
		return message;
	}
	error = json_kind(f[ERROR].value);
	if (!text_is(doc, f[ROLE].value, SPAN("toolResult")) ||
	    !text_is(doc, f[TOOL].value, SPAN("read")) ||
	    (error != JSON_FALSE && error != JSON_ABSENT))
		return message;
	message.kind = MESSAGE_READ_RESULT;
	message.details = f[DETAILS].value;
	message.call_id = text_of(doc, f[CALL].value);
	return message;
}

/*
 * T9.  CONTENT is absent when the host has checked it and left it out;
 * otherwise it must be the one text that was delivered.
 */
static bool
text_intact(const struct json_doc *doc, struct span content,
    const struct focus *focus, const struct meta *meta)
{
	struct json_field f[] = {{.name = SPAN("type")}, {.name = SPAN("text")}};
	struct json_items blocks = json_items(doc, content);
	struct span block, other;
	struct json_text text;
	struct digest hash;

	if (json_kind(content) == JSON_ABSENT)
		return true;
	if (!json_next(&blocks, &block) || json_next(&blocks, &other))
		return false;
	json_pick(doc, block, f, 2);
	if (!text_is(doc, f[0].value, SPAN("text")) ||
	    json_kind(f[1].value) != JSON_STRING)
		return false;
	if (json_text_is(f[1].value, focus->bytes)) {
		hash = focus->hash;
	} else {
		(void)json_text(doc->arena, f[1].value, &text);
		hash = digest_of(text.text);
	}
	if (meta->text_hash.n > 0)
		return digest_begins(&hash, meta->text_hash);
	/* An older session: the whole file, if it is that, proves itself. */
	if (meta->read.scope.kind == SCOPE_FULL &&
	    (meta->read.mode == MODE_FULL || meta->read.mode == MODE_FALLBACK))
		return digest_eq(&hash, &meta->read.served);
	return true;
}

/* T1: what the host cut off was not shown. */
static bool
truncation_agrees(const struct json_doc *doc, struct span truncation,
    const struct event *read)
{
	struct json_field f[] = {
		{.name = SPAN("truncated")}, {.name = SPAN("outputLines")}};
	uint64_t lines;

	json_pick(doc, truncation, f, 2);
	if (json_kind(f[0].value) != JSON_TRUE)
		return true;
	return read->scope.kind == SCOPE_RANGE &&
	    tree_number(tree_parse(doc->arena, f[1].value), &lines) &&
	    read->scope.last - read->scope.first + 1 == lines;
}

/* Is METADATA plainly about another file than the one in FOCUS? */
static bool
is_elsewhere(const struct json_doc *doc, struct span metadata,
    const struct focus *focus)
{
	struct json_field f[] = {
		{.name = SPAN("pathKey")}, {.name = SPAN("name")}};
	struct span path, name;

	if (focus->path.n == 0)
		return false;
	json_pick(doc, metadata, f, 2);
	path = text_of(doc, f[0].value);
	name = text_of(doc, f[1].value);
	/* By either of its names it may be ours (T11). */
	return path.n > 0 && !span_eq(path, focus->path) &&
	    !span_eq(path, focus->name) && !span_eq(name, focus->name) &&
	    !span_eq(name, focus->path);
}

enum message_read
message_read_event(const struct json_doc *doc, const struct message *message,
    const struct focus *focus, struct event *event)
{
	struct json_field f[] = {
		{.name = SPAN("readcache")}, {.name = SPAN("truncation")}};
	struct meta meta;

	json_pick(doc, message->details, f, 2);
	if (is_elsewhere(doc, f[0].value, focus))
		return MESSAGE_READ_ELSEWHERE;
	if (!meta_parse(doc->arena, f[0].value, &meta))
		return MESSAGE_READ_UNKNOWN;
	*event = meta.read;
	if (!truncation_agrees(doc, f[1].value, event) ||
	    !text_intact(doc, message->content, focus, &meta))
		event->kind = EVENT_SIGHTING;
	return MESSAGE_READ_EVENT;
}

bool
message_called_path(const struct json_doc *doc, struct span content, struct span id,
    struct span *path)
{
	enum { TYPE, ID, NAME, ARGUMENTS, COUNT };
	struct json_field f[COUNT] = {
		[TYPE] = {.name = SPAN("type")},
		[ID] = {.name = SPAN("id")},
		[NAME] = {.name = SPAN("name")},
		[ARGUMENTS] = {.name = SPAN("arguments")},
	};
	struct json_field arg = {.name = SPAN("path")};
	struct json_items blocks = json_items(doc, content);
	struct span block;

	while (id.n > 0 && json_next(&blocks, &block)) {
		json_pick(doc, block, f, COUNT);
		if (!text_is(doc, f[TYPE].value, SPAN("toolCall")) ||
		    !text_is(doc, f[NAME].value, SPAN("read")) ||
		    !text_is(doc, f[ID].value, id))
			continue;
		json_pick(doc, f[ARGUMENTS].value, &arg, 1);
		if (json_kind(arg.value) != JSON_STRING)
			continue;
		*path = text_of(doc, arg.value);
		return true;
	}
	return false;
}
