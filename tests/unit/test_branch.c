#include "unit_dir.h"

#include "replay/trust.h"
#include "serve/branch.h"
#include "session/file.h"

/* ---- sessions, written as JSON ---- */

#define HEADER "{\"type\":\"session\",\"id\":\"s\",\"version\":3}"

struct story {
	struct arena *arena;
	struct span entries[64];
	size_t n;
};

static struct story
story_new(struct arena *arena)
{
	return (struct story){.arena = arena};
}

static void
add_json(struct story *story, struct span json)
{
	assert_true(story->n < COUNT_OF(story->entries));
	story->entries[story->n++] = json;
}

/* An entry; PARENT may be NULL.  REST: its members behind the ids. */
__attribute__((format(printf, 4, 5))) static void
add(struct story *story, const char *id, const char *parent,
    const char *rest, ...)
{
	char members[4096], json[4608], quoted[64] = "null";
	va_list arguments;

	va_start(arguments, rest);
	(void)vsnprintf(members, sizeof(members), rest, arguments);
	va_end(arguments);
	if (parent != NULL)
		(void)snprintf(quoted, sizeof(quoted), "\"%s\"", parent);
	(void)snprintf(json, sizeof(json), "{\"id\":\"%s\",\"parentId\":%s,%s}",
	    id, quoted, members);
	add_json(story, span_of(arena_cstr(story->arena, span_str(json)),
	    strlen(json)));
}

static void
add_user(struct story *story, const char *id, const char *parent)
{
	add(story, id, parent, "\"type\":\"message\",\"message\":{\"role\":"
			       "\"user\",\"content\":[]}");
}

/* The assistant asks to read PATH. */
static void
add_call(struct story *story, const char *id, const char *parent,
    const char *call, const char *path)
{
	add(story, id, parent,
	    "\"type\":\"message\",\"message\":{\"role\":\"assistant\","
	    "\"content\":[{\"type\":\"toolCall\",\"id\":\"%s\",\"name\":"
	    "\"read\",\"arguments\":{\"path\":\"%s\"}}]}",
	    call, path);
}

/* What was read: the whole file PATH, whose text is TEXT. */
static const char *
meta_of(struct arena *arena, const char *path, const char *text)
{
	struct digest hash = digest_of(span_str(text));
	char hex[DIGEST_HEX + 1], json[512];

	digest_hex(&hash, hex);
	(void)snprintf(json, sizeof(json),
	    "{\"v\":1,\"pathKey\":\"%s\",\"scopeKey\":\"full\","
	    "\"servedHash\":\"%s\",\"mode\":\"full\",\"totalLines\":1,"
	    "\"rangeStart\":1,\"rangeEnd\":1,\"bytes\":%zu,"
	    "\"textHash\":\"%.32s\",\"textBytes\":%zu}",
	    path, hex, strlen(text), hex, strlen(text));
	return arena_cstr(arena, span_str(json));
}

static void
add_result(struct story *story, const char *id, const char *parent,
    const char *call, const char *text, const char *details)
{
	add(story, id, parent,
	    "\"type\":\"message\",\"message\":{\"role\":\"toolResult\","
	    "\"toolName\":\"read\",\"toolCallId\":\"%s\",\"isError\":false,"
	    "\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],"
	    "\"details\":%s}",
	    call, text, details);
}

static void
add_read(struct story *story, const char *id, const char *parent,
    const char *call, const char *path)
{
	char details[1024];

	(void)snprintf(details, sizeof(details), "{\"readcache\":%s}",
	    meta_of(story->arena, path, "text"));
	add_result(story, id, parent, call, "text", details);
}

static void
add_invalidation(struct story *story, const char *id, const char *parent,
    const char *data)
{
	add(story, id, parent, "\"type\":\"custom\",\"customType\":"
			       "\"pi-readcache\",\"data\":%s",
	    data);
}

static void
add_edit(struct story *story, const char *id, const char *parent,
    const char *rest)
{
	add(story, id, parent, "\"type\":\"context_edit\"%s", rest);
}

static void
add_compaction(struct story *story, const char *id, const char *parent)
{
	add(story, id, parent, "\"type\":\"compaction\",\"summary\":\"s\","
			       "\"firstKeptEntryId\":\"e1\"");
}

/* ---- what comes out, as words ---- */

static const char *const kind_names[] = {
	[EVENT_READ] = "read",
	[EVENT_SIGHTING] = "sighting",
	[EVENT_INVALIDATE] = "invalidate",
	[EVENT_BLIND] = "blind",
	[EVENT_FORGET] = "forget",
};

static struct span
describe(struct arena *arena, const struct branch *branch)
{
	struct buf out = buf_new(arena, 64);

	for (size_t i = 0; i < branch->n; i++) {
		const struct event *event = &branch->events[i];

		if (i > 0)
			buf_str(&out, ", ");
		buf_str(&out, kind_names[event->kind]);
		if (event->kind == EVENT_FORGET)
			continue;
		buf_char(&out, ' ');
		buf_add(&out, event->kind == EVENT_BLIND ? event->name
							 : event->path);
	}
	return buf_span(&out);
}

static struct span
array_of(struct story *story)
{
	struct buf out = buf_new(story->arena, 256);

	buf_char(&out, '[');
	for (size_t i = 0; i < story->n; i++) {
		if (i > 0)
			buf_char(&out, ',');
		buf_add(&out, story->entries[i]);
	}
	buf_char(&out, ']');
	return buf_span(&out);
}

/* A session of entries; LEAF may be NULL: not said. */
static struct session
session_of(struct story *story, const char *leaf)
{
	struct json_doc *doc = arena_alloc(story->arena, sizeof(*doc));
	struct session session = {
	    .doc = doc,
	    .source = SESSION_ENTRIES,
	    .entries = array_of(story),
	    .leaf = leaf != NULL ? LEAF_ID : LEAF_ABSENT,
	    .leaf_id = leaf != NULL ? span_str(leaf) : SPAN(""),
	    .overlay = SPAN(""),
	};

	CHECK(json_judge(story->arena, session.entries, doc), "not JSON: %.*s",
	    (int)session.entries.n, session.entries.p);
	return session;
}

static void
check_session(struct arena *arena, const struct session *session,
    enum branch_state state, const char *events)
{
	struct branch branch = branch_load(arena, session, NULL);

	CHECK(branch.state == state, "state %d, not %d", branch.state, state);
	ASSERT_TEXT(describe(arena, &branch), events);
}

