#include "unit_dir.h"

#include "host/pi/index_open.h"
#include "host/pi/records_load.h"
#include "session/events.h"

#define HEADER                                                                 \
	"{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n"
#define ASSISTANT(content)                                                     \
	"\"type\":\"message\",\"message\":{\"role\":\"assistant\","            \
	"\"content\":" content "}"
#define CALL(id, arguments)                                                    \
	"{\"type\":\"toolCall\",\"id\":\"" id "\",\"name\":\"read\","          \
	"\"arguments\":" arguments "}"

/* A session file that grows entry by entry, each the child of the last. */
struct story {
	struct arena *arena;
	struct buf lines;
	int n;
};

static struct story
story_new(struct arena *arena)
{
	struct story story = {arena, buf_new(arena, 4096), 0};

	buf_str(&story.lines, HEADER);
	return story;
}

/* MEMBERS of the next entry; its id is "e0", "e1" and so on. */
static void
add(struct story *story, const char *members)
{
	char ids[64];

	if (story->n == 0)
		(void)snprintf(ids, sizeof(ids), "{\"id\":\"e0\",");
	else
		(void)snprintf(ids, sizeof(ids),
		    "{\"id\":\"e%d\",\"parentId\":\"e%d\",", story->n,
		    story->n - 1);
	buf_str(&story->lines, ids);
	buf_str(&story->lines, members);
	buf_str(&story->lines, "}\n");
	story->n++;
}

/* The result of the call CALL; DETAILS may be NULL. */
static void
add_result(struct story *story, const char *call, const char *content,
    const char *details)
{
	struct buf out = buf_new(story->arena, 512);

	buf_str(&out, "\"type\":\"message\",\"message\":{\"role\":"
		      "\"toolResult\",\"toolName\":\"read\",\"toolCallId\":\"");
	buf_str(&out, call);
	buf_str(&out, "\",\"content\":");
	buf_str(&out, content);
	if (details != NULL) {
		buf_str(&out, ",\"details\":{\"readcache\":");
		buf_str(&out, details);
		buf_char(&out, '}');
	}
	buf_str(&out, ",\"isError\":false}");
	add(story, arena_cstr(story->arena, buf_span(&out)));
}

static const char *
meta_of(struct arena *arena, const char *text, const char *hashed)
{
	struct digest served = digest_of(span_str(text));
	struct digest seal = digest_of(span_str(hashed));
	char hex[DIGEST_HEX + 1], sealed[DIGEST_HEX + 1], json[512];

	digest_hex(&served, hex);
	digest_hex(&seal, sealed);
	(void)snprintf(json, sizeof(json),
	    "{\"v\":1,\"pathKey\":\"/w/a\",\"scopeKey\":\"full\","
	    "\"servedHash\":\"%s\",\"mode\":\"full\",\"totalLines\":1,"
	    "\"rangeStart\":1,\"rangeEnd\":1,\"bytes\":%zu,"
	    "\"textHash\":\"%.32s\",\"textBytes\":%zu}",
	    hex, strlen(text), sealed, strlen(text));
	return arena_cstr(arena, span_str(json));
}

struct loaded {
	struct index *index;
	struct session_records records;
	struct index_path path;
};

static struct loaded
load(struct story *story)
{
	const char *file = unit_path(story->arena, "session.jsonl");
	struct loaded loaded = {
	    .index = arena_alloc(story->arena, sizeof(struct index))};

	unit_write_file(file, buf_span(&story->lines));
	assert_int_equal(
	    index_open(story->arena, span_str(file), NULL, NULL, loaded.index),
	    INDEX_OK);
	assert_int_equal(loaded.index->n, story->n);
	loaded.records = records_load(loaded.index, NULL, NULL);
	assert_true(index_path(loaded.index, index_last(loaded.index),
	    story->arena, &loaded.path));
	return loaded;
}

/* ---- arguments ---- */

