#include "host/pi/entry.h"

#include "host/pi/own.h"
#include "os/bytes.h"
#include "json/json.h"
#include "json/tree.h"

/* The text of a string; empty if VALUE is not a string. */
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

/* Absent, null or false.  Anything else counts as true. */
static bool
is_false(struct span value)
{
	enum json_kind kind = json_kind(value);

	return kind == JSON_ABSENT || kind == JSON_NULL || kind == JSON_FALSE;
}

bool
entry_parse(const struct json_doc *doc, struct span value, struct entry *entry)
{
	enum {
		TYPE,
		ID,
		PARENT,
		MESSAGE,
		CUSTOM,
		DATA,
		TARGET,
		REPLACEMENT,
		COUNT
	};
	struct json_field f[COUNT] = {
		[TYPE] = {.name = SPAN("type")},
		[ID] = {.name = SPAN("id")},
		[PARENT] = {.name = SPAN("parentId")},
		[MESSAGE] = {.name = SPAN("message")},
		[CUSTOM] = {.name = SPAN("customType")},
		[DATA] = {.name = SPAN("data")},
		[TARGET] = {.name = SPAN("targetId")},
		[REPLACEMENT] = {.name = SPAN("replacement")},
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
		entry->kind = ENTRY_BOUNDARY;
	} else if (span_eq(type, SPAN("context_edit"))) {
		entry->kind = ENTRY_CONTEXT_EDIT;
		entry->target = text_of(doc, f[TARGET].value);
		entry->replaced = !is_false(f[REPLACEMENT].value);
	} else if (span_eq(type, SPAN("custom")) &&
	    text_is(doc, f[CUSTOM].value, SPAN("pi-readcache"))) {
		entry->kind = ENTRY_CUSTOM;
		entry->data = f[DATA].value;
	}
	return entry->id.n > 0;
}

bool
entry_of_line(struct arena *arena, struct span line, struct json_doc *doc,
    struct entry *entry)
{
	return json_judge(arena, line, doc) && entry_parse(doc, line, entry);
}

/* The kind of a tool result. */
static enum message_kind
result_kind(const struct json_doc *doc, struct span tool, struct span error)
{
	bool failed = !is_false(error);

	if (text_is(doc, tool, SPAN("read")))
		return failed ? MESSAGE_READ_ERROR : MESSAGE_READ_RESULT;
	if (text_is(doc, tool, SPAN("edit")))
		return failed ? MESSAGE_EDIT_ERROR : MESSAGE_EDITED;
	return text_is(doc, tool, SPAN("write")) && !failed
	    ? MESSAGE_EDITED
	    : MESSAGE_OTHER_RESULT;
}

struct message
message_parse(const struct json_doc *doc, struct span value)
{
	enum {
		ROLE,
		TOOL,
		CALL,
		ERROR,
		STOP,
		CONTENT,
		DETAILS,
		USAGE,
		MODEL,
		PROVIDER,
		COUNT
	};
	struct json_field f[COUNT] = {
		[ROLE] = {.name = SPAN("role")},
		[TOOL] = {.name = SPAN("toolName")},
		[CALL] = {.name = SPAN("toolCallId")},
		[ERROR] = {.name = SPAN("isError")},
		[STOP] = {.name = SPAN("stopReason")},
		[CONTENT] = {.name = SPAN("content")},
		[DETAILS] = {.name = SPAN("details")},
		[USAGE] = {.name = SPAN("usage")},
		[MODEL] = {.name = SPAN("model")},
		[PROVIDER] = {.name = SPAN("provider")},
	};
	struct message message = {.kind = MESSAGE_OTHER};

	json_pick(doc, value, f, COUNT);
	message.content = f[CONTENT].value;
	if (text_is(doc, f[ROLE].value, SPAN("assistant"))) {
		message.kind = MESSAGE_ASSISTANT;
		message.dropped =
		    text_is(doc, f[STOP].value, SPAN("error")) ||
		    text_is(doc, f[STOP].value, SPAN("aborted"));
		message.usage = f[USAGE].value;
		message.model = f[MODEL].value;
		message.provider = f[PROVIDER].value;
		return message;
	}
	if (text_is(doc, f[ROLE].value, SPAN("user")))
		message.kind = MESSAGE_USER;
	if (!text_is(doc, f[ROLE].value, SPAN("toolResult")))
		return message;
	message.kind = result_kind(doc, f[TOOL].value, f[ERROR].value);
	message.details = f[DETAILS].value;
	message.call_id = text_of(doc, f[CALL].value);
	return message;
}