static void
check_file(struct arena *arena, struct span bytes, const char *leaf,
    enum branch_state state, const char *events)
{
	const char *path = unit_path(arena, "session.jsonl");
	struct json_doc doc = json_doc(arena);
	struct session session = {
	    .doc = &doc,
	    .source = SESSION_FILE,
	    .file = span_str(path),
	    .leaf = leaf != NULL ? LEAF_ID : LEAF_ABSENT,
	    .leaf_id = leaf != NULL ? span_str(leaf) : SPAN(""),
	    .overlay = SPAN(""),
	};

	unit_write_file(path, bytes);
	check_session(arena, &session, state, events);
}

/* The lines of a session file, each ended by END. */
static struct buf
file_of(const struct story *story, const char *end)
{
	struct buf out = buf_new(story->arena, 1024);

	buf_str(&out, HEADER);
	buf_str(&out, end);
	for (size_t i = 0; i < story->n; i++) {
		buf_add(&out, story->entries[i]);
		buf_str(&out, end);
	}
	return out;
}

/* The request's own entries, in whatever order they come. */
static void
check_entries(struct story *story, const char *leaf, enum branch_state state,
    const char *events)
{
	struct session session = session_of(story, leaf);

	check_session(story->arena, &session, state, events);
}

/* The same branch comes out of the request's entries and of a file. */
static void
check(struct story *story, const char *leaf, enum branch_state state,
    const char *events)
{
	struct buf file = file_of(story, "\n");

	check_entries(story, leaf, state, events);
	check_file(story->arena, buf_span(&file), leaf, state, events);
}

/* Three files read one after the other, each with its call. */
static struct story
three_reads(struct arena *arena)
{
	struct story story = story_new(arena);

	add_user(&story, "e0", NULL);
	add_call(&story, "e1", "e0", "c1", "/a");
	add_read(&story, "e2", "e1", "c1", "/a");
	add_call(&story, "e3", "e2", "c2", "/b");
	add_read(&story, "e4", "e3", "c2", "/b");
	add_call(&story, "e5", "e4", "c3", "/c");
	add_read(&story, "e6", "e5", "c3", "/c");
	return story;
}

/* ---- leaves ---- */

static void
leaves(struct arena *arena)
{
	struct story story = three_reads(arena);

	check(&story, "e6", BRANCH_OK, "read /a, read /b, read /c");
	check(&story, "e5", BRANCH_OK, "read /a, read /b");
	check(&story, "e2", BRANCH_OK, "read /a");
	check(&story, "e0", BRANCH_OK, "");
	check(&story, "e7", BRANCH_NO_LEAF, "");
	check(&story, "E6", BRANCH_NO_LEAF, "");
	check(&story, "", BRANCH_NO_LEAF, "");
	check_entries(&story, NULL, BRANCH_NO_LEAF, "");
}

static void
sessions_without_a_branch(struct arena *arena)
{
	struct story story = three_reads(arena);
	struct session session = session_of(&story, "e6");

	session.leaf = LEAF_EMPTY;
	check_session(arena, &session, BRANCH_OK, "");
	session.leaf = LEAF_ID;
	session.source = SESSION_NONE;
	check_session(arena, &session, BRANCH_NO_SESSION, "");
	story.n = 0;
	check(&story, "e6", BRANCH_NO_LEAF, "");
	check(&story, NULL, BRANCH_NO_LEAF, "");
}

static void
names_of_states(struct arena *arena)
{
	(void)arena;
	assert_string_equal(branch_state_name(BRANCH_OK), "ok");
	assert_string_equal(branch_state_name(BRANCH_NO_SESSION), "none");
	for (int a = BRANCH_OK; a <= BRANCH_CYCLE; a++)
		for (int b = BRANCH_OK; b < a; b++)
			assert_string_not_equal(
			    branch_state_name((enum branch_state)a),
			    branch_state_name((enum branch_state)b));
}

/* ---- the walk ---- */

static void
order_of_entries_does_not_matter(struct arena *arena)
{
	struct story story = three_reads(arena);
	struct chance chance = chance_new(15);

	add_edit(&story, "e7", "e6", ",\"targetId\":\"e4\"");
	add_invalidation(&story, "e8", "e7",
	    "{\"v\":1,\"kind\":\"invalidate\",\"pathKey\":\"/a\","
	    "\"scopeKey\":\"full\",\"at\":1}");
	for (int round = 0; round < 200; round++) {
		for (size_t i = story.n; i > 1; i--) {
			size_t k = chance_below(&chance, i);
			struct span swap = story.entries[i - 1];

			story.entries[i - 1] = story.entries[k];
			story.entries[k] = swap;
		}
		check_entries(&story, "e8", BRANCH_OK,
		    "read /a, sighting /b, read /c, invalidate /a");
	}
}

static void
other_branches_do_not_count(struct arena *arena)
{
	struct story story = three_reads(arena);

	add_read(&story, "f1", "e2", "c9", "/f");
	add_compaction(&story, "f2", "f1");
	add_edit(&story, "f3", "f2", ",\"targetId\":\"e2\"");
	add_edit(&story, "f4", "f3", "");
	check(&story, "f1", BRANCH_OK, "read /a, read /f");
	check(&story, "e6", BRANCH_OK, "read /a, read /b, read /c");
}

static void
compactions_are_a_barrier(struct arena *arena)
{
	struct story story = three_reads(arena);

	add_compaction(&story, "k1", "e6");
	add_read(&story, "e7", "k1", "c4", "/d");
	add_compaction(&story, "k2", "e7");
	add_read(&story, "e8", "k2", "c5", "/e");
	add_read(&story, "e9", "e8", "c6", "/f");
	check(&story, "e9", BRANCH_OK, "read /e, read /f");
	check(&story, "k2", BRANCH_OK, "");
	check(&story, "e7", BRANCH_OK, "read /d");
	check(&story, "k1", BRANCH_OK, "");
	/* Before it, history stands as it was. */
	check(&story, "e6", BRANCH_OK, "read /a, read /b, read /c");
}

static void
missing_parents_end_the_walk(struct arena *arena)
{
	struct story story = three_reads(arena);

	add_read(&story, "e7", "gone", "c4", "/d");
	add_read(&story, "e8", "e7", "c5", "/e");
	check(&story, "e8", BRANCH_OK, "read /d, read /e");
}

