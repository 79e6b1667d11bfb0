/*
 * What a serving process remembers must be what the whole branch says.
 */
#include "unit_dir.h"

#include "file/known.h"
#include "serve/branch.h"
#include "serve/memory.h"

#define HEADER "{\"type\":\"session\",\"id\":\"s\",\"version\":3}\n"

/* A refresh of PATH: the shortest entry that says something. */
#define ENTRY(id, parent, path) \
	"{\"type\":\"custom\",\"id\":\"" id "\",\"parentId\":" parent \
	",\"customType\":\"pi-readcache\",\"data\":{\"v\":1," \
	"\"kind\":\"invalidate\",\"pathKey\":\"" path "\",\"scopeKey\":" \
	"\"full\",\"at\":1}}"
#define A ENTRY("a", "null", "/a")
#define B ENTRY("b", "\"a\"", "/b")
#define C ENTRY("c", "\"b\"", "/c")
#define D ENTRY("d", "\"c\"", "/d")
#define X ENTRY("x", "\"a\"", "/x")
#define Y ENTRY("y", "\"x\"", "/y")
#define EDIT_OF_A \
	"{\"type\":\"context_edit\",\"id\":\"e\",\"parentId\":\"b\"," \
	"\"targetId\":\"a\",\"replacement\":null}"
#define COMPACTION \
	"{\"type\":\"compaction\",\"id\":\"k\",\"parentId\":\"b\"}"

/* The memory of a process, gone with the test. */
static struct memory *memory;

static int
make_memory(void **state)
{
	memory = memory_new();
	return memory != NULL ? unit_begin(state) : -1;
}

static int
drop_memory(void **state)
{
	memory_free(memory);
	return unit_end(state);
}

/* The paths of the events, joined by blanks, or the state. */
static struct span
ask(struct arena *arena, struct session session, const struct focus *focus)
{
	struct buf out = buf_new(arena, 64);
	struct branch branch;

	session.memory = memory;
	session.leaf = session.leaf_id.n > 0 ? LEAF_ID : LEAF_ABSENT;
	if (!branch_known(arena, &session))
		return SPAN("unknown");
	branch = branch_load(arena, &session, focus);
	if (branch.state != BRANCH_OK)
		buf_str(&out, branch_state_name(branch.state));
	for (size_t i = 0; i < branch.n; i++) {
		if (i > 0)
			buf_char(&out, ' ');
		buf_add(&out, branch.events[i].path);
	}
	return buf_span(&out);
}

/* Entries, a JSON array; AFTER may be NULL. */
static struct session
session_of(struct arena *arena, const char *id, const char *after,
    const char *entries, const char *leaf)
{
	struct json_doc *doc = arena_alloc(arena, sizeof(*doc));
	struct buf request = buf_new(arena, 256);
	struct json_field f[] = {{.name = SPAN("session")}};
	struct json_field g[] = {{.name = SPAN("entries")}};
	struct session session = {.doc = doc, .source = SESSION_ENTRIES,
	    .id = span_str(id), .leaf_id = span_str(leaf),
	    .after = span_str(after != NULL ? after : ""),
	    .overlay = SPAN("")};

	/* As request_parse does: what is known is leapt over. */
	buf_str(&request, "{\"session\":{\"entries\":");
	buf_str(&request, entries);
	buf_str(&request, "}}");
	assert_true(json_judge_known(arena, buf_span(&request),
	    memory_known(memory), doc));
	json_pick(doc, buf_span(&request), f, 1);
	json_pick(doc, f[0].value, g, 1);
	session.entries = g[0].value;
	return session;
}

static struct span
send(struct arena *arena, const char *id, const char *after,
    const char *entries, const char *leaf)
{
	return ask(arena, session_of(arena, id, after, entries, leaf), NULL);
}

/* The same with a request that does not look at its session. */
static void
tell(struct arena *arena, const char *id, const char *entries,
    const char *leaf)
{
	struct session session = session_of(arena, id, NULL, entries, leaf);

	session.memory = memory;
	session.leaf = session.leaf_id.n > 0 ? LEAF_ID : LEAF_EMPTY;
	assert_true(branch_known(arena, &session));
}

