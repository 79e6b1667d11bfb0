/* The forms of SPEC 9, and texts that only look like them. */
#include "unit.h"

#include "inspect/said.h"

#define AGAIN "; read again for the text"
#define TAIL "; + is text, you have the rest"
#define HEAD " parts" TAIL
#define CUT_2_5                                                                \
	"\n\n[Showing lines 2-5 of 9 (50.0KB limit). Use offset=6 to "         \
	"continue.]"

static const char *const kinds[] = {
    [SAID_SAME] = "same",
    [SAID_SAME_LINES] = "same lines",
    [SAID_DIFF] = "diff",
    [SAID_WRITTEN] = "written",
    [SAID_EDITS] = "edits",
    [SAID_PIECES] = "pieces",
};

static void
write_piece(struct buf *out, const struct said_piece *piece)
{
	static const char *const names[] = {[LINES_SHOWN] = "shown",
	    [LINES_OWN] = "own",
	    [LINES_TEXT] = "text",
	    [LINES_GONE] = "gone"};

	buf_str(out, ", ");
	buf_str(out, names[piece->kind]);
	buf_char(out, ' ');
	buf_u64(out, piece->first);
	buf_char(out, '-');
	buf_u64(out, piece->last);
	if (piece->kind == LINES_SHOWN) {
		buf_str(out, " was ");
		buf_u64(out, piece->former);
	}
	if (piece->kind == LINES_TEXT) {
		buf_str(out, " \"");
		buf_add(out, piece->text);
		buf_char(out, '"');
	}
}

/* What TEXT says, in short; empty: it is none of the forms. */
static struct span
said(struct arena *arena, const char *text)
{
	struct buf out = buf_new(arena, 64);
	struct answer_said said;

	if (!said_compact(arena, unit_exact(arena, span_str(text)), &said))
		return SPAN("");
	buf_str(&out, kinds[said.kind]);
	buf_char(&out, ' ');
	buf_u64(&out, said.first);
	buf_char(&out, '-');
	buf_u64(&out, said.last);
	buf_char(&out, '/');
	buf_u64(&out, said.total);
	for (size_t i = 0; i < said.npieces; i++)
		write_piece(&out, &said.pieces[i]);
	return buf_span(&out);
}

struct row {
	const char *text, *says;
};

static void
check_rows(struct arena *arena, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ASSERT_TEXT(said(arena, rows[i].text), rows[i].says);
}

static void
check_none(struct arena *arena, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		CHECK(said(arena, texts[i]).n == 0, "row %zu: %s", i, texts[i]);
}

static void
markers(struct arena *arena)
{
	static const struct row rows[] = {
	    {"[readcache: unchanged, 61 lines]", "same 1-61/61"},
	    {"[readcache: unchanged, 61 lines" AGAIN "]", "same 1-61/61"},
	    {"[readcache: unchanged in lines 5-24 of 41]",
		"same lines 5-24/41"},
	    {"[readcache: unchanged in lines 5-24 of 41" AGAIN "]",
		"same lines 5-24/41"},
	    {"[readcache: unchanged in lines 2-5; changes exist outside this "
	     "range]",
		"same lines 2-5/0"},
	    {"[readcache: unchanged in lines 2-5; changes exist outside this "
	     "range" AGAIN "]" CUT_2_5,
		"same lines 2-5/0"},
	    {"[readcache: unchanged in lines 2-5 of 9]" CUT_2_5,
		"same lines 2-5/9"},
	    {"[readcache: 1 lines changed of 4]\n--- a/x\n+++ b/x\nrest",
		"diff 0-0/4"},
	};

	check_rows(arena, rows, COUNT_OF(rows));
}

