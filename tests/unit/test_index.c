#include "unit_dir.h"

#include "host/pi/index_open.h"

#define HEADER                                                                 \
	"{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n"
#define ENTRY(id, parent, rest)                                                \
	"{\"id\":\"" id "\",\"parentId\":" parent "," rest "}\n"
#define USER                                                                   \
	"\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":[]}"
#define READ                                                                   \
	"\"type\":\"message\",\"message\":{\"role\":\"toolResult\","           \
	"\"toolName\":\"read\",\"content\":[]}"
#define COMPACTION "\"type\":\"compaction\",\"summary\":\"s\""

static enum index_open
open_bytes(struct arena *arena, struct span bytes, struct index *index)
{
	const char *path = unit_path(arena, "session.jsonl");

	unit_write_file(path, bytes);
	return index_open(arena, span_str(path), NULL, NULL, index);
}

static struct index
load(struct arena *arena, struct span bytes)
{
	struct index index;

	assert_int_equal(open_bytes(arena, bytes, &index), INDEX_OK);
	return index;
}

static struct index
load_str(struct arena *arena, const char *text)
{
	return load(arena, span_str(text));
}

/* The ids from the root to LEAF, with commas; "-" if there is no way. */
static const char *
way_to(struct arena *arena, const struct index *index, const char *leaf,
    struct index_path *path)
{
	struct buf out = buf_new(arena, 64);

	if (!index_path(index, index_find(index, span_str(leaf)), arena, path))
		return "-";
	for (uint32_t i = 0; i < path->n; i++) {
		if (i > 0)
			buf_char(&out, ',');
		buf_add(&out, index->nodes[path->nodes[i]].id);
	}
	return arena_cstr(arena, buf_span(&out));
}

/* ---- what can be opened ---- */

/* How far it is need not be told. */
static void
a_large_session(struct arena *arena)
{
	struct buf text = buf_new(arena, 256);
	struct index index;

	buf_str(&text, HEADER "{\"id\":\"a\",\"parentId\":null,\"x\":\"");
	buf_add(&text, unit_repeat(arena, SPAN("x"), 5 * 1024 * 1024));
	buf_str(&text, "\"}\n" ENTRY("b", "\"a\"", USER));
	index = load(arena, buf_span(&text));
	assert_int_equal(index.n, 2);
}

static void
files_that_are_no_sessions(struct arena *arena)
{
	static const struct {
		struct span bytes;
		enum index_open opened;
	} rows[] = {
	    {LIT(""), INDEX_NO_SESSION},
	    {LIT("\n\n  \n"), INDEX_NO_SESSION},
	    {LIT("hello\nworld\n"), INDEX_NO_SESSION},
	    {LIT("{}\n"), INDEX_NO_SESSION},
	    {LIT("[]\n" HEADER), INDEX_NO_SESSION},
	    {LIT(ENTRY("a", "null", USER) HEADER), INDEX_NO_SESSION},
	    {LIT("{\"type\":\"session\"}\n"), INDEX_NO_SESSION},
	    {LIT("{\"type\":\"session\",\"id\":7}\n"), INDEX_NO_SESSION},
	    {LIT("{\"type\":\"session\",\"id\":\"\"}"), INDEX_OK},
	    {LIT("{\"type\":\"session\",\"id\":\"s\""), INDEX_NO_SESSION},
	    /* As for pi, what is no JSON is not the first line. */
	    {LIT("no JSON\n\n" HEADER), INDEX_OK},
	    {LIT("  " HEADER), INDEX_OK},
	};
	struct index index;

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(
		    open_bytes(arena, rows[i].bytes, &index) == rows[i].opened,
		    "row %zu: %s", i, rows[i].bytes.p);
}

static void
what_is_no_regular_file(struct arena *arena)
{
	const char *fifo = unit_path(arena, "fifo");
	struct index index;

	errno = 0;
	assert_int_equal(
	    index_open(arena, span_str(unit_base), NULL, NULL, &index),
	    INDEX_CANNOT_READ);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	errno = 0;
	assert_int_equal(index_open(arena, span_str(fifo), NULL, NULL, &index),
	    INDEX_CANNOT_READ);
	assert_int_equal(errno, 0);
	errno = 0;
	assert_int_equal(index_open(arena, span_str(unit_path(arena, "none")),
			     NULL, NULL, &index),
	    INDEX_CANNOT_READ);
	assert_int_equal(errno, ENOENT);
}

