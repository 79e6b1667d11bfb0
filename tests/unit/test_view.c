#include "unit_view.h"

#include "base/lines.h"
#include "host/pi/view.h"

/* ---- the host's read, written down line by line (PI_FACTS, section 6) ---- */

struct piece {
	const char *p;
	size_t n;
};

/* What JavaScript's split("\n") gives. */
static size_t
split(struct arena *arena, struct span text, struct piece **pieces)
{
	size_t n = 1, k = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == '\n';
	*pieces = arena_array(arena, n, sizeof(**pieces));
	(*pieces)[0].p = text.p;
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n')
			(*pieces)[++k].p = text.p + i + 1;
		else
			(*pieces)[k].n++;
	}
	return n;
}

static struct span
join(struct arena *arena, const struct piece *pieces, size_t n)
{
	struct buf out = buf_new(arena, 64);

	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_char(&out, '\n');
		buf_add(&out, span_of(pieces[i].p, pieces[i].n));
	}
	return buf_span(&out);
}

struct host_read {
	bool beyond_end;
	struct span text; /* all that the host answers */
	bool truncated;
	bool first_too_long;
	bool by_bytes;
	size_t total;           /* lines of the file */
	size_t selected_lines;  /* truncation.totalLines */
	size_t selected_bytes;  /* truncation.totalBytes */
	size_t output_lines;    /* lines of the file whose text is shown */
	struct span content;    /* the file's text that is shown */
};

/* truncateHead: sets the fields that speak of the cut. */
static void
truncate_head(struct arena *arena, struct span content, struct host_read *host)
{
	struct piece *lines;
	size_t n = split(arena, content, &lines), bytes = 0, taken = 0;

	if (lines[n - 1].n == 0)
		n--; /* the empty piece at the end is not counted here */
	host->selected_lines = n;
	host->selected_bytes = content.n;
	host->content = content;
	if (n <= 2000 && content.n <= 51200)
		return;
	host->truncated = true;
	if (lines[0].n > 51200) {
		host->first_too_long = true;
		host->content = SPAN("");
		return;
	}
	while (taken < n && taken < 2000) {
		bytes += lines[taken].n + (taken > 0 ? 1 : 0);
		if (bytes > 51200) {
			host->by_bytes = true;
			break;
		}
		taken++;
	}
	host->output_lines = taken;
	host->content = join(arena, lines, taken);
}

static void
write_host_text(struct arena *arena, size_t offset, size_t selected,
    const char *size, struct host_read *host)
{
	size_t end = offset + host->output_lines - 1;
	struct buf out = buf_new(arena, 64);
	char notice[256] = "";

	if (host->first_too_long)
		(void)snprintf(notice, sizeof(notice),
		    "[Line %zu is %s, exceeds 50.0KB limit. Use bash: "
		    "sed -n '%zup' some file | head -c 51200]",
		    offset, size, offset);
	else if (host->truncated)
		(void)snprintf(notice, sizeof(notice),
		    "\n\n[Showing lines %zu-%zu of %zu%s. Use offset=%zu to "
		    "continue.]",
		    offset, end, host->total,
		    host->by_bytes ? " (50.0KB limit)" : "", end + 1);
	else if (offset - 1 + selected < host->total)
		(void)snprintf(notice, sizeof(notice),
		    "\n\n[%zu more lines in file. Use offset=%zu to "
		    "continue.]",
		    host->total - (offset - 1 + selected), offset + selected);
	buf_add(&out, host->content);
	buf_str(&out, notice);
	host->text = buf_span(&out);
}

/* SIZE: how the host writes the length of line OFFSET, if it is too long. */
static struct host_read
host_read(struct arena *arena, struct span file, size_t offset, size_t limit,
    const char *size)
{
	struct host_read host = {.content = SPAN("")};
	struct piece *lines;
	size_t n;

	host.total = split(arena, file, &lines);
	host.beyond_end = offset > host.total;
	if (host.beyond_end)
		return host;
	n = host.total - (offset - 1);
	if (limit > 0 && limit < n)
		n = limit;
	truncate_head(arena, join(arena, lines + offset - 1, n), &host);
	if (!host.truncated)
		host.output_lines = n;
	write_host_text(arena, offset, n, size, &host);
	return host;
}

static enum view_notice
notice_of(const struct host_read *host, size_t offset)
{
	if (host->first_too_long)
		return VIEW_FIRST_TOO_LONG;
	if (host->truncated)
		return host->by_bytes ? VIEW_CUT_BYTES : VIEW_CUT_LINES;
	return offset - 1 + host->output_lines < host->total ? VIEW_MORE
							     : VIEW_WHOLE;
}

