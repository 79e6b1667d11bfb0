#include "unit.h"

#include "host/pi/entry.h"

/* ---- where an entry stands ---- */

static const struct {
	struct span value;
	bool placed;
	const char *id, *parent;
	enum entry_kind kind;
} entries[] = {
	{LIT("{\"id\":\"e1\",\"parentId\":\"e0\",\"type\":\"message\","
	     "\"message\":{\"role\":\"user\"}}"),
	    true, "e1", "e0", ENTRY_MESSAGE},
	{LIT("{\"type\":\"compaction\",\"id\":\"e1\",\"parentId\":\"e0\","
	     "\"firstKeptEntryId\":\"e0\"}"),
	    true, "e1", "e0", ENTRY_BOUNDARY},
	{LIT("{\"type\":\"custom\",\"customType\":\"pi-readcache\","
	     "\"data\":{},\"id\":\"e1\",\"parentId\":\"e0\"}"),
	    true, "e1", "e0", ENTRY_CUSTOM},
	{LIT("{\"type\":\"custom\",\"customType\":\"other\",\"id\":\"e1\"}"),
	    true, "e1", "", ENTRY_OTHER},
	{LIT("{\"type\":\"custom\",\"id\":\"e1\"}"), true, "e1", "",
	    ENTRY_OTHER},
	{LIT("{\"type\":\"custom_message\",\"customType\":\"pi-readcache\","
	     "\"id\":\"e1\"}"),
	    true, "e1", "", ENTRY_OTHER},
	{LIT("{\"type\":\"label\",\"id\":\"e1\"}"), true, "e1", "",
	    ENTRY_OTHER},
	{LIT("{\"type\":5,\"id\":\"e1\"}"), true, "e1", "", ENTRY_OTHER},
	{LIT("{\"id\":\"e1\"}"), true, "e1", "", ENTRY_OTHER},
	{LIT("{\"type\":\"Message\",\"id\":\"e1\"}"), true, "e1", "",
	    ENTRY_OTHER},
	/* the root */
	{LIT("{\"id\":\"e1\",\"parentId\":null}"), true, "e1", "",
	    ENTRY_OTHER},
	{LIT("{\"id\":\"e1\",\"parentId\":\"\"}"), true, "e1", "",
	    ENTRY_OTHER},
	/* the last key counts, names and values are decoded */
	{LIT("{\"id\":\"x\",\"id\":\"e1\",\"parentId\":\"x\","
	     "\"parentId\":\"e0\"}"),
	    true, "e1", "e0", ENTRY_OTHER},
	{LIT("{\"\\u0069d\":\"\\u0065\\u0031\",\"t\\u0079pe\":"
	     "\"compac\\u0074ion\"}"),
	    true, "e1", "", ENTRY_BOUNDARY},
	{LIT("{\"ID\":\"e1\"}"), false, "", "", ENTRY_OTHER},
	/* what has no place */
	{LIT("{}"), false, "", "", ENTRY_OTHER},
	{LIT("{\"id\":\"\"}"), false, "", "", ENTRY_OTHER},
	{LIT("{\"id\":1}"), false, "", "", ENTRY_OTHER},
	{LIT("{\"id\":null}"), false, "", "", ENTRY_OTHER},
	{LIT("{\"id\":[\"e1\"]}"), false, "", "", ENTRY_OTHER},
	{LIT("{\"id\":\"e1\",\"id\":1}"), false, "", "", ENTRY_OTHER},
	{LIT("{\"x\":{\"id\":\"e1\"}}"), false, "", "", ENTRY_OTHER},
	{LIT("[\"id\",\"e1\"]"), false, "", "", ENTRY_OTHER},
	{LIT("\"e1\""), false, "", "", ENTRY_OTHER},
	{LIT("null"), false, "", "", ENTRY_OTHER},
	{LIT("7"), false, "", "", ENTRY_OTHER},
};

static void
places(struct arena *arena)
{
	struct json_doc doc = json_doc(arena);

	for (size_t i = 0; i < COUNT_OF(entries); i++) {
		struct entry entry;
		bool placed = entry_parse(&doc, entries[i].value, &entry);

		CHECK(placed == entries[i].placed, "%s", entries[i].value.p);
		if (!placed)
			continue;
		CHECK(entry.kind == entries[i].kind, "%s: kind %d",
		    entries[i].value.p, entry.kind);
		ASSERT_TEXT(entry.id, entries[i].id);
		ASSERT_TEXT(entry.parent, entries[i].parent);
	}
}

