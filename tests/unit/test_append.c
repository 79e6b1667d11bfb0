#include "unit_dir.h"

#include "base/digest.h"
#include "base/slurp.h"
#include "host/pi/append.h"
#include "host/pi/index_open.h"

#define HEADER                                                                 \
	"{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n"
#define ENTRY(id, parent)                                                      \
	"{\"type\":\"x\",\"id\":\"" id "\",\"parentId\":" parent "}\n"

static struct span
read_file(struct arena *arena, const char *path)
{
	int fd = slurp_open(path);
	struct span bytes;

	assert_true(fd >= 0);
	assert_int_equal(slurp(arena, fd, 1 << 20, &bytes), SLURP_OK);
	(void)close(fd);
	return bytes;
}

static struct index
open_index(struct arena *arena, const char *path)
{
	struct index index;

	assert_int_equal(
	    index_open(arena, span_str(path), NULL, NULL, &index), INDEX_OK);
	return index;
}

/* Append to a file with BYTES; gives what it then holds. */
static struct span
append_to(struct arena *arena, struct span bytes, struct span *line)
{
	const char *path = unit_path(arena, "session.jsonl");
	struct index index;

	unit_write_file(path, bytes);
	index = open_index(arena, path);
	assert_true(session_append(&index, span_str(path),
	    SPAN("\"type\":\"custom\",\"customType\":\"t\",\"data\":{}"), arena,
	    line));
	arena_close_fd(arena, index.fd);
	return read_file(arena, path);
}

static void
behind_the_last_entry(struct arena *arena)
{
	static const struct {
		struct span before, between;
		const char *parent; /* as it stands in the line */
	} rows[] = {
	    {LIT(HEADER ENTRY("a", "null") ENTRY("b", "\"a\"")), LIT(""),
		"\"parentId\":\"b\""},
	    /* Not the branch that is longest: the last entry. */
	    {LIT(HEADER ENTRY("a", "null") ENTRY("b", "\"a\"")
		     ENTRY("c", "\"a\"")),
		LIT(""), "\"parentId\":\"c\""},
	    {LIT(HEADER), LIT(""), "\"parentId\":null"},
	    /* A torn line is ended, and stays no entry. */
	    {LIT(HEADER ENTRY("a", "null") "{\"type\":\"x\",\"id\":\"b"),
		LIT("\n"), "\"parentId\":\"a\""},
	    /* A last line that only lacks its line end. */
	    {LIT(HEADER "{\"type\":\"x\",\"id\":\"a\",\"parentId\":null}"),
		LIT("\n"), "\"parentId\":\"a\""},
	    {LIT(HEADER ENTRY("a", "null") "\n\n"), LIT(""),
		"\"parentId\":\"a\""},
	    {LIT(HEADER ENTRY("q\\\"\\n", "null")), LIT(""),
		"\"parentId\":\"q\\\"\\n\""},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span line,
		    after = append_to(arena, rows[i].before, &line);
		struct span wanted = unit_join(arena, rows[i].before,
		    unit_join(arena, rows[i].between, line));

		ASSERT_SPAN(after, wanted);
		CHECK(memmem(line.p, line.n, rows[i].parent,
			  strlen(rows[i].parent)) != NULL,
		    "row %zu: %.*s", i, (int)line.n, line.p);
		assert_int_equal(line.p[line.n - 1], '\n');
	}
}

static void
what_is_appended_is_an_entry(struct arena *arena)
{
	const char *path = unit_path(arena, "grows.jsonl");
	struct index_path way;
	struct index index;
	struct span line;

	unit_write_file(path, SPAN(HEADER "{\"torn"));
	for (uint32_t i = 0; i < 40; i++) {
		index = open_index(arena, path);
		assert_int_equal(index.n, i);
		assert_int_equal(index.skipped, 1);
		assert_true(session_append(&index, span_str(path),
		    SPAN("\"type\":\"custom\",\"data\":{\"n\":[1,2]}"), arena,
		    &line));
		arena_close_fd(arena, index.fd);
	}
	index = open_index(arena, path);
	assert_true(index_path(&index, index_last(&index), arena, &way));
	assert_int_equal(way.n, 40);
	assert_false(way.broken);
	for (uint32_t i = 0; i < index.n; i++) {
		struct span id = index.nodes[i].id;

		assert_int_equal(id.n, 8); /* as pi makes them */
		assert_true(digest_is_hex(id, 8));
		assert_int_equal(index_find(&index, id), i);
	}
}

static void
where_nothing_can_be_written(struct arena *arena)
{
	const char *path = unit_path(arena, "session.jsonl");
	const char *gone = unit_path(arena, "gone.jsonl");
	struct index index;
	struct span line;

	unit_write_file(path, SPAN(HEADER));
	index = open_index(arena, path);
	errno = 0;
	assert_false(session_append(
	    &index, span_str(gone), SPAN("\"type\":\"x\""), arena, &line));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(access(gone, F_OK), -1); /* and none is made */
	errno = 0;
	assert_false(session_append(
	    &index, SPAN("/dev/full"), SPAN("\"type\":\"x\""), arena, &line));
	assert_int_equal(errno, ENOSPC);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(behind_the_last_entry),
	    TEST(what_is_appended_is_an_entry),
	    TEST(where_nothing_can_be_written),
	};

	return RUN_TESTS_IN_DIR(tests);
}
