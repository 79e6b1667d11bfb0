#include "wire/entry.h"

#include "wire/json.h"
#include "wire/tree.h"

/* The text of a string value; empty if it is none. */
static struct span
text_of(struct arena *arena, struct span value)
{
	struct json_text text;

	return json_text(arena, value, &text) ? text.text : SPAN("");
}

static bool
text_is(struct arena *arena, struct span value, struct span wanted)
{
	return span_eq(text_of(arena, value), wanted);
}

bool
entry_place(struct arena *arena, struct span value, struct entry_place *place)
{
	struct json_field f[] = {{.name = SPAN("id")}, {.name = SPAN("parentId")}};

	json_pick(arena, value, f, 2);
	place->id = text_of(arena, f[0].value);
	place->parent = text_of(arena, f[1].value);
	return place->id.n > 0;
}

static struct entry
parse_message(struct arena *arena, struct span message)
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
	struct entry entry = {.kind = ENTRY_OTHER};
	enum json_kind error;

	json_pick(arena, message, f, COUNT);
	if (text_is(arena, f[ROLE].value, SPAN("assistant"))) {
		entry.kind = ENTRY_ASSISTANT;
		entry.content = f[CONTENT].value;
		return entry;
	}
	error = json_kind(f[ERROR].value);
	if (!text_is(arena, f[ROLE].value, SPAN("toolResult")) ||
	    !text_is(arena, f[TOOL].value, SPAN("read")) ||
	    (error != JSON_FALSE && error != JSON_ABSENT))
		return entry;
	entry.kind = ENTRY_READ_RESULT;
	entry.content = f[CONTENT].value;
	entry.details = f[DETAILS].value;
	entry.call_id = text_of(arena, f[CALL].value);
	return entry;
}

struct entry
entry_parse(struct arena *arena, struct span value)
{
	enum { TYPE, MESSAGE, CUSTOM, DATA, TARGET, COUNT };
	struct json_field f[COUNT] = {
		[TYPE] = {.name = SPAN("type")},
		[MESSAGE] = {.name = SPAN("message")},
		[CUSTOM] = {.name = SPAN("customType")},
		[DATA] = {.name = SPAN("data")},
		[TARGET] = {.name = SPAN("targetId")},
	};
	struct entry entry = {.kind = ENTRY_OTHER};
	struct span type;

	json_pick(arena, value, f, COUNT);
	type = text_of(arena, f[TYPE].value);
	if (span_eq(type, SPAN("message")))
		return parse_message(arena, f[MESSAGE].value);
	if (span_eq(type, SPAN("compaction"))) {
		entry.kind = ENTRY_COMPACTION;
	} else if (span_eq(type, SPAN("context_edit"))) {
		entry.kind = ENTRY_CONTEXT_EDIT;
		entry.target = text_of(arena, f[TARGET].value);
	} else if (span_eq(type, SPAN("custom")) &&
	    text_is(arena, f[CUSTOM].value, SPAN("pi-readcache"))) {
		entry.kind = ENTRY_CUSTOM;
		entry.data = f[DATA].value;
	}
	return entry;
}

/*
 * T9.  CONTENT is absent when the host has checked it and left it out;
 * otherwise it must be the one text that was delivered.
 */
static bool
text_intact(struct arena *arena, struct span content, const struct meta *meta)
{
	struct json_field f[] = {{.name = SPAN("type")}, {.name = SPAN("text")}};
	struct json_items blocks = json_items(content);
	struct span block, other;
	struct json_text text;
	struct digest hash;

	if (json_kind(content) == JSON_ABSENT)
		return true;
	if (!json_next(&blocks, &block) || json_next(&blocks, &other))
		return false;
	json_pick(arena, block, f, 2);
	if (!text_is(arena, f[0].value, SPAN("text")) ||
	    !json_text(arena, f[1].value, &text))
		return false;
	hash = digest_of(text.text);
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
truncation_agrees(struct arena *arena, struct span truncation,
    const struct event *read)
{
	struct json_field f[] = {
		{.name = SPAN("truncated")}, {.name = SPAN("outputLines")}};
	uint64_t lines;

	json_pick(arena, truncation, f, 2);
	if (json_kind(f[0].value) != JSON_TRUE)
		return true;
	return read->scope.kind == SCOPE_RANGE &&
	    tree_number(tree_parse(arena, f[1].value), &lines) &&
	    read->scope.last - read->scope.first + 1 == lines;
}

bool
entry_read_event(struct arena *arena, const struct entry *entry,
    struct event *event)
{
	struct json_field f[] = {
		{.name = SPAN("readcache")}, {.name = SPAN("truncation")}};
	struct meta meta;

	json_pick(arena, entry->details, f, 2);
	if (!meta_parse(arena, f[0].value, &meta))
		return false;
	*event = meta.read;
	if (!truncation_agrees(arena, f[1].value, event) ||
	    !text_intact(arena, entry->content, &meta))
		event->kind = EVENT_SIGHTING;
	return true;
}

bool
entry_called_path(struct arena *arena, struct span content, struct span id,
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
	struct json_items blocks = json_items(content);
	struct span block;

	while (id.n > 0 && json_next(&blocks, &block)) {
		json_pick(arena, block, f, COUNT);
		if (!text_is(arena, f[TYPE].value, SPAN("toolCall")) ||
		    !text_is(arena, f[NAME].value, SPAN("read")) ||
		    !text_is(arena, f[ID].value, id))
			continue;
		json_pick(arena, f[ARGUMENTS].value, &arg, 1);
		if (json_kind(arg.value) != JSON_STRING)
			continue;
		*path = text_of(arena, arg.value);
		return true;
	}
	return false;
}