static void
markers_nearly(struct arena *arena)
{
	static const char *const texts[] = {
	    "",
	    "readcache: unchanged, 61 lines]",
	    "[readcache: unchanged, 61 lines",
	    "[readcache: unchanged, 61 lines] ",
	    "[readcache: unchanged, 0 lines]",
	    "[readcache: unchanged, 061 lines]",
	    "[readcache: unchanged, 61 lines; read again]",
	    "[readcache: unchanged, 61 lines" AGAIN AGAIN "]",
	    "[readcache: unchanged, 61 lines]" AGAIN,
	    "[readcache: unchanged, 61 lines]" CUT_2_5,
	    "[readcache: unchanged in lines 5-24 of 23]",
	    "[readcache: unchanged in lines 0-24 of 41]",
	    "[readcache: unchanged in lines 5-4 of 41]",
	    "[readcache: unchanged in lines 5-24]",
	    "[readcache: unchanged in lines 5 of 41]",
	    "[readcache: unchanged in lines 2-4 of 9]" CUT_2_5,
	    "[readcache: unchanged in lines 2-5 of 8]" CUT_2_5,
	    "[readcache: unchanged in lines 2-5 of 9]\n" CUT_2_5,
	    "[readcache: 1 lines changed of 4" AGAIN
	    "]\n--- a/x\n+++ b/x\nrest",
	    "[readcache: 1 lines changed of 4]\n--- a/x\n",
	};

	check_none(arena, texts, COUNT_OF(texts));
}

static void
written(struct arena *arena)
{
	static const struct row rows[] = {
	    {"[readcache: unchanged since you wrote it, 7 lines]",
		"written 1-7/7"},
	    {"[readcache: unchanged since you wrote it, 7 lines" AGAIN "]",
		"written 1-7/7"},
	    {"[readcache: lines 2-5 of 9 are as you wrote them]",
		"pieces 2-5/9, own 2-5"},
	    {"[readcache: lines 2-5 of 9 are as you wrote them" AGAIN
	     "]" CUT_2_5,
		"pieces 2-5/9, own 2-5"},
	};
	static const char *const texts[] = {
	    "[readcache: unchanged since you wrote it, 7 lines]" CUT_2_5,
	    "[readcache: unchanged since you wrote it, 7 lines]x",
	    "[readcache: unchanged since you wrote it, 0 lines]",
	    "[readcache: unchanged since you wrote it, lines]",
	    "[readcache: unchanged since you wrote, 7 lines]",
	    "[readcache: lines 2-10 of 9 are as you wrote them]",
	    "[readcache: lines 5-2 of 9 are as you wrote them]",
	    "[readcache: line 2 of 9 are as you wrote them]",
	    "[readcache: lines 2-5 are as you wrote them]",
	    "[readcache: lines 2-5 of 9 are as you wrote it]",
	    "[readcache: lines 2-5 of 9 are as you wrote them]\n",
	    "[readcache: lines 2-4 of 9 are as you wrote them]" CUT_2_5,
	};

	check_rows(arena, rows, COUNT_OF(rows));
	check_none(arena, texts, COUNT_OF(texts));
}

#define EDITS "[readcache: your edits are in place: "
#define ELSE "; nothing else changed"

static void
edits(struct arena *arena)
{
	static const struct row rows[] = {
	    {EDITS "lines 12-15, line 40, removed before line 60" ELSE
		   "; 80 lines]",
		"edits 1-80/80, own 12-15, own 40-40, gone 60-59"},
	    {EDITS "line 1" ELSE "; 1 lines" AGAIN "]", "edits 1-1/1, own 1-1"},
	    {EDITS "removed before line 1, removed at the end" ELSE
		   "; 9 lines]",
		"edits 1-9/9, gone 1-0, gone 10-9"},
	    {EDITS "removed at the end" ELSE " in lines 2-9 of 9]",
		"edits 2-9/9, gone 10-9"},
	    {EDITS "lines 3-4, removed before line 5" ELSE
		   " in lines 2-5 of 9" AGAIN "]" CUT_2_5,
		"edits 2-5/9, own 3-4, gone 5-4"},
	    {EDITS "removed before line 3, lines 3-4" ELSE
		   " in lines 3-4 of 9]",
		"edits 3-4/9, gone 3-2, own 3-4"},
	    {EDITS "line 1, line 2, line 3, line 4, line 5, line 6, line 7, "
		   "line 8" ELSE "; 9 lines]",
		"edits 1-9/9, own 1-1, own 2-2, own 3-3, own 4-4, own 5-5, "
		"own 6-6, own 7-7, own 8-8"},
	};

	check_rows(arena, rows, COUNT_OF(rows));
}

