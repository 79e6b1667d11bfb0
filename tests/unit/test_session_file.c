#include "unit_dir.h"

#include "host/pi/session_file.h"

#define HEADER "{\"type\":\"session\",\"id\":\"s\"}"

static bool
open_bytes(struct arena *arena, struct span bytes, struct session_file *file)
{
	const char *path = unit_path(arena, "session.jsonl");

	unit_write_file(path, bytes);
	return session_file_open(arena, span_str(path), file);
}

/* The lines after its header, last first. */
static struct reader
lines_of(const struct session_file *file)
{
	return reader_from_end(file->arena, file->fd, file->first,
	    (uint64_t)file->st.st_size);
}

/* These, joined by '|'. */
static struct span
read_all(struct arena *arena, const struct session_file *file)
{
	struct reader lines = lines_of(file);
	struct buf out = buf_new(arena, 64);
	struct session_place place;
	struct span line, again;

	while (reader_previous(&lines, &line, &place)) {
		if (out.n > 0)
			buf_char(&out, '|');
		buf_add(&out, line);
		assert_true(session_file_at(file, arena, place, &again));
		CHECK(memmem(again.p, again.n, line.p, line.n) != NULL,
		    "another line at %llu", (unsigned long long)place.offset);
	}
	assert_false(lines.failed);
	return buf_span(&out);
}

static void
lines_from_the_end(struct arena *arena)
{
	static const struct {
		struct span bytes;
		const char *lines;
	} rows[] = {
		{LIT(HEADER), ""},
		{LIT(HEADER "\n"), ""},
		{LIT(HEADER "\na"), "a"},
		{LIT(HEADER "\na\n"), "a"},
		{LIT(HEADER "\na\nbb\nccc\n"), "ccc|bb|a"},
		{LIT(HEADER "\n\n\na\n \t\r\nb\n\n"), "b|a"},
		{LIT(HEADER "\r\n a \r\nb\r\n"), "b|a"},
		{LIT("\n\njunk\n" HEADER "\na\nb"), "b|a"},
		{LIT(HEADER "\na\0b\nc"), "c|a"},
	};
	struct session_file file;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span lines;

		CHECK(open_bytes(arena, rows[i].bytes, &file), "row %zu", i);
		lines = read_all(arena, &file);
		/* The last row's line has a NUL in it. */
		if (i + 1 == COUNT_OF(rows)) {
			ASSERT_SPAN(lines, SPAN("c|a\0b"));
			continue;
		}
		ASSERT_TEXT(lines, rows[i].lines);
	}
}

static void
no_header_no_session(struct arena *arena)
{
	static const struct span files[] = {
		LIT(""), LIT("\n"), LIT("junk"), LIT("{}\n" HEADER "\na\n"),
		LIT("{\"type\":\"session\"}\na\n"),
		/* JSON to the host, which decodes it, and no header. */
		LIT("{\"x\":\"\xff\"}\n" HEADER "\na\n"),
		LIT("{\"type\":\"message\",\"id\":\"a\"}\n"),
	};
	struct session_file file;

	for (size_t i = 0; i < COUNT_OF(files); i++)
		CHECK(!open_bytes(arena, files[i], &file), "file %zu", i);
	assert_false(session_file_open(arena,
	    span_str(unit_path(arena, "none")), &file));
	assert_false(session_file_open(arena, span_str(unit_base), &file));
}

/* Lines around the sizes in which the file is read, and far beyond. */
static void
long_lines(struct arena *arena)
{
	static const size_t sizes[] = {1, 1023, 1024, 32 * 1024 - 1,
		32 * 1024, 32 * 1024 + 1, 256 * 1024 - 1, 256 * 1024,
		256 * 1024 + 1, 3 * 1024 * 1024};

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct buf bytes = buf_new(arena, 1024);
		struct buf wanted = buf_new(arena, 1024);
		struct span one = unit_repeat(arena, SPAN("x"), sizes[i]);
		struct span other = unit_repeat(arena, SPAN("y"),
		    sizes[(i * 7 + 3) % COUNT_OF(sizes)]);
		struct session_file file;

		/* A header that is as long, up to its limit. */
		buf_str(&bytes, "{\"type\":\"session\",\"id\":\"");
		if (sizes[i] < 1024 * 1024)
			buf_add(&bytes, one);
		buf_str(&bytes, "\"}\n");
		for (int k = 0; k < 3; k++) {
			buf_add(&bytes, one);
			buf_char(&bytes, '\n');
			buf_add(&bytes, other);
			buf_char(&bytes, '\n');
			if (k > 0)
				buf_char(&wanted, '|');
			buf_add(&wanted, other);
			buf_char(&wanted, '|');
			buf_add(&wanted, one);
		}
		assert_true(open_bytes(arena, buf_span(&bytes), &file));
		ASSERT_SPAN(read_all(arena, &file), buf_span(&wanted));
	}
}