/* T8: which of the two is meant, nobody knows. */
static void
ids_that_occur_twice_end_the_walk(struct arena *arena)
{
	struct story story = three_reads(arena);

	add_read(&story, "e3", "e0", "c9", "/x");
	check(&story, "e6", BRANCH_OK, "read /b, read /c");
	check(&story, "e3", BRANCH_NO_LEAF, "");
	check(&story, "e2", BRANCH_OK, "read /a");
	add_read(&story, "e3", "e0", "c9", "/x"); /* a third one */
	check(&story, "e6", BRANCH_OK, "read /b, read /c");
	/* The same id in another spelling. */
	add_json(&story, SPAN("{\"\\u0069d\":\"\\u00655\"}"));
	check(&story, "e6", BRANCH_OK, "read /c");
}

static void
cycles_are_no_branch(struct arena *arena)
{
	struct story story = story_new(arena);

	add_read(&story, "a", "a", "c1", "/a");
	check(&story, "a", BRANCH_CYCLE, "");
	add_read(&story, "b", "c", "c1", "/b");
	add_read(&story, "c", "b", "c1", "/c");
	check(&story, "b", BRANCH_CYCLE, "");
	check(&story, "c", BRANCH_CYCLE, "");
	/* Behind a tail that is no part of it. */
	add_read(&story, "d", "c", "c1", "/d");
	add_read(&story, "e", "d", "c1", "/e");
	check(&story, "e", BRANCH_CYCLE, "");
	/* One that the walk does not reach. */
	add_compaction(&story, "k", "c");
	add_read(&story, "f", "k", "c1", "/f");
	check(&story, "f", BRANCH_OK, "read /f");
}

static void
long_branches(struct arena *arena)
{
	enum { ENTRIES = 5000 };
	struct buf text = buf_new(arena, 1024);
	struct json_doc doc;
	struct session session = {.doc = &doc, .source = SESSION_ENTRIES,
	    .leaf = LEAF_ID, .leaf_id = SPAN("1"), .overlay = SPAN("")};
	struct branch branch;

	buf_char(&text, '[');
	for (uint64_t i = ENTRIES; i > 0; i--) {
		buf_str(&text, "{\"type\":\"custom\",\"customType\":"
			       "\"pi-readcache\",\"data\":{\"kind\":"
			       "\"invalidate\"},\"id\":\"");
		buf_u64(&text, i);
		buf_str(&text, "\",\"parentId\":\"");
		buf_u64(&text, i + 1);
		buf_str(&text, i > 1 ? "\"}," : "\"}]");
	}
	session.entries = buf_span(&text);
	assert_true(json_judge(arena, session.entries, &doc));
	branch = branch_load(arena, &session, NULL);
	assert_int_equal(branch.state, BRANCH_OK);
	assert_int_equal(branch.n, ENTRIES);
}

static void
junk_between_entries(struct arena *arena)
{
	struct story story = three_reads(arena);

	add_json(&story, SPAN("null"));
	add_json(&story, SPAN("7"));
	add_json(&story, SPAN("\"e6\""));
	add_json(&story, SPAN("[{\"id\":\"e6\"}]"));
	add_json(&story, SPAN("{}"));
	add_json(&story, SPAN("{\"id\":6,\"parentId\":\"e0\"}"));
	add_json(&story, SPAN("{\"id\":\"\",\"parentId\":\"e0\"}"));
	check(&story, "e6", BRANCH_OK, "read /a, read /b, read /c");
}

/* ---- T4 ---- */

static void
edited_results_are_no_evidence(struct arena *arena)
{
	struct story story = three_reads(arena);

	add_edit(&story, "e7", "e6", ",\"targetId\":\"e4\","
				     "\"replacement\":null");
	check(&story, "e7", BRANCH_OK, "read /a, sighting /b, read /c");
	check(&story, "e6", BRANCH_OK, "read /a, read /b, read /c");
	add_edit(&story, "e8", "e7", ",\"targetId\":\"e2\",\"replacement\":"
				     "{\"content\":[]}");
	check(&story, "e8", BRANCH_OK, "sighting /a, sighting /b, read /c");
	/* Of something else, or of nothing that is there. */
	add_edit(&story, "e9", "e8", ",\"targetId\":\"e0\"");
	add_edit(&story, "ea", "e9", ",\"targetId\":\"zz\"");
	check(&story, "ea", BRANCH_OK, "sighting /a, sighting /b, read /c");
}

/* T6: something else stands in its place now. */
static void
replaced_results_are_veiled(struct arena *arena)
{
	struct story story = three_reads(arena);
	struct session session;
	struct branch branch;

	add_edit(&story, "e7", "e6", ",\"targetId\":\"e4\",\"replacement\":"
				     "{\"content\":[{\"type\":\"text\","
				     "\"text\":\"(short)\"}]}");
	session = session_of(&story, "e7");
	branch = branch_load(arena, &session, NULL);
	assert_int_equal(branch.n, 3);
	assert_false(branch.events[0].veiled);
	assert_true(branch.events[1].veiled);
	assert_false(branch.events[2].veiled);
}

static void
edited_calls_take_their_results_along(struct arena *arena)
{
	struct story story = three_reads(arena);

	add_edit(&story, "e7", "e6", ",\"targetId\":\"e3\"");
	check(&story, "e7", BRANCH_OK, "read /a, sighting /b, read /c");
}

/* By the id of the call, not by what stands last before the result. */
static void
edited_calls_further_up(struct arena *arena)
{
	struct story story = story_new(arena);

	add_call(&story, "e1", NULL, "c1", "/a");
	add_call(&story, "e2", "e1", "c2", "/b");
	add_read(&story, "e3", "e2", "c1", "/a");
	add_read(&story, "e4", "e3", "c2", "/b");
	check(&story, "e4", BRANCH_OK, "read /a, read /b");
	add_edit(&story, "e5", "e4", ",\"targetId\":\"e1\"");
	check(&story, "e5", BRANCH_OK, "sighting /a, read /b");
}

static void
failed_calls_take_their_results_along(struct arena *arena)
{
	static const char *const reasons[] = {"error", "aborted"};

	for (size_t i = 0; i < COUNT_OF(reasons); i++) {
		struct story story = story_new(arena);

		add(&story, "e1", NULL,
		    "\"type\":\"message\",\"message\":{\"role\":"
		    "\"assistant\",\"stopReason\":\"%s\",\"content\":["
		    "{\"type\":\"toolCall\",\"id\":\"c1\",\"name\":\"read\","
		    "\"arguments\":{\"path\":\"/a\"}}]}",
		    reasons[i]);
		add_read(&story, "e2", "e1", "c1", "/a");
		check(&story, "e2", BRANCH_OK, "sighting /a");
	}
}