static void
only_what_is_new(struct arena *arena)
{
	ASSERT_TEXT(send(arena, "s", "b", "[" C "]", "c"), "unknown");
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "," B "]", "b"), "/a /b");
	ASSERT_TEXT(send(arena, "s", "b", "[" C "," D "]", "d"),
	    "/a /b /c /d");
	ASSERT_TEXT(send(arena, "s", "d", "[]", "d"), "/a /b /c /d");
	/* Back to an entry of the branch, and on from there. */
	ASSERT_TEXT(send(arena, "s", "a", "[" X "]", "x"), "/a /x");
	ASSERT_TEXT(send(arena, "s", "x", "[" Y "]", "y"), "/a /x /y");
}

static void
another_session_is_not_known(struct arena *arena)
{
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "," B "]", "b"), "/a /b");
	ASSERT_TEXT(send(arena, "t", "b", "[" C "]", "c"), "unknown");
	/* And now nothing is. */
	ASSERT_TEXT(send(arena, "s", "b", "[" C "]", "c"), "unknown");
	/* Without a name nobody can come back. */
	ASSERT_TEXT(send(arena, "", NULL, "[" A "," B "]", "b"), "/a /b");
	ASSERT_TEXT(send(arena, "", "b", "[" C "]", "c"), "unknown");
}

/* The number of an entry that was cut off is another one's now. */
static void
what_was_left_is_not_known(struct arena *arena)
{
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "," B "," C "]", "c"),
	    "/a /b /c");
	ASSERT_TEXT(send(arena, "s", "a", "[" X "," Y "]", "y"),
	    "/a /x /y");
	ASSERT_TEXT(send(arena, "s", "b", "[" C "]", "c"), "unknown");
}

/* What was sent last counts, whatever came of the request. */
static void
what_was_only_told(struct arena *arena)
{
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "," B "]", "b"), "/a /b");
	ASSERT_TEXT(send(arena, "s", "b", "[]", "b"), "/a /b");
	tell(arena, "s", "[" ENTRY("a", "null", "/z") "," B "]", "b");
	ASSERT_TEXT(send(arena, "s", "b", "[" C "]", "c"), "/z /b /c");
	tell(arena, "s", "[]", "");
	ASSERT_TEXT(send(arena, "s", "b", "[" C "]", "c"), "unknown");
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "," B "]", "b"), "/a /b");
	memory_forget(memory);
	ASSERT_TEXT(send(arena, "s", "b", "[" C "]", "c"), "unknown");
}

static void
what_does_not_simply_follow(struct arena *arena)
{
	static const struct {
		const char *after, *entries, *leaf;
	} rows[] = {
		{"b", "[" D "]", "d"},            /* a hole */
		{"b", "[" C "]", "b"},            /* not up to the leaf */
		{"b", "[" D "," C "]", "c"},      /* another order */
		{"b", "[" EDIT_OF_A "]", "e"},    /* changes what was before */
		{"b", "[" COMPACTION "]", "k"},   /* the same */
		{"b", "[" C "," C "]", "c"},      /* an id twice */
		{"b", "[" ENTRY("a", "\"b\"", "/z") "]", "a"},
		{"b", "[1]", "b"},                /* no entry */
		{"z", "[]", "z"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span said;

		ASSERT_TEXT(send(arena, "s", NULL, "[" A "," B "]", "b"),
		    "/a /b");
		said = send(arena, "s", rows[i].after, rows[i].entries,
		    rows[i].leaf);
		CHECK(span_eq(said, SPAN("unknown")), "row %zu: %.*s", i,
		    (int)said.n, said.p);
	}
}

/* Ids that are taken, though not on the branch: with them it is another. */
static void
ids_beside_the_branch(struct arena *arena)
{
	static const char orphan[] = ENTRY("p", "\"zz\"", "/p");
	static const char after_k[] = ENTRY("q", "\"k\"", "/q");

	/* The parent that was missing comes behind its child: a circle. */
	(void)send(arena, "s", NULL, arena_cstr(arena, unit_join(arena,
	    unit_join(arena, SPAN("["), span_str(orphan)), SPAN("]"))), "p");
	ASSERT_TEXT(send(arena, "s", "p", "[" ENTRY("zz", "\"p\"", "/z") "]",
			"zz"),
	    "unknown");
	/* An entry of another branch. */
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "," B "," X "]", "b"),
	    "/a /b");
	ASSERT_TEXT(send(arena, "s", "b", "[" ENTRY("x", "\"b\"", "/x") "]",
			"x"),
	    "unknown");
	/* The boundary. */
	(void)send(arena, "s", NULL, arena_cstr(arena, unit_join(arena,
	    unit_join(arena, SPAN("[" COMPACTION ","), span_str(after_k)),
	    SPAN("]"))), "q");
	ASSERT_TEXT(send(arena, "s", "q", "[" ENTRY("k", "\"q\"", "/k") "]",
			"k"),
	    "unknown");
}