static void
versions_and_header(struct arena *arena)
{
	static const struct {
		const char *header;
		uint64_t version;
		const char *cwd;
	} rows[] = {
	    {"{\"type\":\"session\",\"id\":\"s\"}", 1, ""},
	    {"{\"type\":\"session\",\"id\":\"s\",\"version\":1}", 1, ""},
	    {"{\"type\":\"session\",\"id\":\"s\",\"version\":2,\"cwd\":\"/a\"}",
		2, "/a"},
	    {"{\"type\":\"session\",\"id\":\"s\",\"version\":3,\"cwd\":\"\"}",
		3, ""},
	    {"{\"type\":\"session\",\"id\":\"s\",\"version\":\"3\"}", 1, ""},
	    {"{\"type\":\"session\",\"id\":\"s\",\"version\":4,"
	     "\"cwd\":\"/\\ud800\"}",
		4, ""},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct index index = load_str(arena, rows[i].header);

		CHECK(index.version == rows[i].version, "row %zu", i);
		ASSERT_TEXT(index.cwd, rows[i].cwd);
		assert_int_equal(index.n, 0);
		assert_int_equal(index_last(&index), NODE_NONE);
	}
}

/* ---- the tree ---- */

static void
version_1_is_a_line(struct arena *arena)
{
	struct index index = load_str(arena,
	    "{\"type\":\"session\",\"id\":\"s\"}\n"
	    "{" USER "}\n"
	    "\n"
	    "junk\n"
	    "{" READ "}\n"
	    "{" COMPACTION ",\"firstKeptEntryIndex\":1}\n"
	    "{" READ ",\"id\":\"ignored\",\"parentId\":null}\n");
	struct index_path path;

	assert_string_equal(way_to(arena, &index, "#7", &path), "#2,#5,#6,#7");
	assert_int_equal(path.start, 3);
	ASSERT_TEXT(index.nodes[path.compaction].id, "#6");
	assert_false(path.broken);
	assert_int_equal(index.skipped, 1);
	assert_int_equal(index_find(&index, SPAN("ignored")), NODE_NONE);
	assert_int_equal(index_last(&index), 3);
	assert_int_equal(index.nodes[1].kind, NODE_READ_RESULT);
}

static void
forks_and_kinds(struct arena *arena)
{
	struct index index = load_str(arena,
	    HEADER ENTRY("a", "null", USER) ENTRY("b", "\"a\"",
		"\"type\":\"message\",\"message\":{\"role\":"
		"\"assistant\",\"content\":[]}") ENTRY("c", "\"b\"",
		READ) ENTRY("d", "\"b\"",
		"\"type\":\"message\",\"message\":{\"role\":"
		"\"toolResult\",\"toolName\":\"bash\",\"content\":[]}")
		ENTRY("e", "\"d\"",
		    "\"type\":\"message\",\"message\":{\"role\":"
		    "\"toolResult\",\"toolName\":\"read\",\"isError\":true}")
		    ENTRY("f", "\"c\"",
			"\"type\":\"context_edit\",\"targetId\":\"c\"")
			ENTRY("g", "\"e\"",
			    "\"type\":\"custom\",\"customType\":"
			    "\"pi-readcache\",\"data\":{}") ENTRY("h", "\"g\"",
			    "\"type\":\"custom\",\"customType\":\"x\"")
			    ENTRY("i", "\"f\"",
				"\"type\":\"a_new_type\",\"x\":[1,{}]")
				ENTRY("j", "\"i\"", "\"type\":7")
				    ENTRY("k", "null", USER));
	static const enum node_kind kinds[] = {NODE_USER, NODE_ASSISTANT,
	    NODE_READ_RESULT, NODE_TOOL_RESULT, NODE_READ_ERROR,
	    NODE_CONTEXT_EDIT, NODE_CUSTOM, NODE_OTHER, NODE_OTHER, NODE_OTHER,
	    NODE_USER};
	struct index_path path;

	assert_int_equal(index.n, COUNT_OF(kinds));
	for (uint32_t i = 0; i < index.n; i++)
		CHECK(index.nodes[i].kind == kinds[i], "node %u", i);
	assert_string_equal(way_to(arena, &index, "j", &path), "a,b,c,f,i,j");
	assert_string_equal(way_to(arena, &index, "h", &path), "a,b,d,e,g,h");
	assert_string_equal(way_to(arena, &index, "k", &path), "k");
	assert_false(path.broken);
	assert_string_equal(way_to(arena, &index, "c", &path), "a,b,c");
	assert_true(index.nodes[1].has_child);
	assert_false(index.nodes[7].has_child);
	assert_false(index.nodes[9].has_child);
	assert_int_equal(index_last(&index), 10);
}