static void
arguments_of_calls(struct arena *arena)
{
	static const struct {
		const char *arguments, *path;
		uint64_t offset, limit;
		bool odd;
	} rows[] = {
	    {"{\"path\":\"a\"}", "a", 0, 0, false},
	    {"{\"path\":\"a\",\"offset\":5}", "a", 5, 0, false},
	    {"{\"path\":\"a\",\"offset\":5,\"limit\":3}", "a", 5, 3, false},
	    {"{\"path\":\"a\",\"limit\":1e2}", "a", 0, 100, false},
	    {"{\"path\":\"a\",\"offset\":null,\"limit\":null}", "a", 0, 0,
		false},
	    {"{\"path\":\"a\",\"offset\":0}", "a", 0, 0, true},
	    {"{\"path\":\"a\",\"offset\":-1}", "a", 0, 0, true},
	    {"{\"path\":\"a\",\"limit\":0}", "a", 0, 0, true},
	    {"{\"path\":\"a\",\"limit\":2.5}", "a", 0, 0, true},
	    {"{\"path\":\"a\",\"offset\":\"5\"}", "a", 0, 0, true},
	    {"{\"path\":\"a\",\"offset\":[5]}", "a", 0, 0, true},
	    {"{\"path\":\"a\",\"limit\":true}", "a", 0, 0, true},
	    {"{\"path\":\"a\",\"offset\":1e300}", "a", 0, 0, true},
	    {"{\"path\":\"a\",\"offset\":9007199254740993}", "a", 0, 0, true},
	    {"{\"path\":\"\\u0061\\n\"}", "a\n", 0, 0, false},
	    {"{\"path\":7}", "", 0, 0, false},
	    {"{}", "", 0, 0, false},
	    {"\"a\"", "", 0, 0, false},
	    {"null", "", 0, 0, false},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct story story = story_new(arena);
		char members[512];
		const struct record_call *call;
		struct record_read read;
		struct loaded loaded;

		(void)snprintf(members, sizeof(members),
		    ASSISTANT("[" CALL("c", "%s") "]"), rows[i].arguments);
		add(&story, members);
		add_result(&story, "c", "[]", NULL);
		loaded = load(&story);
		read = records_read(&loaded.records, &loaded.path, 0, 1);
		call = read.call;
		CHECK(call != NULL, "row %zu", i);
		ASSERT_TEXT(call->path, rows[i].path);
		CHECK(call->odd == rows[i].odd, "odd, row %zu", i);
		if (!rows[i].odd)
			CHECK(call->offset == rows[i].offset &&
				  call->limit == rows[i].limit,
			    "row %zu", i);
		arena_close_fd(arena, loaded.index->fd);
	}
}

/* ---- who asked ---- */

static void
calls_are_found_by_id(struct arena *arena)
{
	struct story story = story_new(arena);
	struct record_read read;
	struct loaded loaded;

	add(&story,
	    ASSISTANT("[{\"type\":\"text\",\"text\":\"hm\"}," CALL(
		"a", "{\"path\":\"A\"}") "," CALL("b",
		"{\"path\":\"B\"}") ",{\"type\":\"toolCall\",\"id\":\"x\","
				    "\"name\":\"bash\","
				    "\"arguments\":{\"path\":\"X\"}},7,null]"));
	add_result(&story, "b", "[]", NULL);
	add_result(&story, "a", "[]", NULL);
	add(&story, ASSISTANT("[" CALL("c", "{\"path\":\"C\"}") "]"));
	add_result(&story, "nobody", "[]", NULL);
	add_result(&story, "", "[]", NULL);
	add_result(&story, "x", "[]", NULL);
	add_result(&story, "a", "[]", NULL); /* further up */
	loaded = load(&story);
	read = records_read(&loaded.records, &loaded.path, 0, 1);
	ASSERT_TEXT(read.call->path, "B");
	assert_int_equal(read.asked_by, 0);
	read = records_read(&loaded.records, &loaded.path, 0, 2);
	ASSERT_TEXT(read.call->path, "A");
	for (uint32_t at = 4; at <= 6; at++) {
		read = records_read(&loaded.records, &loaded.path, 0, at);
		assert_null(read.call);
		assert_int_equal(read.asked_by, NODE_NONE);
		assert_non_null(read.result);
	}
	read = records_read(&loaded.records, &loaded.path, 0, 7);
	ASSERT_TEXT(read.call->path, "A");
	assert_int_equal(read.asked_by, 0);
	/* Behind a boundary the first message does not count. */
	read = records_read(&loaded.records, &loaded.path, 1, 7);
	assert_null(read.call);
}