static void
check_against_host(struct arena *arena, struct span file, size_t offset,
    size_t limit, const char *size)
{
	struct host_read host = host_read(arena, file, offset, limit, size);
	struct excerpt shown;
	struct view view;
	struct buf out;
	struct scope scope;

	assert_int_equal(unit_view(file, offset, limit, &view),
	    !host.beyond_end);
	assert_int_equal(view.total, host.total);
	if (host.beyond_end)
		return;
	assert_int_equal(view.notice, notice_of(&host, offset));
	assert_int_equal(view_truncated(&view), host.truncated);
	assert_int_equal(view.selected_lines, host.selected_lines);
	assert_int_equal(view.selected_bytes, host.selected_bytes);
	ASSERT_SPAN(view.text, host.content);
	out = buf_new(arena, 0);
	view_write(&out, &view, SPAN("some file"));
	ASSERT_SPAN(buf_span(&out), host.text);
	shown = view_excerpt(arena, &view, SPAN("some file"));
	ASSERT_SPAN(shown.lines, host.content);
	ASSERT_SPAN(excerpt_text(arena, &shown), host.text);
	assert_int_equal(excerpt_bytes(&shown), host.text.n);
	assert_int_equal(shown.cut, host.truncated);
	assert_int_equal(shown.total, host.total);
	if (host.first_too_long)
		return;
	/* T1: the scope is what was shown. */
	assert_int_equal(view.first, offset);
	assert_int_equal(view.last, offset + host.output_lines - 1);
	scope = view_scope(&view);
	assert_true(scope_eq(scope, excerpt_scope(&shown)));
	if (offset == 1 && host.output_lines == host.total)
		assert_int_equal(scope.kind, SCOPE_FULL);
	else
		assert_true(scope_eq(scope, scope_range(offset,
		    offset + host.output_lines - 1)));
}

/* ---- by hand ---- */

static const char ten[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"; /* 11 lines */

static const struct {
	uint64_t offset, limit;
	const char *text; /* NULL: beyond the end */
	const char *scope;
} tens[] = {
	{1, 0, ten, "full"},
	{1, 11, ten, "full"},
	{1, 12, ten, "full"},
	{1, 9007199254740991, ten, "full"},
	{1, 10,
	    "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n\n"
	    "[1 more lines in file. Use offset=11 to continue.]",
	    "r:1:10"},
	{1, 1, "1\n\n[10 more lines in file. Use offset=2 to continue.]",
	    "r:1:1"},
	{2, 2, "2\n3\n\n[8 more lines in file. Use offset=4 to continue.]",
	    "r:2:3"},
	{9, 0, "9\n10\n", "r:9:11"},
	{9, 3, "9\n10\n", "r:9:11"},
	{9, 2, "9\n10\n\n[1 more lines in file. Use offset=11 to continue.]",
	    "r:9:10"},
	{10, 9007199254740991, "10\n", "r:10:11"},
	{11, 0, "", "r:11:11"},
	{11, 1, "", "r:11:11"},
	{12, 0, NULL, NULL},
	{12, 5, NULL, NULL},
	{9007199254740991, 0, NULL, NULL},
	{9007199254740991, 9007199254740991, NULL, NULL},
};

static void
check_scope(struct arena *arena, const struct view *view, const char *scope)
{
	struct buf out = buf_new(arena, 0);

	scope_write(&out, view_scope(view));
	ASSERT_TEXT(buf_span(&out), scope);
}

static void
offsets_and_limits(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(tens); i++) {
		struct buf out = buf_new(arena, 0);
		struct view view;
		bool there = unit_view(span_str(ten), tens[i].offset,
		    tens[i].limit, &view);

		CHECK(there == (tens[i].text != NULL), "row %zu", i);
		assert_int_equal(view.total, 11);
		if (!there)
			continue;
		view_write(&out, &view, SPAN("a.txt"));
		ASSERT_TEXT(buf_span(&out), tens[i].text);
		check_scope(arena, &view, tens[i].scope);
		assert_false(view_truncated(&view));
	}
}

static void
empty_file(struct arena *arena)
{
	struct excerpt shown;
	struct view view;

	assert_true(unit_view(SPAN(""), 1, 0, &view));
	assert_int_equal(view.total, 1);
	assert_int_equal(view.notice, VIEW_WHOLE);
	ASSERT_TEXT(view.text, "");
	check_scope(arena, &view, "full");
	shown = view_excerpt(arena, &view, SPAN("a"));
	assert_int_equal(excerpt_bytes(&shown), 0);
	assert_false(unit_view(SPAN(""), 2, 0, &view));
	assert_int_equal(view.total, 1);
}