/* T4: whom an edit is about; empty if that cannot be told. */
static void
targets(struct arena *arena)
{
	static const struct {
		struct span value;
		const char *target;
	} rows[] = {
		{LIT("{\"type\":\"context_edit\",\"id\":\"e\","
		     "\"targetId\":\"e1\",\"replacement\":null}"),
		    "e1"},
		{LIT("{\"type\":\"context_edit\",\"id\":\"e\","
		     "\"targetId\":\"e0\",\"targetId\":\"\\u00651\"}"),
		    "e1"},
		{LIT("{\"type\":\"context_edit\",\"id\":\"e\"}"), ""},
		{LIT("{\"type\":\"context_edit\",\"id\":\"e\","
		     "\"targetId\":null}"),
		    ""},
		{LIT("{\"type\":\"context_edit\",\"id\":\"e\","
		     "\"targetId\":7}"),
		    ""},
		{LIT("{\"type\":\"context_edit\",\"id\":\"e\","
		     "\"targetId\":[\"e1\"]}"),
		    ""},
		{LIT("{\"type\":\"context_edit\",\"id\":\"e\","
		     "\"targetId\":\"\"}"),
		    ""},
	};
	struct json_doc doc = json_doc(arena);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct entry entry;

		assert_true(entry_parse(&doc, rows[i].value, &entry));
		assert_int_equal(entry.kind, ENTRY_CONTEXT_EDIT);
		ASSERT_TEXT(entry.target, rows[i].target);
	}
}

static void
parts_to_look_into(struct arena *arena)
{
	struct json_doc doc = json_doc(arena);
	struct entry entry;

	assert_true(entry_parse(&doc,
	    SPAN("{\"id\":\"e\",\"type\":\"message\",\"message\":{\"a\":1}}"),
	    &entry));
	ASSERT_TEXT(entry.message, "{\"a\":1}");
	assert_true(entry_parse(&doc,
	    SPAN("{\"id\":\"e\",\"type\":\"custom\",\"customType\":"
		 "\"pi-readcache\",\"data\":[2]}"),
	    &entry));
	ASSERT_TEXT(entry.data, "[2]");
}

/* ---- messages ---- */

static void
kinds_of_messages(struct arena *arena)
{
	static const struct {
		struct span value;
		enum message_kind kind;
	} rows[] = {
		{LIT("{\"role\":\"assistant\",\"content\":[]}"),
		    MESSAGE_ASSISTANT},
		{LIT("{\"role\":\"user\",\"content\":[]}"), MESSAGE_USER},
		{LIT("{\"role\":\"toolResult\",\"toolName\":\"read\","
		     "\"isError\":false}"),
		    MESSAGE_READ_RESULT},
		{LIT("{\"role\":\"toolResult\",\"toolName\":\"read\"}"),
		    MESSAGE_READ_RESULT},
		{LIT("{\"role\":\"toolResult\",\"toolName\":\"read\","
		     "\"isError\":true}"),
		    MESSAGE_READ_ERROR},
		{LIT("{\"role\":\"toolResult\",\"toolName\":\"read\","
		     "\"isError\":false,\"isError\":true}"),
		    MESSAGE_READ_ERROR},
		{LIT("{\"role\":\"toolResult\",\"toolName\":\"bash\","
		     "\"isError\":false}"),
		    MESSAGE_OTHER_RESULT},
		{LIT("{\"role\":\"toolResult\",\"toolName\":\"Read\"}"),
		    MESSAGE_OTHER_RESULT},
		{LIT("{\"role\":\"toolResult\"}"), MESSAGE_OTHER_RESULT},
		{LIT("{\"role\":\"user\",\"toolName\":\"read\"}"),
		    MESSAGE_USER},
		{LIT("{\"r\\u006fle\":\"tool\\u0052esult\","
		     "\"toolName\":\"re\\u0061d\"}"),
		    MESSAGE_READ_RESULT},
		{LIT("{}"), MESSAGE_OTHER},
		{LIT("[]"), MESSAGE_OTHER},
		{LIT("null"), MESSAGE_OTHER},
		{{NULL, 0}, MESSAGE_OTHER},
	};
	struct json_doc doc = json_doc(arena);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct message message = message_parse(&doc, rows[i].value);

		CHECK(message.kind == rows[i].kind, "row %zu: kind %d", i,
		    message.kind);
	}
}