#define BASH(id)                                                               \
	"{\"type\":\"toolCall\",\"id\":\"" id "\",\"name\":\"bash\","            \
	"\"arguments\":{}}"

#define EDIT(id, path, old, new)                                               \
	"{\"type\":\"toolCall\",\"id\":\"" id "\",\"name\":\"edit\","          \
	"\"arguments\":{\"path\":\"" path "\",\"oldText\":\"" old              \
	"\",\"newText\":\"" new "\"}}"

/* Of a message that has nothing to do with files no calls are kept. */
static void
calls_without_files(struct arena *arena)
{
	struct story story = story_new(arena);
	struct loaded loaded;

	add(&story, ASSISTANT("[" BASH("a") "," BASH("b") "]"));
	add(&story, ASSISTANT("[" BASH("a") "," CALL("b", "{}") "]"));
	add(&story, ASSISTANT("[" BASH("a") "," EDIT("b", "B", "", "") "]"));
	loaded = load(&story);
	assert_null(loaded.records.of[0].asking->calls);
	assert_non_null(loaded.records.of[1].asking->calls);
	assert_non_null(loaded.records.of[1].asking->calls->next);
	assert_non_null(loaded.records.of[2].asking->calls);
	ASSERT_TEXT(loaded.records.of[2].asking->calls->next->path, "B");
}

/* What a call changes is read from the file when it is needed. */
static void
changes_are_found_by_id(struct arena *arena)
{
	struct story story = story_new(arena);
	const char *file = unit_path(arena, "session.jsonl");
	const struct own_change *own;
	struct loaded loaded;

	add(&story, ASSISTANT("[" EDIT("a", "A", "one", "1") "," EDIT(
			"b", "A", "two", "2") "," EDIT("c", "C", "x",
			"y") "," EDIT("c", "C", "y", "z") "]"));
	loaded = load(&story);
	own = records_own(&loaded.records, 0, SPAN("b"), arena);
	assert_non_null(own);
	ASSERT_TEXT(own->call_id, "b");
	assert_int_equal(own->n, 1);
	ASSERT_TEXT(own->list[0].old_text, "two");
	assert_null(records_own(&loaded.records, 0, SPAN("c"), arena));
	assert_null(records_own(&loaded.records, 0, SPAN("d"), arena));
	/* The session was rewritten after it was read. */
	assert_int_equal(truncate(file, sizeof(HEADER) + 9), 0);
	assert_null(records_own(&loaded.records, 0, SPAN("b"), arena));
}

static void
an_id_that_is_used_again(struct arena *arena)
{
	struct story story = story_new(arena);
	struct loaded loaded;

	add(&story, ASSISTANT("[" CALL("c", "{\"path\":\"old\"}") "]"));
	add_result(&story, "c", "[]", NULL);
	add(&story, ASSISTANT("[" CALL("c", "{\"path\":\"new\"}") "]"));
	add_result(&story, "c", "[]", NULL);
	loaded = load(&story);
	ASSERT_TEXT(
	    records_read(&loaded.records, &loaded.path, 0, 1).call->path,
	    "old");
	ASSERT_TEXT(
	    records_read(&loaded.records, &loaded.path, 0, 3).call->path,
	    "new");
}