/* All that came before it is in doubt; what follows is not. */
static void
edits_without_a_target(struct arena *arena)
{
	static const char *const rests[] = {"", ",\"targetId\":null",
	    ",\"targetId\":7", ",\"targetId\":\"\"",
	    ",\"targetId\":[\"e2\"]"};

	for (size_t i = 0; i < COUNT_OF(rests); i++) {
		struct story story = three_reads(arena);

		add_edit(&story, "e7", "e6", rests[i]);
		add_read(&story, "e8", "e7", "c9", "/d");
		check(&story, "e8", BRANCH_OK,
		    "read /a, read /b, read /c, forget, read /d");
	}
}

/* ---- T12 ---- */

static void
views_without_metadata(struct arena *arena)
{
	struct story story = story_new(arena);

	add_call(&story, "e1", NULL, "c1", "some/./a.txt");
	add_result(&story, "e2", "e1", "c1", "x", "null");
	check(&story, "e2", BRANCH_OK, "blind some/./a.txt");
	add_call(&story, "e3", "e2", "c2", "b:3-5");
	add_result(&story, "e4", "e3", "c2", "x",
	    "{\"readcache\":{\"v\":9}}");
	check(&story, "e4", BRANCH_OK, "blind some/./a.txt, blind b:3-5");
	add(&story, "e5", "e4",
	    "\"type\":\"message\",\"message\":{\"role\":\"toolResult\","
	    "\"toolName\":\"read\",\"toolCallId\":\"c2\"}");
	check(&story, "e5", BRANCH_OK,
	    "blind some/./a.txt, blind b:3-5, blind b:3-5");
}

/* Whose call it was is told by its id, however far up it is. */
static void
views_of_calls_further_up(struct arena *arena)
{
	struct story story = story_new(arena);

	add_call(&story, "e1", NULL, "c1", "/a");
	add_call(&story, "e2", "e1", "c2", "/b");
	add_result(&story, "e3", "e2", "c1", "x", "null");
	check(&story, "e3", BRANCH_OK, "blind /a");
}

static void
views_that_nobody_asked_for(struct arena *arena)
{
	struct story story = story_new(arena);

	add_call(&story, "e1", NULL, "c1", "/a");
	add_result(&story, "e2", "e1", "c2", "x", "null");
	add_result(&story, "e3", "e2", "", "x", "null");
	check(&story, "e3", BRANCH_OK, "forget, forget");
}

/* Calls with the same id: which of them it was cannot be told. */
static void
views_of_calls_alike(struct arena *arena)
{
	static const char calls[] =
	    "\"type\":\"message\",\"message\":{\"role\":\"assistant\","
	    "\"content\":[{\"type\":\"toolCall\",\"id\":\"c\","
	    "\"arguments\":{\"path\":\"/a\"}},{\"type\":\"toolCall\","
	    "\"id\":\"%s\",\"arguments\":{\"path\":\"%s\"}}]}";
	struct story story = story_new(arena);

	add(&story, "e1", NULL, calls, "c", "/b");
	add_result(&story, "e2", "e1", "c", "x", "null");
	add(&story, "e3", "e2", calls, "c", "/a");
	add_result(&story, "e4", "e3", "c", "x", "null");
	add(&story, "e5", "e4", calls, "d", "/b");
	add_result(&story, "e6", "e5", "c", "x", "null");
	check(&story, "e6", BRANCH_OK, "forget, blind /a, blind /a");
}

/* Nothing was shown: an error, another tool. */
static void
results_that_are_no_views(struct arena *arena)
{
	struct story story = story_new(arena);

	add_call(&story, "e1", NULL, "c1", "/a");
	add(&story, "e2", "e1",
	    "\"type\":\"message\",\"message\":{\"role\":\"toolResult\","
	    "\"toolName\":\"read\",\"toolCallId\":\"c1\",\"isError\":true,"
	    "\"details\":{\"readcache\":%s}}",
	    meta_of(arena, "/a", "text"));
	add(&story, "e3", "e2",
	    "\"type\":\"message\",\"message\":{\"role\":\"toolResult\","
	    "\"toolName\":\"bash\",\"toolCallId\":\"c1\","
	    "\"details\":{\"readcache\":%s}}",
	    meta_of(arena, "/a", "text"));
	add(&story, "e4", "e3",
	    "\"type\":\"custom_message\",\"message\":{\"role\":"
	    "\"toolResult\",\"toolName\":\"read\",\"details\":"
	    "{\"readcache\":%s}}",
	    meta_of(arena, "/a", "text"));
	check(&story, "e4", BRANCH_OK, "");
}

/* ---- T1, T9 ---- */

static void
altered_and_truncated_results(struct arena *arena)
{
	struct story story = story_new(arena);
	char details[1024];

	(void)snprintf(details, sizeof(details), "{\"readcache\":%s}",
	    meta_of(arena, "/a", "text"));
	add_result(&story, "e1", NULL, "c1", "(redacted)", details);
	(void)snprintf(details, sizeof(details),
	    "{\"truncation\":{\"truncated\":true,\"outputLines\":1},"
	    "\"readcache\":%s}",
	    meta_of(arena, "/b", "text"));
	add_result(&story, "e2", "e1", "c1", "text", details);
	add_read(&story, "e3", "e2", "c1", "/c");
	check(&story, "e3", BRANCH_OK, "sighting /a, sighting /b, read /c");
}

/* ---- invalidations and overlay ---- */

#define REFRESH(path) \
	"{\"v\":1,\"kind\":\"invalidate\",\"pathKey\":\"" path \
	"\",\"scopeKey\":\"r:1:5\",\"at\":1}"

static void
invalidations(struct arena *arena)
{
	struct story story = three_reads(arena);

	add_invalidation(&story, "e7", "e6", REFRESH("/a"));
	add_invalidation(&story, "e8", "e7", "{\"kind\":\"invalidate\"}");
	add_invalidation(&story, "e9", "e8", "{\"kind\":\"other\"}");
	add(&story, "ea", "e9", "\"type\":\"custom\",\"customType\":"
				"\"pi-other\",\"data\":%s",
	    REFRESH("/b"));
	add(&story, "eb", "ea", "\"type\":\"custom\",\"customType\":"
				"\"pi-readcache\"");
	check(&story, "eb", BRANCH_OK,
	    "read /a, read /b, read /c, invalidate /a, forget");
}