/* T4: what the host does not send again. */
static void
dropped_messages(struct arena *arena)
{
	static const struct {
		const char *reason;
		bool dropped;
	} rows[] = {{"\"error\"", true}, {"\"aborted\"", true},
		{"\"stop\"", false}, {"\"toolUse\"", false},
		{"\"length\"", false}, {"null", false}};
	struct json_doc doc = json_doc(arena);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char text[128];

		(void)snprintf(text, sizeof(text),
		    "{\"role\":\"assistant\",\"stopReason\":%s}",
		    rows[i].reason);
		CHECK(message_parse(&doc, span_str(text)).dropped ==
			rows[i].dropped,
		    "%s", rows[i].reason);
	}
	assert_false(message_parse(&doc,
	    SPAN("{\"role\":\"assistant\"}")).dropped);
}

static void
calls(struct arena *arena)
{
	static const struct {
		const char *block;
		bool call;
		const char *id, *path;
	} rows[] = {
		{"{\"type\":\"text\",\"text\":\"c1\"}", false, "", ""},
		{"{\"type\":\"toolCall\",\"id\":\"c1\",\"name\":\"read\","
		 "\"arguments\":{\"path\":\"a.txt\",\"offset\":3}}",
		    true, "c1", "a.txt"},
		{"{\"type\":\"toolCall\",\"id\":\"c\\u0032\","
		 "\"arguments\":{\"path\":\"b\\u002etxt\"}}",
		    true, "c2", "b.txt"},
		/* It is there, but tells no path. */
		{"{\"type\":\"toolCall\",\"id\":\"c3\","
		 "\"arguments\":{\"path\":7}}",
		    true, "c3", ""},
		{"{\"type\":\"other\",\"id\":\"c4\","
		 "\"arguments\":{\"path\":\"d.txt\"}}",
		    false, "", ""},
		{"{\"type\":\"toolCall\",\"id\":\"c5\"}", true, "c5", ""},
		{"{\"type\":\"toolCall\"}", true, "", ""},
		{"7", false, "", ""},
		{"\"c1\"", false, "", ""},
	};
	struct json_doc doc = json_doc(arena);
	struct call call;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CHECK(message_call(&doc, span_str(rows[i].block), &call) ==
			rows[i].call,
		    "%s", rows[i].block);
		if (rows[i].call) {
			ASSERT_TEXT(call.id, rows[i].id);
			ASSERT_TEXT(call.path, rows[i].path);
		}
	}
	assert_false(message_call(&doc, span_of(NULL, 0), &call));
}

/* T14: what a tool may do to files; what is not known may do anything. */
static void
kinds_of_tools(struct arena *arena)
{
	static const struct {
		const char *block;
		enum tool tool;
	} rows[] = {
		{"{\"type\":\"toolCall\",\"name\":\"read\"}",
		    TOOL_READS},
		{"{\"type\":\"toolCall\",\"name\":\"grep\"}",
		    TOOL_HARMLESS},
		{"{\"type\":\"toolCall\",\"name\":\"find\"}",
		    TOOL_HARMLESS},
		{"{\"type\":\"toolCall\",\"name\":\"ls\"}", TOOL_HARMLESS},
		{"{\"type\":\"toolCall\",\"name\":\"readcache_refresh\"}",
		    TOOL_HARMLESS},
		{"{\"type\":\"toolCall\",\"name\":\"edit\"}", TOOL_CHANGES},
		{"{\"type\":\"toolCall\",\"name\":\"wr\\u0069te\"}",
		    TOOL_CHANGES},
		{"{\"type\":\"toolCall\",\"name\":\"bash\"}", TOOL_UNKNOWN},
		{"{\"type\":\"toolCall\",\"name\":\"Read\"}", TOOL_UNKNOWN},
		{"{\"type\":\"toolCall\",\"name\":7}", TOOL_UNKNOWN},
		{"{\"type\":\"toolCall\"}", TOOL_UNKNOWN},
	};
	struct json_doc doc = json_doc(arena);
	struct call call;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_true(message_call(&doc, span_str(rows[i].block),
		    &call));
		CHECK(call.tool == rows[i].tool, "%s", rows[i].block);
	}
}