static void
messages_that_were_dropped(struct arena *arena)
{
	static const struct {
		const char *reason;
		bool dropped;
	} rows[] = {{"error", true}, {"aborted", true}, {"toolUse", false},
	    {"stop", false}};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct story story = story_new(arena);
		struct loaded loaded;
		char members[512];

		(void)snprintf(members, sizeof(members),
		    "\"type\":\"message\",\"message\":{\"role\":\"assistant\","
		    "\"stopReason\":\"%s\",\"content\":[]}",
		    rows[i].reason);
		add(&story, members);
		loaded = load(&story);
		CHECK(loaded.records.of[0].asking->dropped == rows[i].dropped,
		    "%s", rows[i].reason);
		arena_close_fd(arena, loaded.index->fd);
	}
}

/* ---- results ---- */

static void
texts_of_results(struct arena *arena)
{
	static const struct {
		const char *content;
		bool has_text;
		struct span text;
	} rows[] = {
	    {"[{\"type\":\"text\",\"text\":\"a\\nb\"}]", true, LIT("a\nb")},
	    {"[{\"type\":\"text\",\"text\":\"\"}]", true, LIT("")},
	    {"[{\"type\":\"text\",\"text\":\"\\u0000\"}]", true, LIT("\0")},
	    {"[{\"type\":\"text\",\"text\":\"\\ud800\"}]", false, LIT("")},
	    {"[{\"type\":\"text\",\"text\":\"\\ud83d\\ude00\"}]", true,
		LIT("\xf0\x9f\x98\x80")},
	    {"[]", false, LIT("")},
	    {"\"a\"", false, LIT("")},
	    {"null", false, LIT("")},
	    {"[{\"type\":\"text\",\"text\":7}]", false, LIT("")},
	    {"[{\"type\":\"image\",\"data\":\"AAAA\"}]", false, LIT("")},
	    {"[{\"type\":\"text\",\"text\":\"Read image\"},{\"type\":"
	     "\"image\",\"data\":\"AAAA\"}]",
		false, LIT("")},
	    {"[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
	     "\"text\":\"b\"}]",
		false, LIT("")},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct story story = story_new(arena);
		const struct record_result *result;
		struct digest hash = digest_of(rows[i].text);
		struct loaded loaded;
		struct span text;

		add_result(&story, "c", rows[i].content, NULL);
		loaded = load(&story);
		result = loaded.records.of[0].result;
		CHECK(result->has_text == rows[i].has_text, "row %zu", i);
		CHECK(records_text(&loaded.records, 0, arena, &text) ==
			  rows[i].has_text,
		    "text of row %zu", i);
		CHECK(!result->has_meta && !result->sealed, "row %zu", i);
		if (rows[i].has_text) {
			ASSERT_SPAN(text, rows[i].text);
			assert_int_equal(result->text_bytes, text.n);
			assert_true(digest_eq(&result->text_hash, &hash));
		}
		arena_close_fd(arena, loaded.index->fd);
	}
}

static void
metadata_and_its_seal(struct arena *arena)
{
	struct story story = story_new(arena);
	const struct record_result *result;
	struct loaded loaded;

	add_result(&story, "c", "[{\"type\":\"text\",\"text\":\"abc\"}]",
	    meta_of(arena, "abc", "abc"));
	add_result(&story, "c", "[{\"type\":\"text\",\"text\":\"other\"}]",
	    meta_of(arena, "abc", "abc"));
	add_result(&story, "c", "[]", meta_of(arena, "abc", "abc"));
	add_result(
	    &story, "c", "[{\"type\":\"text\",\"text\":\"abc\"}]", "{\"v\":1}");
	add_result(
	    &story, "c", "[{\"type\":\"text\",\"text\":\"abc\"}]", "null");
	loaded = load(&story);
	result = loaded.records.of[0].result;
	assert_true(result->has_meta && result->sealed);
	ASSERT_TEXT(result->meta.read.path, "/w/a");
	assert_int_equal(result->meta.read.mode, MODE_FULL);
	result = loaded.records.of[1].result;
	assert_true(result->has_meta && result->has_text && !result->sealed);
	result = loaded.records.of[2].result;
	assert_true(result->has_meta && !result->has_text && !result->sealed);
	assert_false(loaded.records.of[3].result->has_meta);
	assert_false(loaded.records.of[4].result->has_meta);
}

