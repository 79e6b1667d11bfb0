#include "unit_dir.h"

#include "base/digest.h"
#include "base/lines.h"
#include "host/host.h"
#include "inspect/asked.h"
#include "inspect/audit.h"
#include "json/emit.h"

/* ---- a session, line by line ---- */

struct story {
	struct arena *arena;
	struct buf text;
	const char *leaf;
	int calls;
};

static struct story
session_new(struct arena *arena)
{
	struct story s = {arena, buf_new(arena, 4096), NULL, 0};

	buf_str(&s.text, "{\"type\":\"session\",\"version\":3,\"id\":\"s\","
			 "\"cwd\":\"/w\"}\n");
	return s;
}

/* An entry ID below the leaf, with more MEMBERS. */
static void
append(struct story *s, const char *id, const char *members)
{
	buf_str(&s->text, "{\"id\":\"");
	buf_str(&s->text, id);
	buf_str(&s->text, "\",\"parentId\":");
	buf_str(&s->text, s->leaf != NULL ? "\"" : "null");
	if (s->leaf != NULL) {
		buf_str(&s->text, s->leaf);
		buf_char(&s->text, '"');
	}
	buf_char(&s->text, ',');
	buf_str(&s->text, members);
	buf_str(&s->text, "}\n");
	s->leaf = id;
}

static const char *
joined(struct story *s, const char *a, const char *b)
{
	return arena_cstr(s->arena, unit_join(s->arena, span_str(a),
	    span_str(b)));
}

/* The call of PATH, as the entry ID and "-call"; its stop reason. */
static void
ask(struct story *s, const char *id, const char *path, const char *stop)
{
	struct buf members = buf_new(s->arena, 256);

	buf_str(&members, "\"type\":\"message\",\"message\":{\"role\":"
			  "\"assistant\",\"stopReason\":\"");
	buf_str(&members, stop);
	buf_str(&members, "\",\"content\":[{\"type\":\"toolCall\",\"name\":"
			  "\"read\",\"id\":\"");
	buf_str(&members, id);
	buf_str(&members, "\",\"arguments\":{\"path\":");
	emit_string(&members, span_str(path));
	buf_str(&members, "}}]}");
	append(s, joined(s, id, "-call"),
	    arena_cstr(s->arena, buf_span(&members)));
}

/* The result of the call ID, with metadata if META is not NULL. */
static void
answer(struct story *s, const char *id, struct span text,
    const struct meta *meta)
{
	struct buf members = buf_new(s->arena, 256);
	struct meta delivered;

	buf_str(&members, "\"type\":\"message\",\"message\":{\"role\":"
			  "\"toolResult\",\"toolName\":\"read\","
			  "\"toolCallId\":\"");
	buf_str(&members, id);
	buf_str(&members, "\",\"content\":[{\"type\":\"text\",\"text\":");
	emit_string(&members, text);
	buf_str(&members, "}]");
	if (meta != NULL) {
		buf_str(&members, ",\"details\":{\"readcache\":");
		delivered = *meta;
		event_delivers(&delivered.read, text);
		meta_emit(&members, &delivered);
		buf_char(&members, '}');
	}
	buf_char(&members, '}');
	append(s, id, arena_cstr(s->arena, buf_span(&members)));
}

static struct meta
meta_of(enum mode mode, struct span version)
{
	struct digest hash = digest_of(version);

	return (struct meta){
	    .read = {
		.path = SPAN("/w/x"),
		.name = SPAN("/w/x"),
		.mode = mode,
		.scope = scope_full(),
		.served = hash,
		.has_base = mode != MODE_FULL,
		.base = hash,
		.total = lines_count(version),
	    },
	    .text_hash = SPAN(""),
	};
}

static const struct span file = LIT("a\nb\nc\n");

static void
show(struct story *s, const char *id)
{
	struct meta meta = meta_of(MODE_FULL, file);

	ask(s, id, "x", "toolUse");
	answer(s, id, file, &meta);
}