static void
the_latest_compaction_is_the_boundary(struct arena *arena)
{
	struct index index = load_str(arena,
	    HEADER ENTRY("a", "null", USER) ENTRY("b", "\"a\"", COMPACTION)
		ENTRY("c", "\"b\"", USER) ENTRY(
		    "d", "\"c\"", COMPACTION ",\"firstKeptEntryId\":\"a\"")
		    ENTRY("e", "\"d\"", USER) ENTRY("f", "\"c\"", USER));
	struct index_path path;

	assert_string_equal(way_to(arena, &index, "e", &path), "a,b,c,d,e");
	ASSERT_TEXT(index.nodes[path.compaction].id, "d");
	assert_int_equal(path.start, 4);
	assert_string_equal(way_to(arena, &index, "f", &path), "a,b,c,f");
	ASSERT_TEXT(index.nodes[path.compaction].id, "b");
	assert_int_equal(path.start, 2);
	assert_string_equal(way_to(arena, &index, "d", &path), "a,b,c,d");
	assert_int_equal(path.start, 4); /* nothing is behind it */
	assert_string_equal(way_to(arena, &index, "a", &path), "a");
	assert_int_equal(path.compaction, NODE_NONE);
	assert_int_equal(path.start, 0);
}

/* ---- what ends the walk (T8) ---- */

static void
a_parent_that_is_not_there(struct arena *arena)
{
	struct index index = load_str(arena,
	    HEADER ENTRY("a", "null", USER) ENTRY("b", "\"gone\"", USER)
		ENTRY("c", "\"b\"", USER) ENTRY("d", "\"d\"",
		    USER) "{\"id\":\"e\"," USER "}\n" ENTRY("f", "7", USER));
	struct index_path path;

	assert_string_equal(way_to(arena, &index, "c", &path), "b,c");
	assert_true(path.broken);
	assert_string_equal(way_to(arena, &index, "e", &path), "e");
	assert_false(path.broken);
	assert_string_equal(way_to(arena, &index, "f", &path), "f");
	/* Its own parent: a circle, which means no trust at all. */
	assert_string_equal(way_to(arena, &index, "d", &path), "-");
	assert_int_equal(index_find(&index, SPAN("gone")), NODE_NONE);
	assert_false(index_path(&index, NODE_NONE, arena, &path));
	assert_false(index_path(&index, index.n, arena, &path));
}

/* SPEC 5: "A leaf that is not found, and a cycle, mean no trust at all." */
static void
a_circle_of_parents(struct arena *arena)
{
	struct index index = load_str(arena,
	    HEADER ENTRY("a", "\"c\"", READ) ENTRY("b", "\"a\"", READ)
		ENTRY("c", "\"b\"", READ) ENTRY("d", "\"c\"", READ));
	struct index_path path;

	assert_string_equal(way_to(arena, &index, "c", &path), "-");
	assert_string_equal(way_to(arena, &index, "d", &path), "-");
	assert_string_equal(way_to(arena, &index, "a", &path), "-");
}