/* Before an edit the branch would say something else. */
static void
no_way_back_before_an_edit(struct arena *arena)
{
	static const char whole[] = "[" A "," B "," EDIT_OF_A "]";

	ASSERT_TEXT(send(arena, "s", NULL, whole, "e"), "/a /b");
	ASSERT_TEXT(send(arena, "s", "b", "[" C "]", "c"), "unknown");
	ASSERT_TEXT(send(arena, "s", NULL, whole, "e"), "/a /b");
	ASSERT_TEXT(send(arena, "s", "e",
			"[" ENTRY("f", "\"e\"", "/f") "]", "f"),
	    "/a /b /f");
}

/* Hosts that send all of it, again and again. */
static void
a_text_that_grows(struct arena *arena)
{
	ASSERT_TEXT(send(arena, "", NULL, "[" A "]", "a"), "/a");
	assert_int_equal(memory_known(memory).n, 0); /* seen once */
	ASSERT_TEXT(send(arena, "", NULL, "[" A "," B "]", "b"), "/a /b");
	ASSERT_SPAN(memory_known(memory), SPAN(A "," B));
	ASSERT_TEXT(send(arena, "", NULL, "[" A "," B "," C "]", "c"),
	    "/a /b /c");
	ASSERT_SPAN(memory_known(memory), SPAN(A "," B "," C));
	ASSERT_TEXT(send(arena, "", NULL, "[" A "," B "," C "]", "c"),
	    "/a /b /c");
	/* The same text, and another leaf. */
	ASSERT_TEXT(send(arena, "", NULL, "[" A "," B "," C "]", "b"),
	    "/a /b");
	/* Something else in the middle. */
	ASSERT_TEXT(send(arena, "", NULL, "[" A "," X "," Y "]", "y"),
	    "/a /x /y");
	ASSERT_TEXT(send(arena, "", NULL, "[" A "," B "," C "]", "c"),
	    "/a /b /c");
	ASSERT_TEXT(send(arena, "", NULL, "[" A "," B "," C "]", "c"),
	    "/a /b /c");
	/* It goes on with something that changes what was before. */
	ASSERT_TEXT(send(arena, "", NULL,
			"[" A "," B "," C "," D "," EDIT_OF_A "]", "d"),
	    "/a /b /c /d");
	ASSERT_TEXT(send(arena, "", NULL,
			"[" A "," B "," COMPACTION ","
			ENTRY("l", "\"k\"", "/l") "]", "l"),
	    "/l");
}

/* Other branches among them, or in another order: never leapt over. */
static void
texts_that_are_no_branch(struct arena *arena)
{
	for (int i = 0; i < 3; i++) {
		ASSERT_TEXT(send(arena, "", NULL, "[" B "," A "]", "b"),
		    "/a /b");
		assert_int_equal(memory_known(memory).n, 0);
	}
	for (int i = 0; i < 3; i++) {
		ASSERT_TEXT(send(arena, "", NULL, "[" A "," B "," X "]", "b"),
		    "/a /b");
		assert_int_equal(memory_known(memory).n, 0);
	}
}

/* The text is known first, then the host goes on by session.after. */
static void
both_ways(struct arena *arena)
{
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "]", "a"), "/a");
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "]", "a"), "/a");
	ASSERT_TEXT(send(arena, "s", "a", "[" B "]", "b"), "/a /b");
	/* Now the memory says more than the text did. */
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "]", "a"), "/a");
	ASSERT_TEXT(send(arena, "s", NULL, "[" A "," X "]", "x"), "/a /x");
}

/* ---- files ---- */

static struct span
read_file(struct arena *arena, const char *leaf)
{
	struct json_doc doc = json_doc(arena);
	struct session session = {.doc = &doc, .source = SESSION_FILE,
	    .file = span_str(unit_path(arena, "session.jsonl")),
	    .leaf_id = span_str(leaf != NULL ? leaf : ""),
	    .overlay = SPAN("")};

	return ask(arena, session, NULL);
}

static void
write_session(struct arena *arena, const char *text)
{
	unit_write_file(unit_path(arena, "session.jsonl"), span_str(text));
}