/* T15: all that the request had, whatever of it was cached. */
static void
bills(struct arena *arena)
{
	static const struct {
		const char *message;
		uint64_t tokens;
	} rows[] = {
		{"{\"role\":\"assistant\",\"usage\":{\"input\":3,"
		 "\"output\":50,\"cacheRead\":400,\"cacheWrite\":1000}}",
		    1403},
		{"{\"role\":\"assistant\",\"usage\":{\"input\":3}}", 3},
		{"{\"role\":\"assistant\",\"usage\":{\"output\":3}}", 0},
		{"{\"role\":\"assistant\",\"usage\":{\"input\":\"3\","
		 "\"cacheRead\":-4,\"cacheWrite\":7}}",
		    7},
		{"{\"role\":\"assistant\",\"usage\":7}", 0},
		{"{\"role\":\"assistant\"}", 0},
		/* What failed says nothing. */
		{"{\"role\":\"assistant\",\"stopReason\":\"error\","
		 "\"usage\":{\"input\":3}}",
		    0},
		{"{\"role\":\"assistant\",\"stopReason\":\"aborted\","
		 "\"usage\":{\"input\":3}}",
		    0},
	};
	struct json_doc doc = json_doc(arena);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct message message = message_parse(&doc,
		    span_str(rows[i].message));

		CHECK(message_bill(&doc, &message).tokens == rows[i].tokens,
		    "%s", rows[i].message);
	}
}

/* ---- what a read result proves ---- */

/* The text "one\ntwo\n" and its sha256, as sha256sum gives it. */
#define TEXT "one\\ntwo\\n"
#define HASH "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8"
#define TEXT_HASH "c3f9c8c283a2b1f2f1896f27a01cbe3c"
/* Some version that a range or a derived answer is of. */
#define OTHER "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"

#define FULL_SCOPE \
	"\"scopeKey\":\"full\",\"totalLines\":3,\"rangeStart\":1," \
	"\"rangeEnd\":3"
#define RANGE_SCOPE \
	"\"scopeKey\":\"r:3:7\",\"totalLines\":70,\"rangeStart\":3," \
	"\"rangeEnd\":7"
#define FILE_IS "\"v\":1,\"pathKey\":\"/w/a\",\"bytes\":8,"
#define SEAL ",\"textHash\":\"" TEXT_HASH "\",\"textBytes\":8"

#define FULL_META \
	"{" FILE_IS "\"mode\":\"full\",\"servedHash\":\"" HASH "\"," FULL_SCOPE
#define FALLBACK_META \
	"{" FILE_IS "\"mode\":\"baseline_fallback\",\"servedHash\":\"" HASH \
	"\"," FULL_SCOPE
#define RANGE_META \
	"{" FILE_IS "\"mode\":\"full\",\"servedHash\":\"" OTHER "\"," \
	RANGE_SCOPE
#define DIFF_META \
	"{" FILE_IS "\"mode\":\"diff\",\"servedHash\":\"" OTHER \
	"\",\"baseHash\":\"" HASH "\"," FULL_SCOPE

#define CONTENT(text) "[{\"type\":\"text\",\"text\":\"" text "\"}]"

struct result {
	const char *content; /* NULL: there is none */
	const char *meta;
	const char *truncation; /* NULL: there is none */
	enum event_kind kind;
};

static struct message
message_of(struct arena *arena, const struct result *result)
{
	struct json_doc doc = json_doc(arena);
	struct buf text = buf_new(arena, 512);

	buf_str(&text, "{\"role\":\"toolResult\",\"toolName\":\"read\","
		       "\"toolCallId\":\"c1\",\"isError\":false");
	if (result->content != NULL) {
		buf_str(&text, ",\"content\":");
		buf_str(&text, result->content);
	}
	buf_str(&text, ",\"details\":{\"readcache\":");
	buf_str(&text, result->meta);
	if (result->truncation != NULL) {
		buf_str(&text, ",\"truncation\":");
		buf_str(&text, result->truncation);
	}
	buf_str(&text, "}}");
	CHECK(json_valid(arena, buf_span(&text)), "not JSON: %.*s",
	    (int)text.n, text.p);
	return message_parse(&doc, buf_span(&text));
}