/* Every line of a file whose line ends stand everywhere in the chunks. */
static void
many_lines(struct arena *arena)
{
	struct buf bytes = buf_new(arena, 1024 * 1024);
	struct session_place place;
	struct session_file file;
	struct reader lines;
	struct span line;
	uint64_t n = 0;

	buf_str(&bytes, HEADER "\n");
	for (uint64_t i = 1; i <= 100000; i++) {
		buf_u64(&bytes, i);
		buf_str(&bytes, "\n");
	}
	assert_true(open_bytes(arena, buf_span(&bytes), &file));
	lines = lines_of(&file);
	while (reader_previous(&lines, &line, &place)) {
		struct buf number = buf_new(arena, 16);

		buf_u64(&number, 100000 - n++);
		ASSERT_SPAN(line, buf_span(&number));
	}
	assert_int_equal(n, 100000);
}

/* It became shorter while it was read. */
static void
a_file_that_shrinks(struct arena *arena)
{
	struct buf bytes = buf_new(arena, 1024 * 1024);
	struct session_place place = {0};
	struct session_file file;
	struct reader lines;
	struct span line;
	int n = 0;

	buf_str(&bytes, HEADER "\n");
	for (int i = 0; i < 100; i++) {
		buf_add(&bytes, unit_repeat(arena, SPAN("z"), 10000));
		buf_char(&bytes, '\n');
	}
	assert_true(open_bytes(arena, buf_span(&bytes), &file));
	lines = lines_of(&file);
	assert_true(reader_previous(&lines, &line, &place));
	unit_write_file(unit_path(arena, "session.jsonl"), SPAN(HEADER "\n"));
	while (reader_previous(&lines, &line, &place))
		n++;
	assert_true(lines.failed);
	assert_true(n < 100);
	assert_false(session_file_at(&file, arena, place, &line));
}

/* A file that is read ahead: COUNT lines of most different lengths. */
static struct span
large_bytes(struct arena *arena, size_t count)
{
	static const size_t most[] = {20, 200, 3000, 9000, 70 * 1024,
		130 * 1024, 600 * 1024};
	struct chance chance = chance_new(count);
	struct buf bytes = buf_new(arena, 16 * 1024 * 1024);

	buf_str(&bytes, HEADER "\n");
	for (size_t i = 0; i < count; i++) {
		/* The long ones are rare, and one is longer than all pieces. */
		size_t kind = chance_below(&chance, 1000);
		size_t size = kind < 990 ? kind % 4
		    : kind < 999	 ? 4 + kind % 2
					 : 6;
		size_t n = i == count / 2
		    ? (size_t)3 * 1024 * 1024
		    : 1 + chance_below(&chance, most[size]);
		char *p;

		buf_u64(&bytes, i);
		p = buf_grow(&bytes, n + 1);
		memset(p, 'a' + (int)(i % 26), n);
		p[n] = '\n';
	}
	return buf_span(&bytes);
}

static void
large_files(struct arena *arena)
{
	struct span bytes = large_bytes(arena, 5000);
	struct session_place place;
	struct session_file file;
	struct reader lines;
	struct span line;
	size_t to = bytes.n - 1; /* the line's end in BYTES */

	assert_true(open_bytes(arena, bytes, &file));
	lines = lines_of(&file);
	while (reader_previous(&lines, &line, &place)) {
		const char *lf = memrchr(bytes.p, '\n', to);
		size_t from = (size_t)(lf - bytes.p) + 1;

		ASSERT_SPAN(line, span_of(bytes.p + from, to - from));
		assert_int_equal(place.offset, from);
		assert_int_equal(place.size, to - from);
		to = from - 1;
	}
	assert_false(lines.failed);
	assert_int_equal(to, strlen(HEADER));
	/* Else nothing of that was tried. */
	assert_true(lines.ahead != NULL && !lines.alone);
}