static void
a_file_that_grows(struct arena *arena)
{
	write_session(arena, HEADER A "\n");
	ASSERT_TEXT(read_file(arena, NULL), "/a");
	ASSERT_TEXT(read_file(arena, NULL), "/a");
	write_session(arena, HEADER A "\n" B "\n\n" C "\n");
	ASSERT_TEXT(read_file(arena, NULL), "/a /b /c");
	ASSERT_TEXT(read_file(arena, "c"), "/a /b /c");
	/* A leaf that is not the last one. */
	ASSERT_TEXT(read_file(arena, "b"), "/a /b");
	ASSERT_TEXT(read_file(arena, NULL), "/a /b /c");
	ASSERT_TEXT(read_file(arena, "zz"), "no_leaf");
	ASSERT_TEXT(read_file(arena, NULL), "/a /b /c");
}

static void
what_is_appended(struct arena *arena)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
		{X "\n", "/a /x"},                /* another branch */
		{EDIT_OF_A "\n", "/a /b"},        /* targets the first */
		{COMPACTION "\n", ""},            /* a boundary */
		{"{\"torn", "/a /b"},             /* as pi: not there */
		{"{\"torn\n" C "\n", "/a /b /c"}, /* and not in the way */
		{ENTRY("a", "\"b\"", "/z") "\n", "/b /z"}, /* an id twice */
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf text = buf_new(arena, 256);
		struct span said;

		buf_str(&text, HEADER A "\n" B "\n");
		write_session(arena, arena_cstr(arena, buf_span(&text)));
		ASSERT_TEXT(read_file(arena, NULL), "/a /b");
		buf_str(&text, rows[i].text);
		write_session(arena, arena_cstr(arena, buf_span(&text)));
		said = read_file(arena, NULL);
		/* Whatever it is, a process that knows nothing says it too. */
		memory_free(memory);
		memory = memory_new();
		ASSERT_SPAN(read_file(arena, NULL), said);
		if (i < 5)
			ASSERT_TEXT(said, rows[i].said);
	}
}

/* An id twice, of which the first was appended, too. */
static void
what_was_appended_before(struct arena *arena)
{
	static const char *const lines[] = {
	    C "\n", D "\n", ENTRY("c", "\"d\"", "/z") "\n"};
	struct buf text = buf_new(arena, 256);
	struct span said;

	buf_str(&text, HEADER A "\n" B "\n");
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		write_session(arena, arena_cstr(arena, buf_span(&text)));
		(void)read_file(arena, NULL);
		buf_str(&text, lines[i]);
	}
	write_session(arena, arena_cstr(arena, buf_span(&text)));
	said = read_file(arena, NULL);
	memory_free(memory);
	memory = memory_new();
	ASSERT_SPAN(read_file(arena, NULL), said);
	assert_false(span_eq(said, SPAN("/a /b /c /d /z")));
}