static void
edits_nearly(struct arena *arena)
{
	static const char *const places[] = {"", "3", "lines 3", "lines 3-3",
	    "line 3-4", "line 0", "lines 0-4", "lines 4-3", "lines 3-10",
	    "line 10", "removed before line 10", "removed before line 0",
	    "removed before lines 3", "before line 3",
	    "removed before line 3, removed before line 3", "line 4, line 3",
	    "line 3, lines 3-4", "lines 3-5, removed before line 5",
	    "removed at the end, line 3",
	    "removed at the end, removed at the end", "at the end",
	    "line 3,line 4", "line 3, ", "line 3 and line 4",
	    ("line 1, line 2, line 3, line 4, line 5, line 6, line 7, "
	     "line 8, line 9")};
	static const char *const texts[] = {
	    EDITS "line 3" ELSE "]",
	    EDITS "line 3" ELSE " of 9]",
	    EDITS "line 3; 9 lines]",
	    EDITS "line 3; nothing else; 9 lines]",
	    EDITS "line 3" ELSE "; 9]",
	    EDITS "line 3" ELSE "; 0 lines]",
	    EDITS "line 3" ELSE "; 9 lines] ",
	    EDITS "line 3" ELSE "; 9 lines]" CUT_2_5,
	    EDITS "line 3" ELSE " in line 3 of 9]",
	    EDITS "line 3" ELSE " in lines 2-4]",
	    EDITS "line 3" ELSE " in lines 2-4; 9 lines]",
	    EDITS "line 3" ELSE " in lines 4-5 of 9]",
	    EDITS "line 6" ELSE " in lines 4-5 of 9]",
	    EDITS "lines 3-4" ELSE " in lines 4-5 of 9]",
	    EDITS "removed before line 6" ELSE " in lines 4-5 of 9]",
	    EDITS "removed at the end" ELSE " in lines 4-5 of 9]",
	    EDITS "line 4" ELSE " in lines 4-10 of 9]",
	    EDITS "line 3" ELSE " in lines 2-4 of 9]" CUT_2_5,
	    "[readcache: your edits are in place in line 3 of 9" ELSE "]",
	};

	for (size_t i = 0; i < COUNT_OF(places); i++) {
		struct buf text = buf_new(arena, 256);

		buf_str(&text, EDITS);
		buf_str(&text, places[i]);
		buf_str(&text, ELSE "; 9 lines]");
		CHECK(said(arena, arena_cstr(arena, buf_span(&text))).n == 0,
		    "places %zu: %s", i, places[i]);
	}
	check_none(arena, texts, COUNT_OF(texts));
}

static void
moved(struct arena *arena)
{
	static const struct row rows[] = {
	    {"[readcache: unchanged in lines 5-9 of 41; shown before as lines "
	     "2-6]",
		"pieces 5-9/41, shown 5-9 was 2"},
	    {"[readcache: unchanged in lines 2-5 of 9; shown before as lines "
	     "11-14" AGAIN "]" CUT_2_5,
		"pieces 2-5/9, shown 2-5 was 11"},
	};
	static const char *const texts[] = {
	    "[readcache: unchanged in lines 5-9 of 41; shown before as lines "
	    "2-5]",
	    "[readcache: unchanged in lines 5-9 of 41; shown before as lines "
	    "2-7]",
	    "[readcache: unchanged in lines 5-9 of 41; shown before as lines "
	    "5-9]",
	    "[readcache: unchanged in lines 5-9 of 41; shown before as lines "
	    "0-4]",
	    "[readcache: unchanged in lines 5-9 of 41; shown before as 2-6]",
	    "[readcache: unchanged in lines 5-9 of 8; shown before as lines "
	    "2-6]",
	    "[readcache: unchanged in lines 5-9; shown before as lines 2-6]",
	    "[readcache: unchanged in lines 5-9 of 41; shown before as lines "
	    "2-6]x",
	};

	check_rows(arena, rows, COUNT_OF(rows));
	check_none(arena, texts, COUNT_OF(texts));
}