/* pi never writes so; whatever is made of it, it is no more than pi sees. */
static void
a_child_before_its_parent(struct arena *arena)
{
	struct index index = load_str(arena,
	    HEADER ENTRY("b", "\"a\"", READ) ENTRY("a", "null", READ)
		ENTRY("c", "\"a\"", READ));
	struct index_path path;
	const char *way = way_to(arena, &index, "b", &path);

	CHECK(strcmp(way, "a,b") == 0 || strcmp(way, "-") == 0 ||
		  (strcmp(way, "b") == 0 && path.broken),
	    "%s", way);
	assert_string_equal(way_to(arena, &index, "c", &path), "a,c");
	for (uint32_t i = 0; i < index.n; i++)
		assert_true(index.nodes[i].parent == NODE_NONE ||
			    index.nodes[i].parent < i);
}

static void
an_id_that_occurs_twice(struct arena *arena)
{
	struct index index = load_str(arena,
	    HEADER ENTRY("a", "null", USER) ENTRY("b", "\"a\"", READ)
		ENTRY("c", "\"b\"", READ) ENTRY("b", "\"a\"", READ)
		    ENTRY("d", "\"b\"", READ) ENTRY("b", "\"d\"", READ));
	struct index_path path;

	assert_int_equal(index_find(&index, SPAN("b")), NODE_NONE);
	assert_string_equal(way_to(arena, &index, "b", &path), "-");
	assert_string_equal(way_to(arena, &index, "c", &path), "c");
	assert_true(path.broken);
	assert_string_equal(way_to(arena, &index, "d", &path), "d");
	assert_true(path.broken);
	assert_false(index_path(&index, index_last(&index), arena, &path));
}

static void
lines_that_cannot_be_read(struct arena *arena)
{
	struct index index = load_str(arena,
	    HEADER ENTRY("a", "null",
		USER) "{\"id\":\"b\",\"parentId\":\"a\",\"x\":\"\xff\"," READ
		      "}\n"
		      "{\"id\":\"n\",\"parentId\":\"a\",}\n" /* no JSON */
		      "\x1b[2J\n"
		      "[1,2]\n"
		      "\"text\"\n"
		      "null\n"
		      "{\"type\":\"x\"}\n" ENTRY("c", "\"b\"", READ)
			  ENTRY("d", "\"n\"", READ) ENTRY(
			      "e", "\"a\"", "\"type\":\"x\",\"t\":\"\\ud800\"")
			      ENTRY("f", "\"e\"", READ));
	struct index_path path;

	assert_int_equal(index.skipped, 2);
	assert_int_equal(index.n, 6);
	assert_true(index.nodes[1].unreadable);
	assert_string_equal(way_to(arena, &index, "b", &path), "-");
	assert_string_equal(way_to(arena, &index, "c", &path), "c");
	assert_true(path.broken);
	assert_string_equal(way_to(arena, &index, "d", &path), "d");
	assert_true(path.broken);
	assert_string_equal(way_to(arena, &index, "f", &path), "a,e,f");
	assert_false(path.broken);
}

static void
a_torn_last_line(struct arena *arena)
{
	static const char whole[] =
	    HEADER ENTRY("a", "null", USER) ENTRY("b", "\"a\"", READ);
	size_t first = sizeof(HEADER ENTRY("a", "null", USER)) - 1;

	for (size_t cut = first; cut < sizeof(whole) - 1; cut++) {
		struct index index = load(arena, span_of(whole, cut));
		bool complete = cut >= sizeof(whole) - 2;

		CHECK(index.n == (complete ? 2 : 1), "cut at %zu", cut);
		CHECK(index.skipped == (complete || cut == first ? 0 : 1),
		    "cut at %zu: %llu", cut, (unsigned long long)index.skipped);
		assert_int_equal(index_last(&index), index.n - 1);
		arena_close_fd(arena, index.fd);
	}
}

static void
ids_of_any_text(struct arena *arena)
{
	struct index index = load_str(arena,
	    HEADER ENTRY("\\u0061", "null", USER)
		ENTRY("with \\n and \\u001b", "\"a\"", USER) ENTRY(
		    "", "\"a\"", USER) "{\"id\":7,\"parentId\":\"a\"," USER
				       "}\n" ENTRY("\xc3\xa4",
					   "\"with \\n and \\u001b\"", USER));
	struct index_path path;

	assert_int_equal(index.n, 3);
	assert_string_equal(way_to(arena, &index, "\xc3\xa4", &path),
	    "a,with \n and \x1b,\xc3\xa4");
}