static const struct focus every_file = {
	.path = LIT(""), .name = LIT(""), .bytes = LIT("")};

/* Everything, from a session whose host may leave out texts, or not. */
static struct focus
everything(bool texts_left_out)
{
	struct focus focus = every_file;

	focus.hash = digest_of(SPAN(""));
	focus.texts_left_out = texts_left_out;
	return focus;
}

static void
check_result(struct arena *arena, const struct result *result,
    const struct focus *focus, size_t row)
{
	struct json_doc doc = json_doc(arena);
	struct message message = message_of(arena, result);
	struct event event;

	assert_int_equal(message.kind, MESSAGE_READ_RESULT);
	ASSERT_TEXT(message.call_id, "c1");
	CHECK(message_read_event(&doc, &message, focus, &event) ==
		MESSAGE_READ_EVENT,
	    "row %zu: no event", row);
	CHECK(event.kind == result->kind, "row %zu: kind %d", row,
	    event.kind);
	ASSERT_TEXT(event.path, "/w/a");
}

/* T9 */
static const struct result sealed[] = {
	/* with a textHash, whatever the mode */
	{CONTENT(TEXT), FULL_META SEAL "}", NULL, EVENT_READ},
	{CONTENT(TEXT), FALLBACK_META SEAL "}", NULL, EVENT_READ},
	{CONTENT(TEXT), RANGE_META SEAL "}", NULL, EVENT_READ},
	{CONTENT(TEXT), DIFF_META SEAL "}", NULL, EVENT_READ},
	{CONTENT("\\u006fne\\u000atwo\\n"), FULL_META SEAL "}", NULL,
	    EVENT_READ},
	{CONTENT("one\\ntwo"), FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	{CONTENT(TEXT " "), FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	{CONTENT("(shortened)"), FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	{CONTENT(""), FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	{CONTENT("x"), RANGE_META SEAL "}", NULL, EVENT_SIGHTING},
	{CONTENT("x"), DIFF_META SEAL "}", NULL, EVENT_SIGHTING},
	/* another shape than the one text that was delivered */
	{"[]", FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	{"[{\"type\":\"text\",\"text\":\"" TEXT "\"},"
	 "{\"type\":\"text\",\"text\":\"\"}]",
	    FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	{"[{\"type\":\"image\",\"data\":\"" TEXT "\"}]", FULL_META SEAL "}",
	    NULL, EVENT_SIGHTING},
	{"[{\"type\":\"text\"}]", FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	{"[{\"type\":\"text\",\"text\":7}]", FULL_META SEAL "}", NULL,
	    EVENT_SIGHTING},
	{"[{\"type\":\"text\",\"text\":\"" TEXT "\",\"text\":\"x\"}]",
	    FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	{"[\"" TEXT "\"]", FULL_META SEAL "}", NULL, EVENT_SIGHTING},
	/* without: an anchor of the full scope is the file it names */
	{CONTENT(TEXT), FULL_META "}", NULL, EVENT_READ},
	{CONTENT(TEXT), FALLBACK_META "}", NULL, EVENT_READ},
	{CONTENT("one\\n"), FULL_META "}", NULL, EVENT_SIGHTING},
	{CONTENT(""), FALLBACK_META "}", NULL, EVENT_SIGHTING},
	/* of others nobody can tell: they prove nothing */
	{CONTENT("anything"), RANGE_META "}", NULL, EVENT_SIGHTING},
	{CONTENT("anything"), DIFF_META "}", NULL, EVENT_SIGHTING},
};

static void
intact_results(struct arena *arena)
{
	struct focus all = everything(true), strict = everything(false);

	for (size_t i = 0; i < COUNT_OF(sealed); i++) {
		check_result(arena, &sealed[i], &all, i);
		check_result(arena, &sealed[i], &strict, i);
	}
}

/* The short cut over the file at hand must not change what is found. */
static void
intact_results_of_the_file_at_hand(struct arena *arena)
{
	static const struct span files[] = {
		LIT("one\ntwo\n"), LIT(""), LIT("x"), LIT("(shortened)")};

	for (size_t f = 0; f < COUNT_OF(files); f++) {
		struct focus focus = {.path = SPAN("/w/a"),
		    .name = SPAN("/w/a"), .bytes = files[f],
		    .hash = digest_of(files[f]), .texts_left_out = true};

		for (size_t i = 0; i < COUNT_OF(sealed); i++)
			check_result(arena, &sealed[i], &focus, i);
	}
}

/* Checked and left out by the host, or lost. */
static void
results_without_text(struct arena *arena)
{
	const struct result kept = {NULL, FULL_META SEAL "}", NULL,
	    EVENT_READ};
	const struct result lost = {NULL, FULL_META SEAL "}", NULL,
	    EVENT_SIGHTING};
	struct focus all = everything(true), strict = everything(false);

	check_result(arena, &kept, &all, 0);
	check_result(arena, &lost, &strict, 1);
}

/* T6: what was delivered for certain, and what is hidden by something else. */
static void
seals_and_veils(struct arena *arena)
{
	struct json_doc doc = json_doc(arena);
	struct focus all = everything(true);
	struct result result = {CONTENT(TEXT), DIFF_META SEAL "}", NULL,
	    EVENT_READ};
	struct message message = message_of(arena, &result);
	struct event event;

	assert_int_equal(message_read_event(&doc, &message, &all, &event),
	    MESSAGE_READ_EVENT);
	assert_true(event.sealed);
	assert_false(event.veiled);
	result.content = CONTENT("x");
	message = message_of(arena, &result);
	assert_int_equal(message_read_event(&doc, &message, &all, &event),
	    MESSAGE_READ_EVENT);
	assert_false(event.sealed);
	assert_true(event.veiled);
	/* The host has compared it with its hash and left it out. */
	result.content = NULL;
	message = message_of(arena, &result);
	assert_int_equal(message_read_event(&doc, &message, &all, &event),
	    MESSAGE_READ_EVENT);
	assert_true(event.sealed);
	assert_false(event.veiled);
}

/* T1: the host says how many lines it showed. */
static const struct result truncated[] = {
	{CONTENT(TEXT), RANGE_META SEAL "}",
	    "{\"truncated\":true,\"outputLines\":5}", EVENT_READ},
	{CONTENT(TEXT), RANGE_META SEAL "}",
	    "{\"truncated\":true,\"outputLines\":5.0}", EVENT_READ},
	{CONTENT(TEXT), RANGE_META SEAL "}",
	    "{\"truncated\":true,\"outputLines\":4}", EVENT_SIGHTING},
	{CONTENT(TEXT), RANGE_META SEAL "}",
	    "{\"truncated\":true,\"outputLines\":6}", EVENT_SIGHTING},
	{CONTENT(TEXT), RANGE_META SEAL "}",
	    "{\"truncated\":true,\"outputLines\":0}", EVENT_SIGHTING},
	{CONTENT(TEXT), RANGE_META SEAL "}",
	    "{\"truncated\":true,\"outputLines\":\"5\"}", EVENT_SIGHTING},
	{CONTENT(TEXT), RANGE_META SEAL "}", "{\"truncated\":true}",
	    EVENT_SIGHTING},
	{CONTENT(TEXT), RANGE_META SEAL "}",
	    "{\"truncated\":true,\"outputLines\":5,\"outputLines\":4}",
	    EVENT_SIGHTING},
	{CONTENT(TEXT), RANGE_META SEAL "}",
	    "{\"truncated\":false,\"outputLines\":4}", EVENT_READ},
	{CONTENT(TEXT), RANGE_META SEAL "}", "null", EVENT_READ},
	{CONTENT(TEXT), RANGE_META SEAL "}", "{}", EVENT_READ},
	/* What was cut was never the whole file. */
	{CONTENT(TEXT), FULL_META SEAL "}",
	    "{\"truncated\":true,\"outputLines\":3}", EVENT_SIGHTING},
	{CONTENT(TEXT), FULL_META "}",
	    "{\"truncated\":true,\"outputLines\":2}", EVENT_SIGHTING},
	{CONTENT(TEXT), FULL_META SEAL "}",
	    "{\"truncated\":false,\"outputLines\":3}", EVENT_READ},
};

static void
truncated_results(struct arena *arena)
{
	struct focus all = everything(true);

	for (size_t i = 0; i < COUNT_OF(truncated); i++)
		check_result(arena, &truncated[i], &all, i);
}

static enum message_read
found(struct arena *arena, const char *meta, const struct focus *focus)
{
	struct json_doc doc = json_doc(arena);
	struct result result = {CONTENT(TEXT), meta, NULL, EVENT_READ};
	struct message message = message_of(arena, &result);
	struct event event;

	return message_read_event(&doc, &message, focus, &event);
}

static void
results_without_metadata(struct arena *arena)
{
	static const char *const metas[] = {"null", "{}", "[]", "7",
	    "{\"v\":2}", FULL_META ",\"v\":2}", FULL_META ",\"pathKey\":7}",
	    FULL_META ",\"rangeEnd\":2}"};
	struct focus all = everything(true);
	struct json_doc doc = json_doc(arena);
	struct event event;
	struct message bare = message_parse(&doc,
	    SPAN("{\"role\":\"toolResult\",\"toolName\":\"read\"}"));

	for (size_t i = 0; i < COUNT_OF(metas); i++)
		CHECK(found(arena, metas[i], &all) == MESSAGE_READ_UNKNOWN,
		    "%s", metas[i]);
	assert_int_equal(message_read_event(&doc, &bare, &all, &event),
	    MESSAGE_READ_UNKNOWN);
}

static void
results_of_other_files(struct arena *arena)
{
	static const struct {
		const char *path, *name;
		enum message_read found;
	} rows[] = {
		{"/w/a", "/w/a", MESSAGE_READ_EVENT},
		{"/w/a", "/w/link", MESSAGE_READ_EVENT},
		{"/w/b", "/w/a", MESSAGE_READ_EVENT}, /* it may have moved */
		{"/w/b", "/w/b", MESSAGE_READ_ELSEWHERE},
		{"/w/aa", "/w/aa", MESSAGE_READ_ELSEWHERE},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct focus focus = {.path = span_str(rows[i].path),
		    .name = span_str(rows[i].name), .bytes = SPAN(""),
		    .hash = digest_of(SPAN("")), .texts_left_out = true};

		CHECK(found(arena, FULL_META SEAL "}", &focus) ==
			rows[i].found,
		    "row %zu", i);
		/* Read under this name, which was not its path then. */
		CHECK(found(arena, FULL_META SEAL ",\"name\":\"/w/link\"}",
			  &focus) == rows[i].found,
		    "row %zu", i);
		/* What is no metadata is about no file at all. */
		CHECK(found(arena, FULL_META ",\"v\":3}", &focus) ==
			MESSAGE_READ_UNKNOWN,
		    "row %zu", i);
	}
}

static void
results_under_the_name_asked_for(struct arena *arena)
{
	struct focus focus = {.path = SPAN("/w/b"), .name = SPAN("/w/link"),
	    .bytes = SPAN(""), .hash = digest_of(SPAN("")),
	    .texts_left_out = true};

	assert_int_equal(found(arena, FULL_META ",\"name\":\"/w/link\"}",
			     &focus),
	    MESSAGE_READ_EVENT);
	assert_int_equal(found(arena, FULL_META ",\"name\":\"/w/other\"}",
			     &focus),
	    MESSAGE_READ_ELSEWHERE);
}

/* What is not there is not there in another arena, either. */
static void
keeping_nothing(struct arena *arena)
{
	struct json_doc doc = {.arena = NULL};

	assert_null(text_keep(&doc, (struct span){NULL, 0}, arena).p);
	ASSERT_TEXT(text_keep(&doc, SPAN("text"), arena), "text");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(places),
		TEST(targets),
		TEST(parts_to_look_into),
		TEST(kinds_of_messages),
		TEST(kinds_of_tools),
		TEST(bills),
		TEST(dropped_messages),
		TEST(calls),
		TEST(intact_results),
		TEST(intact_results_of_the_file_at_hand),
		TEST(results_without_text),
		TEST(seals_and_veils),
		TEST(truncated_results),
		TEST(results_without_metadata),
		TEST(results_of_other_files),
		TEST(results_under_the_name_asked_for),
		TEST(keeping_nothing),
	};

	return RUN_TESTS(tests);
}