/* What stood in the file before decides about what is appended. */
static void
what_was_there_before(struct arena *arena)
{
	static const struct {
		const char *before, *appended;
	} rows[] = {
		/* The parent that was missing comes: a circle. */
		{ENTRY("a", "\"b\"", "/a") "\n", B "\n"},
		/* The id of an entry beside the branch, once more. */
		{A "\n" X "\n" B "\n", ENTRY("x", "\"b\"", "/z") "\n"},
		/* The id of a line behind the leaf that nobody can read. */
		{A "\n" B "\n{\"id\":\"c\",}\n", C "\n"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf text = buf_new(arena, 256);
		struct span said;

		buf_str(&text, HEADER);
		buf_str(&text, rows[i].before);
		write_session(arena, arena_cstr(arena, buf_span(&text)));
		(void)read_file(arena, NULL);
		buf_str(&text, rows[i].appended);
		write_session(arena, arena_cstr(arena, buf_span(&text)));
		said = read_file(arena, NULL);
		memory_free(memory);
		memory = memory_new();
		ASSERT_SPAN(read_file(arena, NULL), said);
	}
}

static void
a_file_that_is_another(struct arena *arena)
{
	write_session(arena, HEADER A "\n" B "\n");
	ASSERT_TEXT(read_file(arena, NULL), "/a /b");
	/* Shorter. */
	write_session(arena, HEADER A "\n");
	ASSERT_TEXT(read_file(arena, NULL), "/a");
	/* Longer, with other bytes where the end was. */
	write_session(arena, HEADER X "\n" Y "\n");
	ASSERT_TEXT(read_file(arena, NULL), "/x /y");
	/* Longer, with another entry before the one that follows. */
	write_session(arena, HEADER A "\n" B "\n");
	ASSERT_TEXT(read_file(arena, NULL), "/a /b");
	write_session(arena, HEADER ENTRY("a", "null", "/q") "\n" B "\n" C "\n");
	ASSERT_TEXT(read_file(arena, NULL), "/q /b /c");
	/* A new file in its place. */
	assert_int_equal(unlink(unit_path(arena, "session.jsonl")), 0);
	write_session(arena, HEADER A "\n" B "\n" C "\n");
	ASSERT_TEXT(read_file(arena, NULL), "/a /b /c");
	assert_int_equal(unlink(unit_path(arena, "session.jsonl")), 0);
	ASSERT_TEXT(read_file(arena, NULL), "no_file");
}

/*
 * F5: two ids of one hash, of which one would be 0, as long as hashing had no
 * key.  They are told apart.
 */
static void
f5_ids_that_collided(struct arena *arena)
{
	struct buf text = buf_new(arena, 8192);
	char line[256];

	buf_str(&text, HEADER
	    "{\"type\":\"message\",\"parentId\":null,\"id\":\"p1-\\u0002\\u0005"
	    "\\u001d\\u000e\\u0001\\u001b\\u001d\\u0007\\u000f\\f\\r\\u0000\\u0002"
	    "\\u0006\\u0001\\u000b\"}\n");
	for (int i = 0; i < 63; i++) {
		(void)snprintf(line, sizeof(line),
		    "{\"type\":\"message\",\"id\":\"m%d\",\"parentId\":\"%s%d\"}\n",
		    i, i > 0 ? "m" : "qq", i > 0 ? i - 1 : 0);
		buf_str(&text, line);
	}
	buf_str(&text, "{\"type\":\"message\",\"id\":\"77kepQFQ8Kl\","
		       "\"parentId\":\"m62\"}\n");
	write_session(arena, arena_cstr(arena, buf_span(&text)));
	ASSERT_TEXT(read_file(arena, NULL), "");
}

/* The events of one file only, by either of its names. */
static void
by_file(struct arena *arena)
{
	struct json_doc doc = json_doc(arena);
	struct session session = {.doc = &doc, .source = SESSION_FILE,
	    .file = span_str(unit_path(arena, "session.jsonl")),
	    .overlay = SPAN("")};
	struct focus focus = {.path = SPAN("/b"), .name = SPAN("/d"),
	    .bytes = SPAN("")};

	write_session(arena, HEADER A "\n" B "\n" C "\n" D "\n");
	ASSERT_TEXT(ask(arena, session, &focus), "/b /d");
	focus.path = focus.name = SPAN("/q");
	ASSERT_TEXT(ask(arena, session, &focus), "");
}

/* ---- the hashes of files ---- */

static void
hashes(struct arena *arena)
{
	static const struct span texts[] = {LIT("one"), LIT("two"),
		LIT("one"), LIT("one"), LIT(""), LIT("one\n"), LIT("onf")};
	struct known *known = known_new();
	struct span large = unit_repeat(arena, SPAN("x"), 3000000);

	assert_non_null(known);
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct digest right = digest_of(texts[i]);
		struct digest got = known_digest(known, SPAN("/a"), texts[i]);

		CHECK(digest_eq(&right, &got), "text %zu", i);
		got = known_digest(NULL, SPAN("/a"), texts[i]);
		CHECK(digest_eq(&right, &got), "text %zu, nothing known", i);
	}
	for (int i = 0; i < 2; i++) {
		struct digest right = digest_of(large);
		struct digest got = known_digest(known, SPAN("/a"), large);

		assert_true(digest_eq(&right, &got));
	}
	known_free(known);
	known_free(NULL);
}

#define REMEMBERS(body) \
	{#body, unit_run, make_memory, drop_memory, \
		&(struct unit){body, NULL}}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		REMEMBERS(only_what_is_new),
		REMEMBERS(another_session_is_not_known),
		REMEMBERS(what_was_left_is_not_known),
		REMEMBERS(what_was_only_told),
		REMEMBERS(what_does_not_simply_follow),
		REMEMBERS(ids_beside_the_branch),
		REMEMBERS(no_way_back_before_an_edit),
		REMEMBERS(a_text_that_grows),
		REMEMBERS(texts_that_are_no_branch),
		REMEMBERS(both_ways),
		REMEMBERS(a_file_that_grows),
		REMEMBERS(what_is_appended),
		REMEMBERS(what_was_appended_before),
		REMEMBERS(what_was_there_before),
		REMEMBERS(a_file_that_is_another),
		REMEMBERS(f5_ids_that_collided),
		REMEMBERS(by_file),
		TEST(hashes),
	};

	return RUN_TESTS_IN_DIR(tests);
}