static void
check_overlay(struct story *story, const char *leaf, enum leaf_kind kind,
    const char *overlay, enum branch_state state, const char *events)
{
	struct arena *arena = story->arena;
	struct session session = session_of(story, leaf);
	struct json_doc *doc = arena_alloc(arena, sizeof(*doc));
	struct buf text = buf_new(arena, 1024);
	size_t n = session.entries.n;

	/* One text, as in a request: both are looked into with its doc. */
	buf_char(&text, '[');
	buf_add(&text, session.entries);
	buf_char(&text, ',');
	buf_str(&text, overlay);
	buf_char(&text, ']');
	assert_true(json_judge(arena, buf_span(&text), doc));
	session.doc = doc;
	session.leaf = kind;
	session.entries = span_of(text.p + 1, n);
	session.overlay = span_of(text.p + n + 2, strlen(overlay));
	check_session(arena, &session, state, events);
}

static void
overlays(struct arena *arena)
{
	struct story story = three_reads(arena);
	char overlay[2048];

	(void)snprintf(overlay, sizeof(overlay), "[%s,%s,%s]",
	    meta_of(arena, "/x", "text"), REFRESH("/a"),
	    meta_of(arena, "/y", "other"));
	check_overlay(&story, "e2", LEAF_ID, overlay, BRANCH_OK,
	    "read /a, read /x, invalidate /a, read /y");
	check_overlay(&story, "e2", LEAF_EMPTY, overlay, BRANCH_OK,
	    "read /x, invalidate /a, read /y");
	/* Without a branch nothing is known, not even what came after. */
	check_overlay(&story, "zz", LEAF_ID, overlay, BRANCH_NO_LEAF, "");
	check_overlay(&story, "e2", LEAF_ABSENT, overlay, BRANCH_NO_LEAF, "");
	check_overlay(&story, "e2", LEAF_ID, "[]", BRANCH_OK, "read /a");
}

static void
overlays_that_are_not_understood(struct arena *arena)
{
	static const char *const items[] = {"{}", "null", "7", "[]",
	    "{\"v\":2}", "{\"kind\":\"invalidate\"}", "\"x\""};
	struct story story = three_reads(arena);

	for (size_t i = 0; i < COUNT_OF(items); i++) {
		char overlay[1024];

		(void)snprintf(overlay, sizeof(overlay), "[%s,%s]", items[i],
		    meta_of(arena, "/x", "text"));
		check_overlay(&story, "e2", LEAF_ID, overlay, BRANCH_OK,
		    "read /a, forget, read /x");
	}
}

/* ---- session files ---- */


/* Write BYTES to a file and load it. */
static void
files(struct arena *arena)
{
	static const char *const ends[] = {"\n", "\r\n", "\n\n", " \t\n \n"};
	struct story story = three_reads(arena);

	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		struct buf file = file_of(&story, ends[i]);

		check_file(arena, buf_span(&file), "e4", BRANCH_OK,
		    "read /a, read /b");
		/* Without a leaf it is the last entry. */
		check_file(arena, buf_span(&file), NULL, BRANCH_OK,
		    "read /a, read /b, read /c");
		check_file(arena, buf_span(&file), "zz", BRANCH_NO_LEAF, "");
	}
}

static void
files_that_cannot_be_used(struct arena *arena)
{
	struct story story = three_reads(arena);
	struct json_doc doc = json_doc(arena);
	struct session session = {.doc = &doc, .source = SESSION_FILE,
	    .leaf = LEAF_ABSENT, .overlay = SPAN("")};
	struct buf file = file_of(&story, "\n");
	/* The entries, but no header before them. */
	struct span headless = span_from(buf_span(&file),
	    sizeof(HEADER "\n") - 1);

	session.file = span_str(unit_path(arena, "none.jsonl"));
	check_session(arena, &session, BRANCH_NO_FILE, "");
	session.file = span_str(unit_base); /* a directory */
	check_session(arena, &session, BRANCH_NO_FILE, "");
	session.file = SPAN("/dev/null");
	check_session(arena, &session, BRANCH_NO_FILE, "");
	check_file(arena, SPAN(""), NULL, BRANCH_NO_FILE, "");
	check_file(arena, SPAN("junk\n"), NULL, BRANCH_NO_FILE, "");
	check_file(arena, headless, NULL, BRANCH_NO_FILE, "");
	check_file(arena, headless, "e6", BRANCH_NO_FILE, "");
}

/* A FIFO that nobody writes to must not be waited for. */
static void
files_that_are_no_files(struct arena *arena)
{
	const char *path = unit_path(arena, "fifo");
	struct json_doc doc = json_doc(arena);
	struct session session = {.doc = &doc, .source = SESSION_FILE,
	    .file = span_str(path), .leaf = LEAF_ABSENT,
	    .overlay = SPAN("")};

	assert_int_equal(mkfifo(path, 0600), 0);
	check_session(arena, &session, BRANCH_NO_FILE, "");
}

static void
a_torn_last_line(struct arena *arena)
{
	struct story story = three_reads(arena);
	struct buf file = file_of(&story, "\n");
	struct span last = story.entries[story.n - 1];

	/* pi's own rule: the last entry that it can read is the leaf. */
	for (size_t cut = 2; cut < last.n; cut += last.n / 9)
		check_file(arena, span_of(file.p, file.n - cut), NULL,
		    BRANCH_OK, "read /a, read /b");
	/* As a given leaf it is not there. */
	check_file(arena, span_of(file.p, file.n - 2), "e6", BRANCH_NO_LEAF,
	    "");
	/* Only the LF is missing. */
	check_file(arena, span_of(file.p, file.n - 1), NULL, BRANCH_OK,
	    "read /a, read /b, read /c");
}

/* T8: a line on the way that cannot be parsed. */
static void
a_damaged_line(struct arena *arena)
{
	static const struct span damages[] = {
		LIT("{\"id\":\"e3\",\"parentId\":\"e2\",\"type\":\"mess"),
		LIT("{\"id\":\"e3\",\"parentId\":\"e2\",}"),
		LIT("{\"id\":\"e3\",\"parentId\":\"e2\"} x"),
		LIT("{\"id\":\"e3\",\"parentId\":\"e2\",\"x\":\"\xff\"}"),
		LIT("{\"id\":\"e3\",\"parentId\":\"e2\",\"x\":\"a\tb\"}"),
		LIT("\xef\xbb\xbf{\"id\":\"e3\",\"parentId\":\"e2\"}"),
		LIT("not json at all"),
		LIT("{\"id\":\"aaaaaaaaaaaaaa\\u\"}"),
	};

	for (size_t i = 0; i < COUNT_OF(damages); i++) {
		struct story story = three_reads(arena);
		struct buf file;

		story.entries[3] = damages[i];
		file = file_of(&story, "\n");
		check_file(arena, buf_span(&file), "e6", BRANCH_OK,
		    "read /b, read /c");
	}
}