/* Wherever somebody stops, what reads ahead ends with the memory. */
static void
a_walk_that_is_given_up(struct arena *arena)
{
	struct arena *other = arena_new(UNIT_ARENA);
	struct span bytes = large_bytes(arena, 5000);

	assert_non_null(other);
	unit_write_file(unit_path(arena, "session.jsonl"), bytes);
	for (size_t stop = 3000; stop < 5000; stop += 37) {
		struct session_place place;
		struct session_file file;
		struct reader lines;
		struct span line;

		assert_int_equal(setjmp(*arena_guard(other)), 0);
		assert_true(session_file_open(other,
		    span_str(unit_path(arena, "session.jsonl")), &file));
		lines = lines_of(&file);
		for (size_t i = 0; i < stop; i++)
			assert_true(
			    reader_previous(&lines, &line, &place));
		arena_reset(other);
	}
	arena_free(other);
}

/* Long lines come and go: memory is for the longest one, once. */
static void
memory_does_not_grow(struct arena *arena)
{
	struct arena *other = arena_new((size_t)4 * 1024 * 1024);
	struct span line, large = unit_repeat(arena, SPAN("x"), 300 * 1024);
	struct buf bytes = buf_new(arena, 40 * 1024 * 1024);
	struct session_place place;
	struct session_file file;
	struct reader lines;
	int n = 0;

	buf_str(&bytes, HEADER "\n");
	for (int i = 0; i < 100; i++) {
		buf_add(&bytes, large);
		buf_str(&bytes, "\n1\n2\n");
	}
	unit_write_file(unit_path(arena, "session.jsonl"), buf_span(&bytes));
	assert_non_null(other);
	assert_int_equal(setjmp(*arena_guard(other)), 0);
	assert_true(session_file_open(other,
	    span_str(unit_path(arena, "session.jsonl")), &file));
	lines = lines_of(&file);
	while (reader_previous(&lines, &line, &place))
		n++;
	assert_int_equal(n, 300);
	assert_non_null(lines.ahead);
	arena_free(other);
}

/* Who rests gets no more lines, but those that were told stay readable. */
static void
a_walk_that_rests(struct arena *arena)
{
	struct span bytes = large_bytes(arena, 5000);
	struct session_place place;
	struct session_file file;
	struct reader lines;
	struct span line;

	assert_true(open_bytes(arena, bytes, &file));
	lines = lines_of(&file);
	while (lines.ahead == NULL)
		assert_true(reader_previous(&lines, &line, &place));
	reader_rest(&lines);
	assert_true(session_file_at(&file, arena, place, &line));
	ASSERT_SPAN(line, span_of(bytes.p + place.offset, place.size));
	assert_false(reader_previous(&lines, &line, &place));
	assert_false(lines.failed);
}

static void
a_large_file_that_shrinks(struct arena *arena)
{
	struct span bytes = large_bytes(arena, 6000);
	struct session_place place;
	struct session_file file;
	struct reader lines;
	struct span line;
	size_t n = 0;

	assert_true(open_bytes(arena, bytes, &file));
	lines = lines_of(&file);
	while (lines.ahead == NULL && reader_previous(&lines, &line, &place))
		n++;
	assert_non_null(lines.ahead);
	unit_write_file(unit_path(arena, "session.jsonl"), SPAN(HEADER "\n"));
	while (reader_previous(&lines, &line, &place))
		n++;
	assert_true(lines.failed);
	assert_true(n < 6000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lines_from_the_end),
		TEST(no_header_no_session),
		TEST(long_lines),
		TEST(many_lines),
		TEST(a_file_that_shrinks),
		TEST(large_files),
		TEST(a_walk_that_is_given_up),
		TEST(memory_does_not_grow),
		TEST(a_walk_that_rests),
		TEST(a_large_file_that_shrinks),
	};

	return RUN_TESTS_IN_DIR(tests);
}