/* A file that is so many times UNIT, then TAIL, read as a whole. */
struct edge {
	const char *unit;
	size_t times;
	const char *tail;
	enum view_notice notice;
	uint64_t total, last;
	uint64_t selected_lines;
	const char *scope;
	const char *notice_text;
};

static const struct edge edges[] = {
	/* 2000 and 2001 lines, with and without a last LF. */
	{"x\n", 2000, "", VIEW_WHOLE, 2001, 2001, 2000, "full", NULL},
	{"x\n", 1999, "x", VIEW_WHOLE, 2000, 2000, 2000, "full", NULL},
	{"x\n", 2001, "", VIEW_CUT_LINES, 2002, 2000, 2001, "r:1:2000",
	    "[Showing lines 1-2000 of 2002. Use offset=2001 to continue.]"},
	{"x\n", 2000, "x", VIEW_CUT_LINES, 2001, 2000, 2001, "r:1:2000",
	    "[Showing lines 1-2000 of 2001. Use offset=2001 to continue.]"},
	{"\n", 2000, "", VIEW_WHOLE, 2001, 2001, 2000, "full", NULL},
	{"\n", 2001, "", VIEW_CUT_LINES, 2002, 2000, 2001, "r:1:2000",
	    "[Showing lines 1-2000 of 2002. Use offset=2001 to continue.]"},
	/* 51200 and 51201 bytes. */
	{"x", 51200, "", VIEW_WHOLE, 1, 1, 1, "full", NULL},
	{"x", 51199, "\n", VIEW_WHOLE, 2, 2, 1, "full", NULL},
	/* All lines fit, but the LF behind them does not: "lines". */
	{"x", 51200, "\n", VIEW_CUT_LINES, 2, 1, 1, "r:1:1",
	    "[Showing lines 1-1 of 2. Use offset=2 to continue.]"},
	/* The second line fits, or does not. */
	{"x", 51198, "\ny", VIEW_WHOLE, 2, 2, 2, "full", NULL},
	{"x", 51199, "\ny", VIEW_CUT_BYTES, 2, 1, 2, "r:1:1",
	    "[Showing lines 1-1 of 2 (50.0KB limit). "
	    "Use offset=2 to continue.]"},
	{"x", 51200, "\ny\n", VIEW_CUT_BYTES, 3, 1, 2, "r:1:1",
	    "[Showing lines 1-1 of 3 (50.0KB limit). "
	    "Use offset=2 to continue.]"},
	/* 512 lines of 100 bytes are 51200; the next one is too much. */
	{"123456789 123456789 123456789 123456789 123456789 "
	 "123456789 123456789 123456789 123456789 123456789\n",
	    512, "", VIEW_WHOLE, 513, 513, 512, "full", NULL},
	{"123456789 123456789 123456789 123456789 123456789 "
	 "123456789 123456789 123456789 123456789 123456789\n",
	    513, "", VIEW_CUT_BYTES, 514, 512, 513, "r:1:512",
	    "[Showing lines 1-512 of 514 (50.0KB limit). "
	    "Use offset=513 to continue.]"},
};

static void
limits_at_the_edges(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(edges); i++) {
		const struct edge *edge = &edges[i];
		struct span file = unit_join(arena,
		    unit_repeat(arena, span_str(edge->unit), edge->times),
		    span_str(edge->tail));
		struct buf notice = buf_new(arena, 0);
		struct view view;

		assert_true(unit_view(file, 1, 0, &view));
		CHECK(view.notice == edge->notice && view.first == 1 &&
			view.total == edge->total && view.last == edge->last,
		    "row %zu", i);
		CHECK(view.selected_lines == edge->selected_lines &&
			view.selected_bytes == file.n,
		    "row %zu", i);
		check_scope(arena, &view, edge->scope);
		check_against_host(arena, file, 1, 0, "");
		if (edge->notice_text == NULL) {
			ASSERT_SPAN(view.text, file);
			continue;
		}
		view_write_notice(&notice, &view);
		ASSERT_TEXT(buf_span(&notice), edge->notice_text);
		/* Whole lines, without the LF behind the last one. */
		assert_int_equal(lines_count(view.text), edge->last);
		assert_int_equal(file.p[view.text.n], '\n');
	}
}

