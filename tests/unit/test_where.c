/* One place for all spellings of a path. */
#include "path/where.h"
#include "unit.h"
#include "unit_dir.h"

/* After any other path, PATH leads to where it leads alone. */
static void
expect_along(struct arena *arena, const char *path, enum where_last last,
    const struct where *alone)
{
	static const char *const before[] = {"", "o", "d/e/x", "d/x", "d/ee/x",
	    "deep/o", "../x", "/usr/x", "/x", "dangling", "gone/x/y"};

	for (size_t i = 0; i < COUNT_OF(before); i++) {
		struct span real = SPAN("");
		struct where where;

		(void)where_along(arena, span_str(unit_base),
		    span_str(before[i]), WHERE_LEADS, &real);
		where = where_along(
		    arena, span_str(unit_base), span_str(path), last, &real);
		CHECK(span_eq(where.name, alone->name) &&
			  where.nlinks == alone->nlinks,
		    "%s after %s is at %.*s", path, before[i],
		    (int)where.name.n, where.name.p);
		for (size_t k = 0; k < where.nlinks; k++)
			assert_true(span_eq(where.links[k], alone->links[k]));
	}
}

static void
expect(struct arena *arena, const char *path, enum where_last last,
    const char *wanted)
{
	struct where where =
	    where_of(arena, span_str(unit_base), span_str(path), last);
	struct buf full = buf_new(arena, 64);

	if (wanted[0] != '/')
		buf_add(&full,
		    where_of(arena, SPAN("/"), span_str(unit_base), WHERE_LEADS)
			.name);
	buf_str(&full, wanted[0] == '/' || wanted[0] == '\0' ? "" : "/");
	buf_str(&full, wanted);
	CHECK(span_eq(where.name, buf_span(&full)), "%s is at %.*s", path,
	    (int)where.name.n, where.name.p);
	expect_along(arena, path, last, &where);
}

static void
make_links(struct arena *arena)
{
	assert_int_equal(mkdir(unit_path(arena, "d"), 0700), 0);
	assert_int_equal(mkdir(unit_path(arena, "d/e"), 0700), 0);
	assert_int_equal(symlink("d/e", unit_path(arena, "deep")), 0);
	assert_int_equal(symlink("deep", unit_path(arena, "again")), 0);
	assert_int_equal(symlink("/usr/", unit_path(arena, "usr")), 0);
	assert_int_equal(symlink("round", unit_path(arena, "round")), 0);
	assert_int_equal(symlink("gone/x", unit_path(arena, "dangling")), 0);
}

static void
spellings_are_one_place(struct arena *arena)
{
	make_links(arena);
	expect(arena, "o", WHERE_LEADS, "o");
	expect(arena, "./o", WHERE_LEADS, "o");
	expect(arena, ".//o/", WHERE_LEADS, "o");
	expect(arena, "missing/../o", WHERE_LEADS, "o");
	expect(arena, "d/e/../o", WHERE_LEADS, "d/o");
	expect(arena, unit_path(arena, "o"), WHERE_LEADS, "o");
	expect(arena, ".", WHERE_LEADS, "");
	expect(arena, "", WHERE_LEADS, "");
	expect(arena, "/", WHERE_LEADS, "/");
	expect(arena, "/../..", WHERE_LEADS, "/");
}

static void
links_are_gone_through(struct arena *arena)
{
	expect(arena, "deep/o", WHERE_LEADS, "d/e/o");
	expect(arena, "again/o", WHERE_LEADS, "d/e/o");
	expect(arena, "deep", WHERE_LEADS, "d/e");
	expect(arena, "again", WHERE_LEADS, "d/e");
	expect(arena, "dangling", WHERE_LEADS, "gone/x");
	expect(arena, "usr/nothing", WHERE_LEADS, "/usr/nothing");
	/* As the kernel goes, not as it is written. */
	expect(arena, "deep/../o", WHERE_LEADS, "d/o");
	/* The thing itself. */
	expect(arena, "deep", WHERE_ITSELF, "deep");
	expect(arena, "deep/", WHERE_ITSELF, "deep");
	expect(arena, "again/o", WHERE_ITSELF, "d/e/o");
}

static void
a_circle_ends(struct arena *arena)
{
	expect(arena, "round/o", WHERE_LEADS, "round/o");
}

static bool
meets(struct arena *arena, const char *made, const char *used)
{
	struct span root = span_str(unit_base);
	struct where a = where_of(arena, root, span_str(made), WHERE_ITSELF),
		     b = where_of(arena, root, span_str(used), WHERE_LEADS);

	return where_meets(&a, &b);
}

static void
what_meets(struct arena *arena)
{
	assert_true(meets(arena, "o", "./o"));
	assert_true(meets(arena, "d", "d/x"));
	assert_true(meets(arena, "d/x", "d/"));
	assert_true(meets(arena, "d/e/x", "again/x"));
	assert_true(meets(arena, "again/x", "d"));
	/* The way to it would be another one. */
	assert_true(meets(arena, "deep", "again/x"));
	assert_true(meets(arena, "again", "again/x"));
	assert_false(meets(arena, "d", "dx"));
	assert_false(meets(arena, "again", "deep/x"));
	assert_false(meets(arena, "deep", "d/e"));
	assert_false(meets(arena, "o", "p"));
	assert_true(meets(arena, "o", "/"));
}

/* The same place, whoever is asked. */
static void
expect_same(struct arena *arena, struct links *links, const char *path)
{
	struct span root = span_str(unit_base), name = span_str(path);
	struct where plain = where_of(arena, root, name, WHERE_LEADS),
		     quick =
			 where_among(arena, root, name, WHERE_LEADS, links);

	CHECK(span_eq(plain.name, quick.name), "%s is at %.*s", path,
	    (int)quick.name.n, quick.name.p);
	assert_int_equal(plain.nlinks, quick.nlinks);
}

/* Directories are read when many names in them were asked for. */
static void
directories_tell_of_links(struct arena *arena)
{
	struct links *links = links_new(arena);
	const char *const paths[] = {"d/e/o", "deep/o", "again/o", "again",
	    "dangling", "usr/nothing", "round/o", "d", "nothing", "many/1",
	    "many/link", "many/up/o", "."};
	char name[32];

	assert_int_equal(mkdir(unit_path(arena, "many"), 0700), 0);
	assert_int_equal(symlink("1", unit_path(arena, "many/link")), 0);
	assert_int_equal(symlink("../d", unit_path(arena, "many/up")), 0);
	for (size_t i = 0; i < 200; i++) {
		(void)snprintf(name, sizeof(name), "many/%zu", i);
		if (i % 2 == 0)
			unit_write_file(
			    unit_path(arena, name), SPAN("x"));
		expect_same(arena, links, name);
		for (size_t k = 0; k < COUNT_OF(paths); k++)
			expect_same(arena, links, paths[k]);
	}
}

/* One that was read is not asked again: that is what it is for. */
static void
a_directory_is_read_once(struct arena *arena)
{
	struct links *links = links_new(arena);
	struct span name =
	    where_of(arena, span_str(unit_base), SPAN("many/0"), WHERE_LEADS)
		.name;

	assert_true(links_may_be(NULL, name));
	assert_true(links_may_be(links, name));
	for (size_t i = 0; i < 1000; i++)
		(void)links_may_be(links, name);
	assert_false(links_may_be(links, name));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(spellings_are_one_place),
	    TEST(links_are_gone_through),
	    TEST(a_circle_ends),
	    TEST(what_meets),
	    TEST(directories_tell_of_links),
	    TEST(a_directory_is_read_once),
	};

	return RUN_TESTS_IN_DIR(tests);
}