struct bill
message_bill(const struct json_doc *doc, const struct message *message)
{
	enum { INPUT, READ, WRITE, COUNT };
	struct json_field f[COUNT] = {
		[INPUT] = {.name = SPAN("input")},
		[READ] = {.name = SPAN("cacheRead")},
		[WRITE] = {.name = SPAN("cacheWrite")},
	};
	struct bill bill = {.model = SPAN(""), .provider = SPAN("")};
	uint64_t part;

	/* A failed request was not answered, so its numbers say nothing. */
	if (message->dropped || json_kind(message->usage) != JSON_OBJECT)
		return bill;
	json_pick(doc, message->usage, f, COUNT);
	for (int i = 0; i < COUNT; i++)
		if (tree_is_number(doc->arena, f[i].value, &part) &&
		    part <= NUMBER_MAX / 8)
			bill.tokens += part;
	bill.model = text_of(doc, message->model);
	bill.provider = text_of(doc, message->provider);
	return bill;
}

bool
message_only_text(const struct json_doc *doc, struct span content,
    struct span *value)
{
	struct json_field f[] = {{.name = SPAN("type")}, {.name = SPAN("text")}};
	struct json_items blocks = json_items(doc, content);
	struct span block, other;

	if (!json_next(&blocks, &block) || json_next(&blocks, &other))
		return false;
	json_pick(doc, block, f, 2);
	*value = f[1].value;
	return text_is(doc, f[0].value, SPAN("text")) &&
	    json_kind(*value) == JSON_STRING;
}

/* N of "[Line N is ..."; 0 if TEXT is something else. */
static uint64_t
long_line(struct span text)
{
	const struct span begin = SPAN("[Line ");
	const char *end;
	uint64_t number;

	if (!span_starts(text, begin))
		return 0;
	text = span_from(text, begin.n);
	end = memchr(text.p, ' ', text.n);
	if (end == NULL)
		return 0;
	text.n = (size_t)(end - text.p);
	return number_parse(text, &number) ? number : 0;
}

uint64_t
message_long_line(const struct json_doc *doc, const struct message *message)
{
	struct json_field f[] = {
		{.name = SPAN("readcache")}, {.name = SPAN("truncation")}};
	struct json_field cut = {.name = SPAN("firstLineExceedsLimit")};
	struct span text;

	json_pick(doc, message->details, f, 2);
	if (json_kind(f[0].value) != JSON_ABSENT)
		return 0;
	json_pick(doc, f[1].value, &cut, 1);
	/* Somebody may have replaced its text. */
	if (json_kind(cut.value) != JSON_TRUE ||
	    !message_only_text(doc, message->content, &text))
		return 0;
	return long_line(text_of(doc, text));
}

enum seal { SEAL_BROKEN, SEAL_UNKNOWN, SEAL_INTACT };

/*
 * Metadata of an older session has no hash of the text.  Then only a whole file
 * can prove its text; a marker needs no proof.
 */
static bool
cannot_be_proven(const struct meta *meta)
{
	bool anchor = meta->read.mode == MODE_FULL ||
	    meta->read.mode == MODE_FALLBACK;

	return meta->text_hash.n == 0 &&
	    (meta->read.mode == MODE_DIFF ||
		(anchor && meta->read.scope.kind != SCOPE_FULL));
}

/*
 * T9: a stored text must be the one that was delivered.  If it is missing, the
 * host has either checked it and left it out, or lost it.
 */