/* NUL is no blank: for pi such a line is none, as after a power failure. */
static void
a_line_behind_nul(struct arena *arena)
{
	struct story story = three_reads(arena);
	struct span right = story.entries[3];
	struct buf file;

	story.entries[3] = unit_join(arena, SPAN("\0\0\0\0"), right);
	file = file_of(&story, "\n");
	check_file(arena, buf_span(&file), "e6", BRANCH_OK,
	    "read /b, read /c");

	story.entries[3] = right;
	story.entries[6] = unit_join(arena, SPAN("\0"), story.entries[6]);
	file = file_of(&story, "\n");
	check_file(arena, buf_span(&file), NULL, BRANCH_OK,
	    "read /a, read /b");
}

/* T9: what has no content in a file shows the model nothing. */
static void
results_without_content(struct arena *arena)
{
	struct story story = story_new(arena);
	struct buf file;

	add(&story, "e1", NULL,
	    "\"type\":\"message\",\"message\":{\"role\":\"toolResult\","
	    "\"toolName\":\"read\",\"details\":{\"readcache\":%s}}",
	    meta_of(arena, "/a", "text"));
	check_entries(&story, "e1", BRANCH_OK, "read /a");
	file = file_of(&story, "\n");
	check_file(arena, buf_span(&file), "e1", BRANCH_OK, "sighting /a");
}

/* Whatever bytes a file holds, only trust may be lost. */
static void
mutated_files(struct arena *arena)
{
	struct chance chance = chance_new(16);
	struct story story = three_reads(arena);
	struct buf file = file_of(&story, "\n");
	const char *path = unit_path(arena, "mutated.jsonl");
	char *right = malloc(file.n), *bytes = malloc(file.n);
	char *name = strdup(path);
	size_t n = file.n;

	assert_true(right != NULL && bytes != NULL && name != NULL);
	memcpy(right, file.p, n);
	for (int round = 0; round < 400; round++) {
		struct json_doc doc = json_doc(arena);
		struct session session = {.doc = &doc,
		    .source = SESSION_FILE, .file = span_str(name),
		    .leaf = LEAF_ABSENT, .overlay = SPAN("")};
		struct branch branch;

		memcpy(bytes, right, n);
		for (size_t k = 1 + chance_below(&chance, 12); k > 0; k--)
			bytes[chance_below(&chance, n)] =
			    "\"\\u{}[],:\n0e\0\xff"[chance_below(&chance, 13)];
		unit_write_file(name, span_of(bytes,
		    1 + chance_below(&chance, n)));
		branch = branch_load(arena, &session, NULL);
		CHECK(branch.n <= 3, "%zu events", branch.n);
		for (size_t i = 0; i < branch.n; i++)
			assert_true(branch.events[i].kind <= EVENT_FORGET);
		arena_reset(arena);
	}
	free(right);
	free(bytes);
	free(name);
}

/* ---- focus ---- */

static struct trust *
fold(struct arena *arena, const struct session *session,
    const struct focus *focus)
{
	struct branch branch = branch_load(arena, session, focus);
	struct trust *trust = trust_new(arena);

	assert_int_equal(branch.state, BRANCH_OK);
	for (size_t i = 0; i < branch.n; i++) {
		struct event event = branch.events[i];

		/* An older session: the paths here are absolute names. */
		if (event.asked.n > 0)
			event.name = event.asked;
		(void)trust_apply(trust, &event);
	}
	return trust;
}

/*
 * T12: metadata that only looks like another file's is none, so that what was
 * shown is unknown, and the name asked for may lead to ours.
 */
static void
elsewhere_must_be_valid(struct arena *arena)
{
	struct story story = story_new(arena);
	struct focus focus = {.path = SPAN("/a"), .name = SPAN("/a"),
	    .bytes = SPAN("text"), .hash = digest_of(SPAN("text"))};
	char details[1024], *lines;
	struct session session;
	struct branch branch;

	add_call(&story, "e0", NULL, "c0", "/link");
	(void)snprintf(details, sizeof(details), "{\"readcache\":%s}",
	    meta_of(arena, "/else/where", "text"));
	add_result(&story, "e1", "e0", "c0", "text", details);
	session = session_of(&story, "e1");
	branch = branch_load(arena, &session, &focus);
	assert_int_equal(branch.n, 0); /* valid: it is elsewhere */

	lines = strstr(details, "\"rangeEnd\":1");
	assert_non_null(lines);
	memcpy(lines, "\"rangeEnd\":9", sizeof("\"rangeEnd\":9") - 1);
	add_result(&story, "e2", "e1", "c0", "text", details);
	session = session_of(&story, "e2");
	branch = branch_load(arena, &session, &focus);
	assert_int_equal(branch.n, 1);
	assert_int_equal(branch.events[0].kind, EVENT_BLIND);
}

/* What becomes of a line of a session file before it is read again. */
static struct {
	const char *path; /* NULL: nothing */
	struct span line;
} change;

bool __real_session_file_at(const struct session_file *file,
    struct arena *arena, struct session_place place, struct span *bytes);
bool __wrap_session_file_at(const struct session_file *file,
    struct arena *arena, struct session_place place, struct span *bytes);

bool
__wrap_session_file_at(const struct session_file *file, struct arena *arena,
    struct session_place place, struct span *bytes)
{
	int fd;

	if (change.path != NULL) {
		fd = open(change.path, O_WRONLY | O_CLOEXEC);
		assert_int_equal(place.size, change.line.n);
		assert_int_equal(pwrite(fd, change.line.p, change.line.n,
				     (off_t)place.offset),
		    change.line.n);
		assert_int_equal(close(fd), 0);
	}
	return __real_session_file_at(file, arena, place, bytes);
}

/*
 * A result of an older session says that it is another file's.  It counts if
 * its call asked for ours, so it is read again when the call is known.  By then
 * it may be another one.
 */