static void
other_records(struct arena *arena)
{
	struct story story = story_new(arena);
	struct loaded loaded;

	add(&story, "\"type\":\"compaction\",\"firstKeptEntryId\":\"e7\"");
	add(&story, "\"type\":\"compaction\"");
	add(&story, "\"type\":\"context_edit\",\"targetId\":\"e0\","
		    "\"replacement\":null");
	add(&story, "\"type\":\"context_edit\",\"targetId\":\"e0\","
		    "\"replacement\":{\"content\":\"x\"}");
	add(&story, "\"type\":\"context_edit\",\"targetId\":9");
	add(&story, "\"type\":\"custom\",\"customType\":\"pi-readcache\","
		    "\"data\":{\"v\":1,\"kind\":\"invalidate\",\"pathKey\":"
		    "\"/w/a\",\"scopeKey\":\"r:2:3\",\"at\":1}");
	add(&story, "\"type\":\"custom\",\"customType\":\"pi-readcache\","
		    "\"data\":{\"v\":1,\"kind\":\"invalidate\"}");
	add(&story, "\"type\":\"custom\",\"customType\":\"pi-readcache\","
		    "\"data\":{\"kind\":\"note\"}");
	add(&story, "\"type\":\"message\",\"message\":{\"role\":\"user\","
		    "\"content\":\"hi\"}");
	loaded = load(&story);
	ASSERT_TEXT(*loaded.records.of[0].kept, "e7");
	assert_int_equal(loaded.records.of[1].kept->n, 0);
	ASSERT_TEXT(loaded.records.of[2].edit->target, "e0");
	assert_false(loaded.records.of[2].edit->replaced);
	assert_true(loaded.records.of[3].edit->replaced);
	assert_int_equal(loaded.records.of[4].edit->target.n, 0);
	assert_int_equal(
	    loaded.records.of[5].invalidation->kind, EVENT_INVALIDATE);
	ASSERT_TEXT(loaded.records.of[5].invalidation->path, "/w/a");
	assert_int_equal(loaded.records.of[5].invalidation->scope.last, 3);
	assert_int_equal(loaded.records.of[6].invalidation->kind, EVENT_FORGET);
	assert_null(loaded.records.of[7].invalidation);
	assert_null(loaded.records.of[8].asking);
}

/* The session was rewritten after it was read. */
static void
a_file_that_changes_meanwhile(struct arena *arena)
{
	struct story story = story_new(arena);
	const char *file = unit_path(arena, "session.jsonl");
	struct loaded loaded;
	struct session_records again;
	struct span text;

	add_result(&story, "c", "[{\"type\":\"text\",\"text\":\"abc\"}]", NULL);
	loaded = load(&story);
	assert_int_equal(truncate(file, sizeof(HEADER) + 9), 0);
	assert_false(records_text(&loaded.records, 0, arena, &text));
	again = records_load(loaded.index, NULL, NULL);
	assert_null(again.of[0].result);
	assert_null(records_read(&again, &loaded.path, 0, 0).result);
}

#define BILLED_BY(model, tokens)                                               \
	"\"type\":\"message\",\"message\":{\"role\":\"assistant\","            \
	"\"content\":[],\"model\":\"" model "\",\"usage\":{\"input\":" tokens   \
	"}}"
#define BILLED(tokens) BILLED_BY("m", tokens)