static void
pieces(struct arena *arena)
{
	static const struct row rows[] = {
	    {"[readcache: lines 103-200 of 300 in 4" HEAD "]\n"
	     "@@ -100,17 +103,17 @@ unchanged\n"
	     "@@ +120,3 @@ as you wrote them\n"
	     "@@ +123,2 @@ text\n+first line\n+second line\n"
	     "@@ -125,76 +125,76 @@ unchanged",
		"pieces 103-200/300, shown 103-119 was 100, own 120-122, text "
		"123-124 \"first line\nsecond line\", shown 125-200 was 125"},
	    {"[readcache: lines 1-3 of 3 in 3" HEAD AGAIN "]\n"
	     "@@ -8,1 +1,1 @@ unchanged\n"
	     "@@ +2,1 @@ as you wrote it\n"
	     "@@ +3,1 @@ text\n+",
		"pieces 1-3/3, shown 1-1 was 8, own 2-2, text 3-3 \"\""},
	    {"[readcache: lines 2-5 of 9 in 2" HEAD "]\n"
	     "@@ -2,2 +2,2 @@ unchanged\n"
	     "@@ +4,2 @@ text\n+@@ +5,1 @@ text\n++" CUT_2_5,
		"pieces 2-5/9, shown 2-3 was 2, text 4-5 \"@@ +5,1 @@ "
		"text\n+\""},
	    {"[readcache: lines 2-5 of 9 in 1 part" TAIL "]\n"
	     "@@ -1,4 +2,4 @@ unchanged" CUT_2_5,
		"pieces 2-5/9, shown 2-5 was 1"},
	};

	check_rows(arena, rows, COUNT_OF(rows));
}

static void
heads_nearly(struct arena *arena)
{
	static const char *const heads[] = {"lines 2-3 of 9 in 0" HEAD "]",
	    "lines 2-3 of 9 in 3" HEAD "]", "lines 2-3 of 9 in 1 part" TAIL "]",
	    "lines 2-3 of 9 in 5" HEAD "]", "lines 2-3 of 9 in 2 part" TAIL "]",
	    "lines 2-4 of 9 in 2" HEAD "]", "lines 1-3 of 9 in 2" HEAD "]",
	    "lines 2-2 of 9 in 2" HEAD "]", "lines 2-3 of 2 in 2" HEAD "]",
	    "lines 2-3 in 2" HEAD "]", "lines 2-3 of 9 in 2" HEAD,
	    "lines 2-3 of 9 in 2 parts]", "lines 2-3 of 9 in two" HEAD "]",
	    "lines 2-3 of 9 in 2" HEAD " ]", "lines 2-3 of 9 in 2" HEAD "]\n"};
	static const char parts[] = "\n@@ -2,1 +2,1 @@ unchanged\n"
				    "@@ +3,1 @@ as you wrote it";

	for (size_t i = 0; i < COUNT_OF(heads); i++) {
		struct buf text = buf_new(arena, 256);

		buf_str(&text, "[readcache: ");
		buf_str(&text, heads[i]);
		buf_str(&text, parts);
		CHECK(said(arena, arena_cstr(arena, buf_span(&text))).n == 0,
		    "head %zu: %s", i, heads[i]);
	}
	ASSERT_TEXT(said(arena, "[readcache: lines 2-3 of 9 in 2" HEAD "]\n"
				"@@ -2,1 +2,1 @@ unchanged\n"
				"@@ +3,1 @@ as you wrote it"),
	    "pieces 2-3/9, shown 2-2 was 2, own 3-3");
}