static void
a_result_of_elsewhere_is_read_again(struct arena *arena)
{
	struct focus focus = {.path = SPAN("/a"),
	    .name = SPAN("/a"),
	    .bytes = SPAN("text"),
	    .hash = digest_of(SPAN("text"))};
	static const char *const others[] = {
	    "\"id\":\"e9\"", "\"id\":\"\xff\""};
	struct story story = story_new(arena);
	struct json_doc doc = json_doc(arena);
	char details[1024], *end;
	const char *path = unit_path(arena, "elsewhere.jsonl");
	struct session session;
	struct branch branch;
	struct buf file;

	add_call(&story, "e0", NULL, "c0", "/a");
	(void)snprintf(details, sizeof(details), "{\"readcache\":%s}",
	    meta_of(arena, "/else/where", "text"));
	end = strstr(details, ",\"textHash\"");
	assert_non_null(end);
	memcpy(end, "}}", sizeof("}}"));
	add_result(&story, "e1", "e0", "c0", "text", details);
	session = session_of(&story, "e1");
	branch = branch_load(arena, &session, &focus);
	ASSERT_TEXT(describe(arena, &branch), "read /else/where");
	file = file_of(&story, "\n");
	session.doc = &doc;
	session.source = SESSION_FILE;
	session.file = span_str(path);
	unit_write_file(path, buf_span(&file));
	branch = branch_load(arena, &session, &focus);
	assert_int_equal(branch.state, BRANCH_OK);
	ASSERT_TEXT(describe(arena, &branch), "read /else/where");

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		char *line = arena_cstr(arena, story.entries[1]);

		memcpy(line + 1, others[i], strlen(others[i]));
		change.line = span_of(line, story.entries[1].n);
		unit_write_file(path, buf_span(&file));
		change.path = path;
		branch = branch_load(arena, &session, &focus);
		change.path = NULL;
		CHECK(branch.state == BRANCH_NO_FILE, "change %zu", i);
	}
}

/* Reads of three files, under their own names or a link's, and the rest. */
static struct story
random_story(struct arena *arena, struct chance *chance)
{
	static const char *const paths[] = {"/a", "/b", "/link"};
	struct story story = story_new(arena);
	char id[16], parent[16] = "r";

	add_user(&story, "r", NULL);
	for (unsigned i = 0; i < 20; i++) {
		const char *path = paths[chance_below(chance, 3)];
		const char *text = chance_below(chance, 2) ? "text" : "other";
		char json[1024], call[16];
		const char *meta = meta_of(arena, path, text);
		size_t luck = chance_below(chance, 10);

		(void)snprintf(call, sizeof(call), "c%u", i);
		(void)snprintf(id, sizeof(id), "a%u", i);
		add_call(&story, id, parent, call,
		    paths[chance_below(chance, 3)]);
		(void)snprintf(parent, sizeof(parent), "%s", id);
		(void)snprintf(id, sizeof(id), "e%u", i);
		if (luck < 5)
			(void)snprintf(json, sizeof(json),
			    "{\"readcache\":%s}", meta);
		else if (luck < 7) /* read by a name that is no path */
			(void)snprintf(json, sizeof(json),
			    "{\"readcache\":{\"name\":\"%s\",%s}",
			    paths[chance_below(chance, 3)], meta + 1);
		else if (luck < 9) /* no valid metadata */
			(void)snprintf(json, sizeof(json),
			    "{\"readcache\":{%.*s,\"v\":3}}",
			    (int)strlen(meta) - 2, meta + 1);
		else
			(void)snprintf(json, sizeof(json), "null");
		if (chance_below(chance, 5) == 0)
			text = "altered"; /* T9 */
		add_result(&story, id, parent, call, text, json);
		(void)snprintf(parent, sizeof(parent), "%s", id);
	}
	return story;
}

/* What was shown of PATH, or by NAME, after BASE: T6. */
static struct span
newer_views(struct arena *arena, const struct trust *trust,
    const struct focus *focus, const struct trust_base *base)
{
	struct trust_views views = trust_views(trust, focus->path,
	    focus->name);
	const struct trust_view *view = trust_next_view(&views);
	struct buf out = buf_new(arena, 64);

	while (view != NULL && view->seq > base->seq) {
		buf_add(&out, span_of((const char *)view->hash.bytes, 4));
		buf_char(&out, view->veiled ? '!' : '.');
		view = trust_next_view(&views);
	}
	return buf_span(&out);
}

/*
 * To leave out the other files must neither make anything trusted, nor hide
 * a view that speaks against it.
 */
static void
focus_adds_no_trust(struct arena *arena)
{
	static const char *const paths[] = {"/a", "/b", "/link"};
	struct chance chance = chance_new(17);
	int found_both = 0;

	for (int round = 0; round < 300; round++) {
		struct story story = random_story(arena, &chance);
		struct session session = session_of(&story, "e19");
		struct trust *all = fold(arena, &session, NULL);

		for (int i = 0; i < 9; i++) {
			struct focus focus = {.path = span_str(paths[i / 3]),
			    .name = span_str(paths[i % 3]),
			    .bytes = SPAN("text"),
			    .hash = digest_of(SPAN("text"))};
			struct trust *some = fold(arena, &session, &focus);
			struct trust_base a, b;

			if (trust_find(some, focus.path, focus.name,
				scope_full(), &b) != TRUST_FOUND)
				continue;
			found_both++;
			CHECK(trust_find(all, focus.path, focus.name,
				  scope_full(), &a) == TRUST_FOUND,
			    "round %d: only with a focus on %s as %s", round,
			    paths[i / 3], paths[i % 3]);
			assert_true(digest_eq(&a.hash, &b.hash));
			ASSERT_SPAN(newer_views(arena, some, &focus, &b),
			    newer_views(arena, all, &focus, &a));
		}
		arena_reset(arena);
	}
	assert_true(found_both > 100); /* else it shows nothing */
}

/* Is /a, read under the name /link, found with and without a focus? */
static bool
link_is_found(struct story *story, const char *leaf, bool focused)
{
	struct arena *arena = story->arena;
	struct session session = session_of(story, leaf);
	struct focus focus = {.path = SPAN("/a"), .name = SPAN("/link"),
	    .bytes = SPAN("text"), .hash = digest_of(SPAN("text"))};
	struct trust *trust = fold(arena, &session, focused ? &focus : NULL);
	struct trust_base base;

	return trust_find(trust, SPAN("/a"), SPAN("/link"), scope_full(),
		   &base) == TRUST_FOUND;
}

