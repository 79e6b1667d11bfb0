#include "unit_dir.h"

#include "host/pi/scan.h"

#define BUFFER ((size_t)1024 * 1024) /* what scan begins with */

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

/* The lines of BYTES, one after the other, are those of a plain split. */
static void
check_lines(struct arena *arena, struct span bytes)
{
	struct scan scan = scan_new(arena, open_with(arena, bytes));
	size_t from = 0, number = 0;
	uint64_t offset;
	struct span line;

	while (scan_next(&scan, &line, &offset)) {
		const char *lf = memchr(bytes.p + from, '\n', bytes.n - from);
		size_t to = lf != NULL ? (size_t)(lf - bytes.p) : bytes.n;

		number++;
		CHECK(offset == from, "line %zu begins at %llu, not %zu",
		    number, (unsigned long long)offset, from);
		ASSERT_SPAN(line, span_of(bytes.p + from, to - from));
		from = lf != NULL ? to + 1 : to;
	}
	CHECK(from == bytes.n, "ended at %zu of %zu", from, bytes.n);
	assert_false(scan.failed);
	assert_false(scan_next(&scan, &line, &offset)); /* and stays there */
	arena_close_fd(arena, scan.fd);
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
static struct scan
scan_hole(struct arena *arena, size_t size, const char *behind)
{
	const char *path = unit_path(arena, "hole");
	int fd;

	unit_write_file(path, SPAN("before\n"));
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	arena_own_fd(arena, fd);
	assert_int_equal(pwrite(fd, behind, strlen(behind), (off_t)(7 + size)),
	    (ssize_t)strlen(behind));
	return scan_new(arena, fd);
}

/* "One that is too long is given as an empty line." */
static void
check_too_long(struct arena *arena, size_t size)
{
	struct scan scan = scan_hole(arena, size, "\nafter\nlast");
	uint64_t offset;
	struct span line;

	assert_true(scan_next(&scan, &line, &offset));
	ASSERT_TEXT(line, "before");
	assert_true(scan_next(&scan, &line, &offset));
	CHECK(line.n == 0, "%zu bytes of a line of %zu", line.n, size);
	assert_int_equal(offset, 7);
	assert_true(scan_next(&scan, &line, &offset));
	ASSERT_TEXT(line, "after");
	assert_int_equal(offset, 7 + size + 1);
	assert_true(scan_next(&scan, &line, &offset));
	ASSERT_TEXT(line, "last");
	assert_false(scan_next(&scan, &line, &offset));
	assert_false(scan.failed);
}

static void
a_line_just_too_long(struct arena *arena)
{
	check_too_long(arena, SCAN_LINE_MAX + 1);
}

static void
a_line_much_too_long(struct arena *arena)
{
	check_too_long(arena, 3 * SCAN_LINE_MAX + 12345);
}

static void
the_longest_line(struct arena *arena)
{
	struct scan scan = scan_hole(arena, SCAN_LINE_MAX, "\nafter\n");
	uint64_t offset;
	struct span line;

	assert_true(scan_next(&scan, &line, &offset));
	assert_true(scan_next(&scan, &line, &offset));
	assert_int_equal(line.n, SCAN_LINE_MAX);
	assert_true(scan_next(&scan, &line, &offset));
	ASSERT_TEXT(line, "after");
}

static void
a_descriptor_that_cannot_be_read(struct arena *arena)
{
	int fd = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct scan scan;
	uint64_t offset;
	struct span line;

	assert_true(fd >= 0);
	arena_own_fd(arena, fd);
	scan = scan_new(arena, fd);
	assert_false(scan_next(&scan, &line, &offset));
	assert_true(scan.failed);
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
	    TEST(a_descriptor_that_cannot_be_read),
	};

	return RUN_TESTS_IN_DIR(tests);
}