/* A line that is longer than what can be shown, with its size in words. */
static void
first_line_too_long(struct arena *arena)
{
	static const struct {
		size_t bytes;
		const char *size;
	} rows[] = {
		{51201, "50.0KB"},
		{51250, "50.0KB"},
		{51251, "50.0KB"},
		{51252, "50.1KB"}, /* 50.0508 */
		{51455, "50.2KB"},
		{51456, "50.3KB"}, /* a tie, 50.25: up */
		{51968, "50.8KB"}, /* a tie, 50.75: up */
		{52480, "51.3KB"}, /* a tie, 51.25: up */
		{1048524, "1023.9KB"},
		{1048525, "1024.0KB"},
		{1048575, "1024.0KB"},
		{1048576, "1.0MB"},
		{1101004, "1.0MB"},
		{1101005, "1.1MB"}, /* 1.0500002 */
		{1310720, "1.3MB"}, /* a tie, 1.25: up */
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span line = unit_repeat(arena, SPAN("x"),
		    rows[i].bytes);
		struct span file = unit_join(arena, SPAN("short\n\n"), line);
		char want[200];
		struct buf out = buf_new(arena, 0);
		struct view view;

		assert_true(unit_view(file, 3, 0, &view));
		assert_int_equal(view.notice, VIEW_FIRST_TOO_LONG);
		assert_true(view_truncated(&view));
		assert_int_equal(view.text.n, 0);
		view_write(&out, &view, SPAN("dir/a b's.txt"));
		(void)snprintf(want, sizeof(want),
		    "[Line 3 is %s, exceeds 50.0KB limit. Use bash: sed -n "
		    "'3p' dir/a b's.txt | head -c 51200]",
		    rows[i].size);
		ASSERT_TEXT(buf_span(&out), want);
		check_against_host(arena, file, 3, 1, rows[i].size);
		check_against_host(arena, file, 1, 0, "");
	}
}

static void
limit_and_cut_together(struct arena *arena)
{
	struct span file = unit_repeat(arena, SPAN("line\n"), 5000);
	struct buf out = buf_new(arena, 0);
	struct view view;

	assert_true(unit_view(file, 100, 2001, &view));
	assert_int_equal(view.notice, VIEW_CUT_LINES);
	view_write_notice(&out, &view);
	ASSERT_TEXT(buf_span(&out), "[Showing lines 100-2099 of 5001. "
				    "Use offset=2100 to continue.]");
	check_scope(arena, &view, "r:100:2099");

	assert_true(unit_view(file, 100, 2000, &view));
	assert_int_equal(view.notice, VIEW_MORE);
	out.n = 0;
	view_write_notice(&out, &view);
	ASSERT_TEXT(buf_span(&out),
	    "[2902 more lines in file. Use offset=2100 to continue.]");
	check_scope(arena, &view, "r:100:2099");
}

/* ---- at random ---- */

static struct span
random_file(struct arena *arena, struct chance *chance)
{
	/* Few long lines, many short ones, or a mixture near the limits. */
	static const size_t most[] = {3, 30, 60, 700, 30000, 52000};
	size_t longest = most[chance_below(chance, COUNT_OF(most))];
	size_t lines = chance_below(chance, longest < 60 ? 2300 : 30);
	struct buf file = buf_new(arena, 4096);

	if (longest == 30 && chance_below(chance, 2) == 0)
		lines = 1990 + chance_below(chance, 20);
	for (size_t i = 0; i < lines; i++) {
		size_t n = chance_below(chance, longest);

		memset(buf_grow(&file, n), 'a' + (int)(i % 26), n);
		buf_char(&file, '\n');
	}
	if (file.n > 0 && chance_below(chance, 2) == 0)
		file.n--;
	return buf_span(&file);
}

/* The size as the host writes it, from the exact quotient. */
static const char *
size_words(size_t bytes, char words[32])
{
	size_t tenths = (bytes * 20 / 1024 + 1) / 2;

	(void)snprintf(words, 32, "%zu.%zuKB", tenths / 10, tenths % 10);
	return words;
}

static void
random_reads(struct arena *arena)
{
	struct chance chance = chance_new(5);

	for (int round = 0; round < 150; round++) {
		struct span file = random_file(arena, &chance);
		uint64_t total = lines_count(file);

		for (int k = 0; k < 4; k++) {
			size_t offset = k == 0
			    ? 1
			    : 1 + chance_below(&chance, (size_t)total + 1);
			size_t limit = chance_below(&chance, 2) == 0
			    ? 0
			    : 1 + chance_below(&chance, (size_t)total + 3);
			struct span line = SPAN("");
			char words[32];

			if (offset <= total)
				assert_true(lines_slice(file, offset, offset,
				    &line));
			check_against_host(arena, file, offset, limit,
			    size_words(line.n, words));
		}
		arena_reset(arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(offsets_and_limits),
		TEST(empty_file),
		TEST(limits_at_the_edges),
		TEST(first_line_too_long),
		TEST(limit_and_cut_together),
		TEST(random_reads),
	};

	return RUN_TESTS(tests);
}