static void
claim(struct story *s, const char *id)
{
	struct meta meta = meta_of(MODE_UNCHANGED, file);

	ask(s, id, "x", "toolUse");
	answer(s, id, SPAN("[readcache: unchanged, 4 lines]"), &meta);
}

/* "id: why" of every violation, one behind the other. */
static struct span
audited(struct story *s)
{
	const char *path = unit_path(s->arena, "s.jsonl");
	struct buf out = buf_new(s->arena, 256);
	struct session_records records;
	struct index index;
	struct audit audit;

	unit_write_file(path, buf_span(&s->text));
	assert_int_equal(host->index(s->arena, span_str(path), NULL, NULL,
			     &index), INDEX_OK);
	records = host->records(&index, NULL, NULL);
	audit = audit_session(&records, SPAN("/home/me"), s->arena, NULL,
	    NULL);
	for (size_t i = 0; i < audit.n; i++) {
		buf_add(&out, index.nodes[audit.violations[i].node].id);
		buf_str(&out, ": ");
		buf_add(&out, audit.violations[i].why);
		buf_char(&out, '\n');
	}
	return buf_span(&out);
}

#define EDIT(target) \
	"\"type\":\"context_edit\",\"targetId\":\"" target "\"," \
	"\"replacement\":null"
#define COMPACTION(kept) \
	"\"type\":\"compaction\",\"firstKeptEntryId\":" kept

/* ---- branches ---- */

static void
test_branches(struct arena *arena)
{
	struct story s = session_new(arena);

	append(&s, "root", "\"type\":\"label\"");
	show(&s, "a1");
	claim(&s, "a2");
	s.leaf = "root";
	claim(&s, "b1");
	show(&s, "b2");
	claim(&s, "b3");
	/* Back on the first branch, below its text and below its marker. */
	s.leaf = "a1";
	claim(&s, "a3");
	s.leaf = "a2";
	claim(&s, "a4");
	s.leaf = NULL;
	claim(&s, "c1");
	ASSERT_TEXT(audited(&s), "b1: nothing of the file was shown\n"
				 "c1: nothing of the file was shown\n");
}

/* An edit on one branch is none on the other. */
static void
test_edits(struct arena *arena)
{
	struct story s = session_new(arena);

	show(&s, "a1");
	append(&s, "e1", EDIT("a1"));
	claim(&s, "a2");
	show(&s, "a3");
	append(&s, "e2", EDIT("a1"));
	append(&s, "e3", EDIT("nobody"));
	claim(&s, "a4");
	append(&s, "e4", EDIT("a3-call"));
	claim(&s, "a5");
	s.leaf = "a1";
	claim(&s, "b1");
	append(&s, "e5", "\"type\":\"context_edit\",\"targetId\":\"a1\","
			 "\"replacement\":{\"content\":\"a\\nb\\nc\\n\"}");
	claim(&s, "b2");
	s.leaf = "b1";
	append(&s, "e6", "\"type\":\"context_edit\"");
	claim(&s, "b3");
	ASSERT_TEXT(audited(&s),
	    "a2: the text was taken out of the context by an edit\n"
	    "a5: the text's call failed, was aborted or was edited\n"
	    "b2: the text was replaced by another one\n"
	    "b3: the text is before an entry that cannot be understood\n");
}

static void
test_compactions(struct arena *arena)
{
	struct story s = session_new(arena);

	append(&s, "root", "\"type\":\"label\"");
	show(&s, "a1");
	append(&s, "k1", COMPACTION("\"a1-call\""));
	claim(&s, "a2");
	append(&s, "k2", COMPACTION("\"a2-call\""));
	claim(&s, "a3");
	s.leaf = "a2";
	append(&s, "k3", COMPACTION("\"root\""));
	claim(&s, "b1");
	append(&s, "k4", COMPACTION("null"));
	claim(&s, "b2");
	s.leaf = "b1";
	append(&s, "k5", COMPACTION("\"k5\""));
	claim(&s, "b3");
	s.leaf = "b1";
	append(&s, "k6", COMPACTION("\"nobody\""));
	claim(&s, "b4");
	s.leaf = "b1";
	claim(&s, "b5");
	ASSERT_TEXT(audited(&s),
	    "a3: the text is before a compaction that did not keep it\n"
	    "b2: the text is before a compaction that did not keep it\n"
	    "b3: the text is before a compaction that did not keep it\n"
	    "b4: the text is before a compaction that did not keep it\n");
}

