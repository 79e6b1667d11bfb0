#include "unit_dir.h"

#include "session/reader.h"
#include "json/json.h"

#define BUFFER ((size_t)1024 * 1024) /* what is read at a time */

static int
open_with(struct arena *arena, struct span bytes)
{
	const char *path = unit_path(arena, "lines");
	int fd;

	unit_write_file(path, bytes);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	arena_own_fd(arena, fd);
	return fd;
}

/* Is LINE, at PLACE, the part FROM..TO of BYTES without its blanks? */
static void
check_line(struct span bytes, size_t from, size_t to, struct span line,
    struct session_place place)
{
	struct span wanted = json_trim(span_of(bytes.p + from, to - from));

	ASSERT_SPAN(line, wanted);
	CHECK(place.offset == (size_t)(wanted.p - bytes.p) &&
		  place.size == wanted.n,
	    "a line of %zu at %llu, not of %zu at %zu", place.size,
	    (unsigned long long)place.offset, wanted.n,
	    (size_t)(wanted.p - bytes.p));
}

static bool
is_blank_line(struct span bytes, size_t from, size_t to)
{
	return json_trim(span_of(bytes.p + from, to - from)).n == 0;
}

/* The lines of BYTES from the first on are those of a plain split. */
static void
check_forwards(struct arena *arena, int fd, struct span bytes)
{
	struct reader lines =
	    reader_from_start(arena, fd, 0, READER_TO_END, BUFFER);
	struct session_place place;
	uint32_t number = 0;
	struct span line;

	for (size_t from = 0, to; from < bytes.n; from = to + 1) {
		const char *lf = memchr(bytes.p + from, '\n', bytes.n - from);

		to = lf != NULL ? (size_t)(lf - bytes.p) : bytes.n;
		number++;
		if (is_blank_line(bytes, from, to))
			continue;
		assert_true(reader_next(&lines, &line, &place));
		check_line(bytes, from, to, line, place);
		assert_int_equal(lines.number, number);
		assert_int_equal(lines.unfinished, lf == NULL);
	}
	assert_false(reader_next(&lines, &line, &place));
	assert_false(lines.failed);
	assert_false(reader_next(&lines, &line, &place)); /* it stays there */
}

/* And from the last on. */
static void
check_backwards(struct arena *arena, int fd, struct span bytes)
{
	struct reader lines = reader_from_end(arena, fd, 0, bytes.n);
	struct session_place place;
	struct span line;
	size_t from, to = bytes.n;

	for (bool more = bytes.n > 0; more; to = from - 1) {
		const char *lf = memrchr(bytes.p, '\n', to);

		from = lf != NULL ? (size_t)(lf - bytes.p) + 1 : 0;
		more = lf != NULL;
		if (is_blank_line(bytes, from, to))
			continue;
		assert_true(reader_previous(&lines, &line, &place));
		check_line(bytes, from, to, line, place);
	}
	assert_false(reader_previous(&lines, &line, &place));
	assert_false(lines.failed);
	assert_false(reader_previous(&lines, &line, &place));
}

static void
check_lines(struct arena *arena, struct span bytes)
{
	int fd = open_with(arena, bytes);

	check_forwards(arena, fd, bytes);
	check_backwards(arena, fd, bytes);
	arena_close_fd(arena, fd);
}

static void
small_files(struct arena *arena)
{
	static const struct span files[] = {
	    LIT(""),
	    LIT("\n"),
	    LIT("a"),
	    LIT("a\n"),
	    LIT("a\nb"),
	    LIT("\n\n\n"),
	    LIT("a\r\nb\r\n"),
	    LIT("a\0b\n\0\n\0"),
	    LIT("\xff\xfe\n\xc3"),
	    LIT("\n a \n"),
	};

	for (size_t i = 0; i < COUNT_OF(files); i++)
		check_lines(arena, files[i]);
}

/* Line ends on both sides of the buffer's, and just on it. */
static void
lines_around_the_buffer(struct arena *arena)
{
	for (size_t n = BUFFER - 2; n <= BUFFER + 2; n++) {
		struct span x = unit_repeat(arena, SPAN("x"), n);

		check_lines(arena, x);
		check_lines(arena, unit_join(arena, x, SPAN("\n")));
		check_lines(arena, unit_join(arena, x, SPAN("\nrest\nend")));
		check_lines(arena, unit_join(arena, SPAN("first\n"), x));
	}
}

static void
lines_beyond_the_buffer(struct arena *arena)
{
	struct span x = unit_repeat(arena, SPAN("0123456789"), BUFFER / 2);
	struct span two = unit_join(arena, unit_join(arena, x, SPAN("\n")), x);

	check_lines(arena, two);
	check_lines(arena, unit_join(arena, SPAN("a\nbb\n"), two));
	check_lines(arena, unit_join(arena, two, SPAN("\nshort\n\n")));
}

static void
random_lines(struct arena *arena)
{
	struct chance chance = chance_new(4);
	struct buf bytes = buf_new(arena, 8 * BUFFER);

	while (bytes.n < 4 * BUFFER) {
		size_t n = chance_below(&chance, 9) == 0
			       ? chance_below(&chance, 2 * BUFFER)
			       : chance_below(&chance, 3000);

		for (size_t i = 0; i < n; i++)
			buf_char(&bytes, (char)('a' + i % 26));
		buf_char(&bytes, '\n');
	}
	check_lines(arena, buf_span(&bytes));
}