/* Details with the metadata of PATH and some more MEMBERS. */
static const char *
meta_with(struct arena *arena, const char *path, const char *members)
{
	const char *meta = meta_of(arena, path, "text");
	char json[1024];

	(void)snprintf(json, sizeof(json), "{\"readcache\":{%.*s%s}}",
	    (int)strlen(meta) - 2, meta + 1, members);
	return arena_cstr(arena, span_str(json));
}

/* /link led to /a and was read; it was read again, with DETAILS. */
static struct story
link_story(struct arena *arena, const char *details)
{
	struct story story = story_new(arena);

	add_call(&story, "e1", NULL, "c1", "/link");
	add_result(&story, "e2", "e1", "c1", "text",
	    meta_with(arena, "/a", ",\"name\":\"/link\""));
	add_call(&story, "e3", "e2", "c2", "/link");
	add_result(&story, "e4", "e3", "c2", "text", details);
	return story;
}

/* T11: another file was read under the name since. */
static void
focus_sees_that_a_name_moved(struct arena *arena)
{
	struct story story = link_story(arena,
	    meta_with(arena, "/b", ",\"name\":\"/link\""));

	for (int focused = 0; focused < 2; focused++) {
		assert_true(link_is_found(&story, "e2", focused));
		assert_false(link_is_found(&story, "e4", focused));
	}
}

/* The same in an older session, where only the call tells the name. */
static void
focus_sees_that_an_older_name_moved(struct arena *arena)
{
	struct digest hash = digest_of(SPAN("text"));
	char hex[DIGEST_HEX + 1], details[512];
	struct story story;

	digest_hex(&hash, hex);
	(void)snprintf(details, sizeof(details),
	    "{\"readcache\":{\"v\":1,\"pathKey\":\"/b\",\"scopeKey\":"
	    "\"full\",\"servedHash\":\"%s\",\"mode\":\"full\","
	    "\"totalLines\":1,\"rangeStart\":1,\"rangeEnd\":1,"
	    "\"bytes\":4}}",
	    hex);
	story = link_story(arena, details);
	check(&story, "e4", BRANCH_OK, "read /a, read /b");
	assert_true(link_is_found(&story, "e2", true));
	assert_false(link_is_found(&story, "e4", false));
	assert_false(link_is_found(&story, "e4", true));
}

/* T12: metadata that is not valid is about no file, whatever it says. */
static void
focus_sees_views_without_valid_metadata(struct arena *arena)
{
	static const char *const members[] = {",\"v\":2",
	    ",\"v\":\"1\"", ",\"mode\":\"later\"", ",\"mode\":\"diff\"",
	    ",\"scopeKey\":\"r:9:1\"", ",\"scopeKey\":\"r:2:2\"",
	    ",\"rangeEnd\":2", ",\"servedHash\":\"x\"",
	    ",\"totalLines\":-1", ",\"bytes\":1.5", ",\"rangeStart\":7",
	    ",\"textHash\":\"x\"", ",\"textBytes\":-1",
	    ",\"name\":\"relative\"", ",\"baseHash\":\"x\""};

	for (size_t i = 0; i < COUNT_OF(members); i++) {
		struct story story = link_story(arena,
		    meta_with(arena, "/b", members[i]));

		check(&story, "e4", BRANCH_OK, "read /a, blind /link");
		CHECK(!link_is_found(&story, "e4", false), "%s", members[i]);
		CHECK(!link_is_found(&story, "e4", true),
		    "with a focus: %s", members[i]);
	}
}

/* The path that a call asked for stands in for a name that is not told. */
static void
names_of_older_sessions(struct arena *arena)
{
	struct story story = three_reads(arena);
	struct session session = session_of(&story, "e6");
	struct branch branch = branch_load(arena, &session, NULL);
	struct digest hash = digest_of(SPAN("text"));
	char hex[DIGEST_HEX + 1], details[512];

	for (size_t i = 0; i < branch.n; i++)
		assert_int_equal(branch.events[i].asked.n, 0);
	digest_hex(&hash, hex);
	(void)snprintf(details, sizeof(details),
	    "{\"readcache\":{\"v\":1,\"pathKey\":\"/b\",\"scopeKey\":"
	    "\"full\",\"servedHash\":\"%s\",\"mode\":\"full\","
	    "\"totalLines\":1,\"rangeStart\":1,\"rangeEnd\":1,"
	    "\"bytes\":4}}",
	    hex);
	story = story_new(arena);
	add_call(&story, "e1", NULL, "c1", "./link");
	add_result(&story, "e2", "e1", "c1", "text", details);
	session = session_of(&story, "e2");
	branch = branch_load(arena, &session, NULL);
	assert_int_equal(branch.n, 1);
	ASSERT_TEXT(branch.events[0].asked, "./link");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(leaves),
		TEST(sessions_without_a_branch),
		TEST(names_of_states),
		TEST(order_of_entries_does_not_matter),
		TEST(other_branches_do_not_count),
		TEST(compactions_are_a_barrier),
		TEST(missing_parents_end_the_walk),
		TEST(ids_that_occur_twice_end_the_walk),
		TEST(cycles_are_no_branch),
		TEST(long_branches),
		TEST(junk_between_entries),
		TEST(edited_results_are_no_evidence),
		TEST(replaced_results_are_veiled),
		TEST(edited_calls_take_their_results_along),
		TEST(edited_calls_further_up),
		TEST(failed_calls_take_their_results_along),
		TEST(edits_without_a_target),
		TEST(views_without_metadata),
		TEST(views_of_calls_further_up),
		TEST(views_that_nobody_asked_for),
		TEST(views_of_calls_alike),
		TEST(results_that_are_no_views),
		TEST(altered_and_truncated_results),
		TEST(invalidations),
		TEST(overlays),
		TEST(overlays_that_are_not_understood),
		TEST(files),
		TEST(files_that_cannot_be_used),
		TEST(files_that_are_no_files),
		TEST(a_torn_last_line),
		TEST(a_damaged_line),
		TEST(a_line_behind_nul),
		TEST(results_without_content),
		TEST(mutated_files),
		TEST(focus_adds_no_trust),
		TEST(focus_sees_that_a_name_moved),
		TEST(focus_sees_that_an_older_name_moved),
		TEST(focus_sees_views_without_valid_metadata),
		TEST(names_of_older_sessions),
		TEST(elsewhere_must_be_valid),
		TEST(a_result_of_elsewhere_is_read_again),
	};

	return RUN_TESTS_IN_DIR(tests);
}