static void
test_failed_call(struct arena *arena)
{
	struct story s = session_new(arena);
	struct meta meta = meta_of(MODE_FULL, file);

	ask(&s, "a1", "x", "aborted");
	answer(&s, "a1", file, &meta);
	claim(&s, "a2");
	ASSERT_TEXT(audited(&s),
	    "a2: the text's call failed, was aborted or was edited\n");
}

/* Results of one batch: with each other, or as if alone. */
static void
test_batch(struct arena *arena)
{
	static const struct span text = LIT(
	    "[readcache: 1 lines changed of 4]\n--- a/x\n+++ b/x\n"
	    "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
	struct story s = session_new(arena);
	struct meta meta = meta_of(MODE_DIFF, SPAN("a\nB\nc\n"));
	struct meta same = meta_of(MODE_UNCHANGED, SPAN("a\nB\nc\n"));

	meta.read.base = digest_of(file);
	show(&s, "a1");
	append(&s, "two", "\"type\":\"message\",\"message\":{\"role\":"
	    "\"assistant\",\"content\":["
	    "{\"type\":\"toolCall\",\"name\":\"read\",\"id\":\"b1\","
	    "\"arguments\":{\"path\":\"x\"}},"
	    "{\"type\":\"toolCall\",\"name\":\"read\",\"id\":\"b2\","
	    "\"arguments\":{\"path\":\"x\"}},"
	    "{\"type\":\"toolCall\",\"name\":\"read\",\"id\":\"b3\","
	    "\"arguments\":{\"path\":\"x\"}}]}");
	answer(&s, "b1", text, &meta);
	answer(&s, "b2", text, &meta); /* from the same base, beside b1 */
	answer(&s, "b3", SPAN("[readcache: unchanged, 4 lines]"), &same);
	ask(&s, "c1", "x", "toolUse");
	answer(&s, "c1", text, &meta); /* but this comes after them */
	ASSERT_TEXT(audited(&s), "c1: the diff is for another version than "
				 "the one shown\n");
}

/* ---- files that are not as they should be ---- */

static void
test_twins_and_junk(struct arena *arena)
{
	struct story s = session_new(arena);

	show(&s, "a1");
	claim(&s, "a2");
	buf_str(&s.text, "{\"type\":\"mess\n17\n{}\n");
	s.leaf = NULL;
	claim(&s, "a2"); /* the second of this name */
	s.leaf = "a2";
	claim(&s, "a3"); /* below one of both */
	ASSERT_TEXT(audited(&s), "a3: nothing of the file was shown\n");
}

static void
test_unreadable(struct arena *arena)
{
	struct story s = session_new(arena);

	show(&s, "a1");
	append(&s, "bad", "\"type\":\"label\",\"label\":\"\xff\"");
	claim(&s, "a2");
	ASSERT_TEXT(audited(&s),
	    "a2: the text is before an entry that cannot be understood\n");
}

static void
test_stored_text_is_the_truth(struct arena *arena)
{
	struct story s = session_new(arena);
	struct meta meta = meta_of(MODE_FULL, file);
	struct meta same = meta_of(MODE_UNCHANGED, file);

	ask(&s, "a1", "x", "toolUse");
	answer(&s, "a1", SPAN("[redacted]"), &meta);
	claim(&s, "a2");
	/* A marker that was put in the place of a text. */
	ask(&s, "a3", "x", "toolUse");
	answer(&s, "a3", SPAN("[readcache: unchanged, 4 lines]"), &meta);
	/* A text that was put in the place of a marker claims nothing. */
	ask(&s, "a4", "x", "toolUse");
	answer(&s, "a4", file, &same);
	claim(&s, "a5");
	ASSERT_TEXT(audited(&s),
	    "a2: lines 2-4 were never shown\n"
	    "a3: its metadata says something else than its text\n");
}

static void
test_names(struct arena *arena)
{
	struct story s = session_new(arena);
	struct meta same = meta_of(MODE_UNCHANGED, file);

	show(&s, "a1");
	ask(&s, "a2", "y", "toolUse");
	answer(&s, "a2", SPAN("[readcache: unchanged, 4 lines]"), &same);
	ask(&s, "a3", "sub/../x", "toolUse");
	answer(&s, "a3", SPAN("[readcache: unchanged, 4 lines]"), NULL);
	ask(&s, "a4", "sub/x", "toolUse");
	answer(&s, "a4", SPAN("[readcache: unchanged, 4 lines]"), NULL);
	append(&s, "a5", "\"type\":\"message\",\"message\":{\"role\":"
	    "\"toolResult\",\"toolName\":\"read\",\"toolCallId\":\"z\","
	    "\"content\":[{\"type\":\"text\",\"text\":"
	    "\"[readcache: unchanged, 4 lines]\"}]}");
	ASSERT_TEXT(audited(&s),
	    "a2: its metadata speaks of another file than its call\n"
	    "a4: nothing of the file was shown\n"
	    "a5: nobody can tell which file it speaks of\n");
}

/* ---- what a call asked for ---- */

static void
test_asked(struct arena *arena)
{
	static const struct row {
		const char *path;
		const char *name; /* in the metadata, or NULL */
		const char *means;
		uint64_t first, limit;
		bool misnamed;
	} rows[] = {
		{"x", NULL, "/w/x", 1, 0, false},
		{"x:5", NULL, "/w/x", 5, 0, false},
		{"x:5-9", NULL, "/w/x", 5, 5, false},
		{"x:5-9", "/w/x", "/w/x", 5, 5, false},
		{"x:5-9", "/w/x:5-9", "/w/x:5-9", 1, 0, false},
		{"x:9-5", NULL, "/w/x:9-5", 1, 0, false},
		{"~/x", NULL, "/home/me/x", 1, 0, false},
		{"~/x", "/elsewhere/x", "/elsewhere/x", 1, 0, false},
		{"@d/x", "/moved/d/x", "/moved/d/x", 1, 0, false},
		{"d/x", "/w/e/x", "/w/d/x", 1, 0, true},
		{"/w/x", "/v/x", "/w/x", 1, 0, true},
		{"it's", "/w/it\xe2\x80\x99s", "/w/it\xe2\x80\x99s", 1, 0,
		    false},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct row *row = &rows[i];
		struct record_call call = {.id = SPAN("c"),
		    .path = span_str(row->path)};
		struct record_result result = {.has_meta = row->name != NULL};
		struct asked asked;

		if (row->name != NULL)
			result.meta.read.name = span_str(row->name);
		asked = asked_of(&result, &call, SPAN("/w"), SPAN("/home/me"),
		    arena);
		CHECK(span_eq(asked.name, span_str(row->means)),
		    "row %zu: %.*s", i, (int)asked.name.n, asked.name.p);
		CHECK(asked.first == row->first && asked.limit == row->limit,
		    "row %zu: other lines", i);
		CHECK(asked.misnamed == row->misnamed, "row %zu: name", i);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_branches),
		TEST(test_edits),
		TEST(test_compactions),
		TEST(test_failed_call),
		TEST(test_batch),
		TEST(test_twins_and_junk),
		TEST(test_unreadable),
		TEST(test_stored_text_is_the_truth),
		TEST(test_names),
		TEST(test_asked),
	};

	return RUN_TESTS_IN_DIR(tests);
}