static void
lines_are_found_again(struct arena *arena)
{
	struct index index = load_str(arena, HEADER
	    "  \t" ENTRY("a", "null", USER) "\r\n" ENTRY("b", "\"a\"", READ));
	struct span line = index_line(&index, 1, arena);

	ASSERT_TEXT(line, "{\"id\":\"b\",\"parentId\":\"a\"," READ "}");
	line = index_line(&index, 0, arena);
	ASSERT_TEXT(line, "{\"id\":\"a\",\"parentId\":null," USER "}");
	assert_int_equal(index.nodes[1].line, 4);
	/* The file was cut off meanwhile. */
	assert_int_equal(truncate(unit_path(arena, "session.jsonl"), 80), 0);
	line = index_line(&index, 1, arena);
	assert_int_equal(line.n, 0);
}

static void
many_entries(struct arena *arena)
{
	struct buf bytes = buf_new(arena, 1 << 20);
	struct index_path path;
	struct index index;
	char line[256];

	buf_str(&bytes, HEADER);
	for (int i = 0; i < 5000; i++) {
		(void)snprintf(line, sizeof(line),
		    "{\"type\":\"x\",\"id\":\"%d\",\"parentId\":\"%d\"}\n", i,
		    i - (i % 7 == 0 && i > 7 ? 7 : 1));
		buf_str(&bytes, line);
	}
	index = load(arena, buf_span(&bytes));
	assert_int_equal(index.n, 5000);
	for (uint32_t leaf = 0; leaf < index.n; leaf++) {
		assert_true(index_path(&index, leaf, arena, &path));
		for (uint32_t i = 1; i < path.n; i++)
			assert_int_equal(index.nodes[path.nodes[i]].parent,
			    path.nodes[i - 1]);
		assert_int_equal(path.nodes[path.n - 1], leaf);
	}
}

/* No room is made for entries that a file of empty lines might have. */
static void
lines_without_entries_cost_no_memory(struct arena *arena)
{
	struct span lines = unit_repeat(arena, SPAN("\n"), 1 << 20);
	const char *path = unit_path(arena, "session.jsonl");
	struct arena *small = arena_new((size_t)16 << 20);
	struct index index;

	unit_write_file(path, unit_join(arena, span_str(HEADER), lines));
	assert_non_null(small);
	if (setjmp(*arena_guard(small)) != 0)
		unit_fail(__FILE__, __LINE__, "the memory is not enough");
	assert_int_equal(
	    index_open(small, span_str(path), NULL, NULL, &index), INDEX_OK);
	assert_int_equal(index.n, 0);
	arena_free(small);
}

struct told {
	int calls;
	uint64_t done;
};

static void
tell(void *context, uint64_t done, uint64_t all)
{
	struct told *told = context;

	assert_true(done >= told->done);
	assert_true(done <= all);
	told->calls++;
	told->done = done;
}

static void
progress_is_told(struct arena *arena)
{
	const char *path = unit_path(arena, "session.jsonl");
	struct span big =
	    unit_repeat(arena, SPAN("{\"x\":\"0123456789\"}\n"), 800000);
	struct told told = {0, 0};
	struct index index;

	unit_write_file(path, unit_join(arena, span_str(HEADER), big));
	assert_int_equal(
	    index_open(arena, span_str(path), tell, &told, &index), INDEX_OK);
	assert_true(told.calls >= 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_large_session),
	    TEST(files_that_are_no_sessions),
	    TEST(what_is_no_regular_file),
	    TEST(versions_and_header),
	    TEST(version_1_is_a_line),
	    TEST(forks_and_kinds),
	    TEST(the_latest_compaction_is_the_boundary),
	    TEST(a_parent_that_is_not_there),
	    TEST(a_circle_of_parents),
	    TEST(a_child_before_its_parent),
	    TEST(an_id_that_occurs_twice),
	    TEST(lines_that_cannot_be_read),
	    TEST(a_torn_last_line),
	    TEST(ids_of_any_text),
	    TEST(lines_are_found_again),
	    TEST(many_entries),
	    TEST(lines_without_entries_cost_no_memory),
	    TEST(progress_is_told),
	};

	return RUN_TESTS_IN_DIR(tests);
}