static enum seal
check_seal(const struct json_doc *doc, struct span content,
    const struct focus *focus, const struct meta *meta)
{
	struct span value;
	struct json_text text;
	struct digest hash;

	if (cannot_be_proven(meta))
		return SEAL_BROKEN;
	if (json_kind(content) == JSON_ABSENT) {
		if (!focus->texts_left_out)
			return SEAL_BROKEN;
		/* The host compared it with the hash, if there is one. */
		return meta->text_hash.n > 0 ? SEAL_INTACT : SEAL_UNKNOWN;
	}
	if (!message_only_text(doc, content, &value))
		return SEAL_BROKEN;
	if (json_text_is(value, focus->bytes)) {
		hash = focus->hash;
	} else {
		(void)json_text(doc->arena, value, &text);
		hash = digest_of(text.text);
	}
	if (meta->text_hash.n > 0)
		return digest_begins(&hash, meta->text_hash) ? SEAL_INTACT
							     : SEAL_BROKEN;
	/* An older session: a whole file proves itself by its own hash. */
	if (meta->read.scope.kind == SCOPE_FULL &&
	    (meta->read.mode == MODE_FULL || meta->read.mode == MODE_FALLBACK))
		return digest_eq(&hash, &meta->read.served) ? SEAL_INTACT
							    : SEAL_BROKEN;
	return SEAL_UNKNOWN;
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

/*
 * Is it another file, by both of its names (T11)?  Only last parts are
 * compared, as the ledger does: both must leave out the same reads.
 */
static bool
is_elsewhere(const struct meta *meta, const struct focus *focus)
{
	return focus->path.n > 0 && !focus_has_part(focus, meta->read.path) &&
	    !focus_has_part(focus, meta->read.name);
}

enum message_about
message_about(const struct json_doc *doc, const struct message *message,
    const struct focus *focus)
{
	struct json_field f = {.name = SPAN("readcache")};
	struct meta meta;

	json_pick(doc, message->details, &f, 1);
	if (!meta_parse(doc->arena, f.value, &meta) ||
	    !is_elsewhere(&meta, focus))
		return MESSAGE_ABOUT_OURS;
	return meta.read.nameless ? MESSAGE_ABOUT_ASKED
				  : MESSAGE_ABOUT_ANOTHER;
}

enum message_read
message_read_event(const struct json_doc *doc, const struct message *message,
    const struct focus *focus, struct event *event)
{
	struct json_field f[] = {
		{.name = SPAN("readcache")}, {.name = SPAN("truncation")}};
	struct meta meta;
	enum seal seal;
	uint64_t line;

	json_pick(doc, message->details, f, 2);
	if (!meta_parse(doc->arena, f[0].value, &meta)) {
		line = message_long_line(doc, message);
		*event = (struct event){.kind = EVENT_BLIND,
		    .name = message->asked,
		    .doubt = DOUBT_NO_METADATA,
		    .scope = line > 0 ? scope_range(line, line)
				      : scope_full()};
		return line > 0 ? MESSAGE_READ_LONG_LINE
				: MESSAGE_READ_UNKNOWN;
	}
	if (is_elsewhere(&meta, focus) &&
	    !(meta.read.nameless && focus_asked(focus, message->asked)))
		return MESSAGE_READ_ELSEWHERE;
	*event = meta.read;
	seal = check_seal(doc, message->content, focus, &meta);
	event->sealed = seal == SEAL_INTACT;
	event->veiled = seal == SEAL_BROKEN;
	if (cannot_be_proven(&meta))
		event->doubt = DOUBT_UNPROVEN;
	else if (seal == SEAL_BROKEN)
		event->doubt = DOUBT_ALTERED;
	else if (!truncation_agrees(doc, f[1].value, event))
		event->doubt = DOUBT_CUT;
	if (event->doubt != DOUBT_NONE)
		event->kind = EVENT_SIGHTING;
	return MESSAGE_READ_EVENT;
}

static enum tool
tool_of(struct span name)
{
	static const char *const harmless[] = {
	    "grep", "find", "ls", "readcache_refresh"};

	if (span_eq(name, SPAN("read")))
		return TOOL_READS;
	if (span_eq(name, SPAN("edit")) || span_eq(name, SPAN("write")))
		return TOOL_CHANGES;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (span_eq(name, span_str(harmless[i])))
			return TOOL_HARMLESS;
	return TOOL_UNKNOWN;
}

/* Read a tool call, and its arguments as they stand there. */
static bool
parse_call(const struct json_doc *doc, struct span block, struct call *call,
    struct span *tool, struct span *arguments)
{
	enum { TYPE, ID, NAME, ARGUMENTS, COUNT };
	struct json_field f[COUNT] = {
		[TYPE] = {.name = SPAN("type")},
		[ID] = {.name = SPAN("id")},
		[NAME] = {.name = SPAN("name")},
		[ARGUMENTS] = {.name = SPAN("arguments")},
	};
	struct json_field arg = {.name = SPAN("path")};

	json_pick(doc, block, f, COUNT);
	if (!text_is(doc, f[TYPE].value, SPAN("toolCall")))
		return false;
	*arguments = f[ARGUMENTS].value;
	json_pick(doc, *arguments, &arg, 1);
	*tool = text_of(doc, f[NAME].value);
	*call = (struct call){
	    .id = text_of(doc, f[ID].value),
	    .path = text_of(doc, arg.value),
	    .tool = tool_of(*tool),
	};
	return true;
}

bool
message_call(const struct json_doc *doc, struct span block, struct call *call)
{
	struct span tool, arguments;

	return parse_call(doc, block, call, &tool, &arguments);
}

struct call *
message_calls(const struct json_doc *doc, struct span content,
    const struct focus *focus, struct arena *arena)
{
	struct json_items blocks = json_items(doc, content);
	struct call *first = NULL, **end = &first;
	struct span block, tool, arguments;
	struct call call;

	while (json_next(&blocks, &block)) {
		if (!parse_call(doc, block, &call, &tool, &arguments))
			continue;
		if (call.tool == TOOL_CHANGES && call.id.n > 0 &&
		    focus_asked(focus, call.path))
			call.own = own_of_call(
			    doc->arena, tool, arguments, call.id);
		*end = arena_alloc(arena, sizeof(**end));
		**end = call_keep(doc, &call, arena);
		end = &(*end)->next;
	}
	return first;
}