static void
parts_nearly(struct arena *arena)
{
	/* In the place of lines 3 and 4, of lines 2 to 4 in two parts. */
	static const char *const parts[] = {"", "@@ -3,2 +3,2 @@ unchanged\n",
	    "@@ -3,2 +3,2 @@ unchanged ",
	    "@@ -7,2 +3,2 @@ unchanged, " /**/ "shown before as lines 7-8",
	    "@@ -7,3 +3,2 @@ unchanged", "@@ -0,2 +3,2 @@ unchanged",
	    "@@ -3,2 +2,2 @@ unchanged", "@@ -3,2 +4,1 @@ unchanged",
	    "@@ -3,1 +3,1 @@ unchanged", "@@ -3,3 +3,3 @@ unchanged",
	    "@@ -3 +3 @@ unchanged", "@@ +3,2 @@ unchanged",
	    "@@ -3,2 +3,2 @@ text\n+a\n+b", "@@ +3,2 @@ as you wrote it",
	    "@@ +3,2 @@ as you wrote them\n+a\n+b", "@@ +3,0 @@ text",
	    "@@ +3,2 @@ text", "@@ +3,2 @@ text\n+a", "@@ +3,2 @@ text\n+a\nb",
	    "@@ +3,2 @@ text\n+a\n+b\n", "@@ +3,2 @@ text\n+a\n+b\n+c",
	    "@@ +3,2 @@ text\n a\n+b", "@@ +3,2 @@ text +a\n+b",
	    ("@@ +3,2 @@ text\n+a\n+b\n\n[Showing lines 2-5 of 9 (50.0KB "
	     "limit). Use offset=6 to continue.]")};
	static const char head[] = "[readcache: lines 2-4 of 9 in 2" HEAD "]\n"
				   "@@ +2,1 @@ as you wrote it\n";

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		struct buf text = buf_new(arena, 256);

		buf_str(&text, head);
		buf_str(&text, parts[i]);
		CHECK(said(arena, arena_cstr(arena, buf_span(&text))).n == 0,
		    "part %zu: %s", i, parts[i]);
	}
	ASSERT_TEXT(
	    said(arena, "[readcache: lines 2-2 of 9 in 1 part" TAIL "]\n"
			"@@ -4,1 +2,1 @@ unchanged, shown before as "
			"lines 4-4"),
	    "");
	ASSERT_TEXT(said(arena, "[readcache: lines 2-2 of 9 in 1" HEAD "]\n"
				"@@ +2,1 @@ as you wrote it"),
	    "");
}

/* Everything that is cut off somewhere is another text. */
static void
cut_anywhere(struct arena *arena)
{
	static const char text[] =
	    "[readcache: lines 2-5 of 9 in 3" HEAD AGAIN "]\n"
	    "@@ -1,2 +2,2 @@ unchanged\n"
	    "@@ +4,1 @@ as you wrote it\n@@ +5,1 @@ text\n+x" CUT_2_5;
	struct span whole = span_str(text);
	struct answer_said said;

	assert_true(said_compact(arena, whole, &said));
	for (size_t n = 0; n < whole.n; n++) {
		bool text_cut = n > whole.n - sizeof(CUT_2_5) - 1 &&
				n <= whole.n - sizeof(CUT_2_5) + 1;

		/* What is left is an answer without the notice. */
		if (text_cut)
			continue;
		CHECK(!said_compact(
			  arena, unit_exact(arena, span_of(whole.p, n)), &said),
		    "cut at %zu", n);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(markers),
	    TEST(markers_nearly),
	    TEST(written),
	    TEST(edits),
	    TEST(edits_nearly),
	    TEST(moved),
	    TEST(pieces),
	    TEST(heads_nearly),
	    TEST(parts_nearly),
	    TEST(cut_anywhere),
	};

	return RUN_TESTS(tests);
}