/* A file with a line of SIZE NUL bytes, which take no room on disk. */
static struct reader
read_hole(struct arena *arena, size_t size, const char *behind)
{
	const char *path = unit_path(arena, "hole");
	int fd;

	unit_write_file(path, SPAN("before\n"));
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	arena_own_fd(arena, fd);
	assert_int_equal(pwrite(fd, behind, strlen(behind), (off_t)(7 + size)),
	    (ssize_t)strlen(behind));
	return reader_from_start(arena, fd, 0, READER_TO_END, BUFFER);
}

/* "One that is too long is skipped like a blank one." */
static void
check_too_long(struct arena *arena, size_t size)
{
	struct reader lines = read_hole(arena, size, "\nafter\nlast");
	struct session_place place;
	struct span line;

	assert_true(reader_next(&lines, &line, &place));
	ASSERT_TEXT(line, "before");
	assert_true(reader_next(&lines, &line, &place));
	ASSERT_TEXT(line, "after");
	assert_int_equal(place.offset, 7 + size + 1);
	assert_int_equal(lines.number, 3);
	assert_true(reader_next(&lines, &line, &place));
	ASSERT_TEXT(line, "last");
	assert_false(reader_next(&lines, &line, &place));
	assert_false(lines.failed);
}

/* From the end nothing above it is given: it may be a boundary. */
static void
check_too_long_backwards(struct arena *arena, size_t size)
{
	struct reader hole = read_hole(arena, size, "\nafter\n");
	struct reader lines =
	    reader_from_end(arena, hole.fd, 0, 7 + size + strlen("\nafter\n"));
	struct session_place place;
	struct span line;

	assert_true(reader_previous(&lines, &line, &place));
	ASSERT_TEXT(line, "after");
	assert_false(reader_previous(&lines, &line, &place));
	assert_true(lines.failed);
}

static void
a_line_just_too_long(struct arena *arena)
{
	check_too_long(arena, READER_LINE_MAX + 1);
}

static void
a_line_much_too_long(struct arena *arena)
{
	check_too_long(arena, 3 * READER_LINE_MAX + 12345);
	check_too_long_backwards(arena, 3 * READER_LINE_MAX + 12345);
}

static void
the_longest_line(struct arena *arena)
{
	struct reader lines = read_hole(arena, READER_LINE_MAX, "\nafter\n");
	struct session_place place;
	struct span line;

	assert_true(reader_next(&lines, &line, &place));
	assert_true(reader_next(&lines, &line, &place));
	assert_int_equal(line.n, READER_LINE_MAX);
	assert_true(reader_next(&lines, &line, &place));
	ASSERT_TEXT(line, "after");
}

/* Only a part of the file, which begins and ends with a line. */
static void
a_part_of_a_file(struct arena *arena)
{
	int fd = open_with(arena, SPAN("a\nb\nc\nd\n"));
	struct reader lines = reader_from_start(arena, fd, 2, 6, BUFFER);
	struct session_place place;
	struct span line;

	assert_true(reader_next(&lines, &line, &place));
	ASSERT_TEXT(line, "b");
	assert_int_equal(place.offset, 2);
	assert_true(reader_next(&lines, &line, &place));
	ASSERT_TEXT(line, "c");
	assert_false(reader_next(&lines, &line, &place));
	lines = reader_from_start(arena, fd, 0, 3, BUFFER);
	assert_true(reader_next(&lines, &line, &place));
	assert_false(lines.unfinished);
	assert_true(reader_next(&lines, &line, &place));
	assert_true(lines.unfinished); /* its LF is not in that part */
	assert_false(reader_next(&lines, &line, &place));
	lines = reader_from_end(arena, fd, 2, 6);
	assert_true(reader_previous(&lines, &line, &place));
	ASSERT_TEXT(line, "c");
	assert_true(reader_previous(&lines, &line, &place));
	ASSERT_TEXT(line, "b");
	assert_false(reader_previous(&lines, &line, &place));
}

static void
a_descriptor_that_cannot_be_read(struct arena *arena)
{
	int fd = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct reader lines;
	struct session_place place;
	struct span line;

	assert_true(fd >= 0);
	arena_own_fd(arena, fd);
	lines = reader_from_start(arena, fd, 0, READER_TO_END, BUFFER);
	assert_false(reader_next(&lines, &line, &place));
	assert_true(lines.failed);
	lines = reader_from_end(arena, fd, 0, 100);
	assert_false(reader_previous(&lines, &line, &place));
	assert_true(lines.failed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(small_files),
	    TEST(lines_around_the_buffer),
	    TEST(lines_beyond_the_buffer),
	    TEST(random_lines),
	    TEST(a_line_just_too_long),
	    TEST(a_line_much_too_long),
	    TEST(the_longest_line),
	    TEST(a_part_of_a_file),
	    TEST(a_descriptor_that_cannot_be_read),
	};

	return RUN_TESTS_IN_DIR(tests);
}