/* T15: models count differently, so only bills of one model are compared. */
static void
bills_of_another_model(struct arena *arena)
{
	struct story story = story_new(arena);
	struct loaded loaded;

	add(&story, BILLED_BY("small", "9000"));
	add(&story, BILLED_BY("large", "1000"));
	add(&story, BILLED_BY("small", "2000"));
	add(&story, BILLED_BY("large", "3000"));
	loaded = load(&story);
	assert_int_equal(records_tokens_before(&loaded.records, 1), 0);
	assert_int_equal(records_tokens_before(&loaded.records, 2), 9000);
	assert_int_equal(records_tokens_before(&loaded.records, 3), 1000);
	assert_int_equal(loaded.records.losses, 1);
	assert_false(loaded.records.of[1].asking->lost);
	assert_true(loaded.records.of[2].asking->lost);
}

/* T15: a bill is measured by the last one above, but not past an edit. */
static void
f5_bills_above(struct arena *arena)
{
	static const char *const between[] = {
	    "\"type\":\"message\",\"message\":{\"role\":\"user\"}",
	    "\"type\":\"compaction\"",
	    "\"type\":\"context_edit\",\"targetId\":\"e0\""};

	for (size_t i = 0; i < COUNT_OF(between); i++) {
		struct story story = story_new(arena);
		struct loaded loaded;

		add(&story, BILLED("9000"));
		add(&story, between[i]);
		add(&story, BILLED("1000"));
		add(&story, between[0]);
		add(&story, BILLED("2000"));
		loaded = load(&story);
		assert_int_equal(
		    records_tokens_before(&loaded.records, 0), 0);
		assert_int_equal(records_tokens_before(&loaded.records, 2),
		    i == 0 ? 9000 : 0);
		assert_int_equal(
		    records_tokens_before(&loaded.records, 4), 1000);
		assert_int_equal(loaded.records.losses, i == 0);
	}
}

/* T15: how far above a bill is looked for.  Requests count the same way. */
static void
bills_far_above(struct arena *arena)
{
	for (int between = 63; between <= 64; between++) {
		struct story story = story_new(arena);
		struct events events = events_new(arena, NULL);
		struct bill bill = {9000, SPAN("m"), SPAN("")};
		struct loaded loaded;

		add(&story, BILLED("9000"));
		events_add_calls(&events, NULL, false, &bill, 0);
		bill.tokens = 0;
		for (int i = 0; i < between; i++) {
			add(&story, BILLED("0"));
			events_add_calls(&events, NULL, false, &bill, 0);
		}
		add(&story, BILLED("1000"));
		bill.tokens = 1000;
		events_add_calls(&events, NULL, false, &bill, 0);
		loaded = load(&story);
		assert_int_equal(loaded.records.losses, between == 63);
		assert_int_equal(events.n, between == 63);
	}
}

/* A message that is not UTF-8 was sent with no bill that anybody could read. */
static void
a_message_that_cannot_be_read(struct arena *arena)
{
	struct story story = story_new(arena);
	struct loaded loaded;

	add(&story, BILLED("9000"));
	add(&story, ASSISTANT("[\"\xff\"]"));
	add(&story, BILLED("1000"));
	loaded = load(&story);
	assert_null(loaded.records.of[1].asking);
	assert_int_equal(loaded.records.losses, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(arguments_of_calls),
	    TEST(calls_are_found_by_id),
	    TEST(calls_without_files),
	    TEST(changes_are_found_by_id),
	    TEST(an_id_that_is_used_again),
	    TEST(messages_that_were_dropped),
	    TEST(texts_of_results),
	    TEST(metadata_and_its_seal),
	    TEST(other_records),
	    TEST(a_file_that_changes_meanwhile),
	    TEST(bills_of_another_model),
	    TEST(f5_bills_above),
	    TEST(bills_far_above),
	    TEST(a_message_that_cannot_be_read),
	};

	return RUN_TESTS_IN_DIR(tests);
}
