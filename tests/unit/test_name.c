#include "unit.h"

#include "path/name.h"

#define CWD "/proj/dir"
#define HOME "/home/me"

static const struct {
	struct span path;
	struct span name;
} rows[] = {
	/* Lexical resolution: the disk is not asked. */
	{LIT("a.txt"), LIT("/proj/dir/a.txt")},
	{LIT("./a.txt"), LIT("/proj/dir/a.txt")},
	{LIT("sub/a.txt"), LIT("/proj/dir/sub/a.txt")},
	{LIT("../a.txt"), LIT("/proj/a.txt")},
	{LIT("no/../a.txt"), LIT("/proj/dir/a.txt")},
	{LIT("../../../../a.txt"), LIT("/a.txt")},
	{LIT("/a.txt"), LIT("/a.txt")},
	{LIT("//x///y//"), LIT("/x/y")},
	{LIT("/x/./y/../z/."), LIT("/x/z")},
	{LIT("/.."), LIT("/")},
	{LIT("/"), LIT("/")},
	{LIT(""), LIT("/proj/dir")},
	{LIT("."), LIT("/proj/dir")},
	{LIT(".."), LIT("/proj")},
	{LIT("a.txt/"), LIT("/proj/dir/a.txt")},
	/* Only whole components are special. */
	{LIT(".hidden/..x/x../..."), LIT("/proj/dir/.hidden/..x/x../...")},
	/* One leading @ is dropped, after the spaces, before the tilde. */
	{LIT("@a.txt"), LIT("/proj/dir/a.txt")},
	{LIT("@@a.txt"), LIT("/proj/dir/@a.txt")},
	{LIT("@/a.txt"), LIT("/a.txt")},
	{LIT("@~/a.txt"), LIT("/home/me/a.txt")},
	{LIT("@"), LIT("/proj/dir")},
	{LIT("a@b"), LIT("/proj/dir/a@b")},
	{LIT(" @a"), LIT("/proj/dir/ @a")},
	{LIT("\xc2\xa0@a"), LIT("/proj/dir/ @a")},
	/* The tilde. */
	{LIT("~"), LIT("/home/me")},
	{LIT("~/"), LIT("/home/me")},
	{LIT("~/x/../y"), LIT("/home/me/y")},
	{LIT("~/../y"), LIT("/home/y")},
	{LIT("~root"), LIT("/proj/dir/~root")},
	{LIT("~root/x"), LIT("/proj/dir/~root/x")},
	{LIT("a/~"), LIT("/proj/dir/a/~")},
	{LIT("~@x"), LIT("/proj/dir/~@x")},
	{LIT("./~/x"), LIT("/proj/dir/~/x")},
	/* Unicode spaces become spaces, everywhere. */
	{LIT("a\xc2\xa0" "b"), LIT("/proj/dir/a b")},
	{LIT("a\xe2\x80\x80" "b"), LIT("/proj/dir/a b")},
	{LIT("a\xe2\x80\x85" "b"), LIT("/proj/dir/a b")},
	{LIT("a\xe2\x80\x8a" "b"), LIT("/proj/dir/a b")},
	{LIT("a\xe2\x80\xaf" "b"), LIT("/proj/dir/a b")},
	{LIT("a\xe2\x81\x9f" "b"), LIT("/proj/dir/a b")},
	{LIT("a\xe3\x80\x80" "b"), LIT("/proj/dir/a b")},
	{LIT("\xe3\x80\x80\xc2\xa0"), LIT("/proj/dir/  ")},
	{LIT("x\xc2\xa0"), LIT("/proj/dir/x ")},
	/* Their neighbours do not, nor do other blanks. */
	{LIT("a\xc2\xa1" "b"), LIT("/proj/dir/a\xc2\xa1" "b")},
	{LIT("a\xe1\x9a\x80" "b"), LIT("/proj/dir/a\xe1\x9a\x80" "b")},
	{LIT("a\xe2\x80\x8b" "b"), LIT("/proj/dir/a\xe2\x80\x8b" "b")},
	{LIT("a\xe2\x80\xae" "b"), LIT("/proj/dir/a\xe2\x80\xae" "b")},
	{LIT("a\xe2\x80\xb0" "b"), LIT("/proj/dir/a\xe2\x80\xb0" "b")},
	{LIT("a\xe2\x81\x9e" "b"), LIT("/proj/dir/a\xe2\x81\x9e" "b")},
	{LIT("a\xe2\x81\xa0" "b"), LIT("/proj/dir/a\xe2\x81\xa0" "b")},
	{LIT("a\xe3\x80\x81" "b"), LIT("/proj/dir/a\xe3\x80\x81" "b")},
	{LIT("a\xef\xbb\xbf" "b"), LIT("/proj/dir/a\xef\xbb\xbf" "b")},
	{LIT(" a\tb\n "), LIT("/proj/dir/ a\tb\n ")},
	/* Half of one at the end of the memory. */
	{LIT("\xe2\x80"), LIT("/proj/dir/\xe2\x80")},
	{LIT("\xc2"), LIT("/proj/dir/\xc2")},
	/* URLs; only this spelling of the scheme is one. */
	{LIT("file:///x/y"), LIT("/x/y")},
	{LIT("@file:///x/y"), LIT("/x/y")},
	{LIT("file:///x//y/"), LIT("/x/y")},
	{LIT("file://localhost/x%20y"), LIT("/x y")},
	{LIT("FILE:///x"), LIT("/proj/dir/FILE:/x")},
	{LIT("file:/x"), LIT("/proj/dir/file:/x")},
	{LIT("file:x"), LIT("/proj/dir/file:x")},
	{LIT("./file:///x"), LIT("/proj/dir/file:/x")},
	/* Ordinary characters that might be taken for something. */
	{LIT("a:12"), LIT("/proj/dir/a:12")},
	{LIT("a\\b"), LIT("/proj/dir/a\\b")},
	{LIT("$HOME/%41"), LIT("/proj/dir/$HOME/%41")},
};

static void
resolution(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct name_error error;
		struct span name;
		enum name_status status = name_resolve(arena,
		    unit_exact(arena, rows[i].path), SPAN(CWD), SPAN(HOME),
		    &name, &error);

		CHECK(status == NAME_OK, "\"%s\"", rows[i].path.p);
		ASSERT_SPAN(name, rows[i].name);
	}
}

/* HOME may be empty, relative, or end with a slash. */
static void
unusual_homes(struct arena *arena)
{
	static const struct {
		const char *path, *home, *name;
	} homes[] = {
		{"~", "", "/proj/dir"},
		{"~/x", "", "/proj/dir/x"},
		{"~", "rel", "/proj/dir/rel"},
		{"~/x", "rel", "/proj/dir/rel/x"},
		{"~/x", "/h/", "/h/x"},
		{"~/x", "/", "/x"},
		{"~", "/h/../g", "/g"},
	};

	for (size_t i = 0; i < COUNT_OF(homes); i++) {
		struct name_error error;
		struct span name;

		assert_int_equal(name_resolve(arena, span_str(homes[i].path),
				     SPAN(CWD), span_str(homes[i].home), &name,
				     &error),
		    NAME_OK);
		ASSERT_TEXT(name, homes[i].name);
	}
}

static void
resolution_against_the_root(struct arena *arena)
{
	struct name_error error;
	struct span name;

	assert_int_equal(name_resolve(arena, SPAN("a/b"), SPAN("/"),
			     SPAN(HOME), &name, &error),
	    NAME_OK);
	ASSERT_TEXT(name, "/a/b");
	assert_int_equal(name_resolve(arena, SPAN(""), SPAN("/"), SPAN(HOME),
			     &name, &error),
	    NAME_OK);
	ASSERT_TEXT(name, "/");
}

static void
urls_that_fail(struct arena *arena)
{
	struct name_error error;
	struct span name;

	assert_int_equal(name_resolve(arena, SPAN("file://host/x"), SPAN(CWD),
			     SPAN(HOME), &name, &error),
	    NAME_REFUSED);
	assert_string_equal(error.code, "ERR_INVALID_FILE_URL_HOST");
	assert_int_equal(name_resolve(arena, SPAN("file:///a\\b"), SPAN(CWD),
			     SPAN(HOME), &name, &error),
	    NAME_UNUSUAL);
}

/* ---- NUL: Node's own words ---- */

#define NUL_MESSAGE \
	"The argument 'path' must be a string, Uint8Array, or URL without " \
	"null bytes. Received "

static void
check_nul(struct arena *arena, struct span path, const char *shown)
{
	struct name_error error = {NULL, SPAN("")};
	struct span name;
	enum name_status status = name_resolve(arena, unit_exact(arena, path),
	    SPAN(CWD), SPAN(HOME), &name, &error);

	CHECK(status == NAME_REFUSED, "%s", shown);
	assert_string_equal(error.code, "ERR_INVALID_ARG_VALUE");
	ASSERT_SPAN(error.message,
	    unit_join(arena, SPAN(NUL_MESSAGE), span_str(shown)));
}

static void
nul_in_a_path(struct arena *arena)
{
	check_nul(arena, SPAN("\0"), "'/proj/dir/\\x00'");
	check_nul(arena, SPAN("a\0b"), "'/proj/dir/a\\x00b'");
	check_nul(arena, SPAN("/a\0"), "'/a\\x00'");
	check_nul(arena, SPAN("../a\0"), "'/proj/a\\x00'");
	check_nul(arena, SPAN("/a\0/../b\0"), "'/b\\x00'");
	check_nul(arena, SPAN("file:///x%00y"), "'/x\\x00y'");
	check_nul(arena, SPAN("/\x01\x1f\x7f\0"), "'/\\x01\\x1F\\x7F\\x00'");
	check_nul(arena, SPAN("/\b\t\v\f\r\0"),
	    "'/\\b\\t\\x0B\\f\\r\\x00'");
	check_nul(arena, SPAN("/back\\slash\0"), "'/back\\\\slash\\x00'");
}

/* It is there no more when it goes away with "..". */
static void
nul_that_is_resolved_away(struct arena *arena)
{
	struct name_error error;
	struct span name;

	assert_int_equal(name_resolve(arena, SPAN("/a\0/../b"), SPAN(CWD),
			     SPAN(HOME), &name, &error),
	    NAME_OK);
	ASSERT_TEXT(name, "/b");
}

/* Node takes the quotes that need no escape, in this order. */
static void
nul_and_quotes(struct arena *arena)
{
	check_nul(arena, SPAN("/say \"hi\"\0"), "'/say \"hi\"\\x00'");
	check_nul(arena, SPAN("/it's\0"), "\"/it's\\x00\"");
	check_nul(arena, SPAN("/it's \"\0"), "`/it's \"\\x00`");
	check_nul(arena, SPAN("/it's \"`\0"), "'/it\\'s \"`\\x00'");
	check_nul(arena, SPAN("/it's \"${x\0"), "'/it\\'s \"${x\\x00'");
	check_nul(arena, SPAN("/it's \"$x\0"), "`/it's \"$x\\x00`");
	check_nul(arena, SPAN("/`\0"), "'/`\\x00'");
}

/* What is shown is cut at 128 characters, quote and escapes counted. */
static void
nul_in_a_long_path(struct arena *arena)
{
	struct span xs = unit_repeat(arena, SPAN("x"), 200);
	struct buf path = buf_new(arena, 0), shown = buf_new(arena, 0);

	buf_char(&path, '/');
	buf_add(&path, span_of(xs.p, 121));
	buf_char(&path, '\0'); /* 1 + 1 + 121 + 4 + 1 = 128 */
	buf_str(&shown, "'/");
	buf_add(&shown, span_of(xs.p, 121));
	buf_str(&shown, "\\x00'");
	check_nul(arena, buf_span(&path), arena_cstr(arena, buf_span(&shown)));

	path.n = shown.n = 0;
	buf_char(&path, '/');
	buf_add(&path, span_of(xs.p, 122));
	buf_char(&path, '\0'); /* one more */
	buf_str(&shown, "'/");
	buf_add(&shown, span_of(xs.p, 122));
	buf_str(&shown, "\\x00...");
	check_nul(arena, buf_span(&path), arena_cstr(arena, buf_span(&shown)));
}

/*
 * Above 124 characters Node shows a text with line ends as pieces joined by
 * " +", so the simple form would not be the host's message.
 */
static void
nul_in_a_long_path_with_line_ends(struct arena *arena)
{
	struct span xs = unit_repeat(arena, SPAN("x"), 110);
	struct span ys = unit_repeat(arena, SPAN("y"), 30);
	struct name_error error = {NULL, SPAN("")};
	struct buf path = buf_new(arena, 0), message = buf_new(arena, 0);
	struct span name;
	enum name_status status;

	buf_str(&path, "/d/");
	buf_add(&path, xs);
	buf_char(&path, '\n');
	buf_add(&path, ys);
	buf_char(&path, '\0');
	buf_str(&message, NUL_MESSAGE "'/d/");
	buf_add(&message, xs);
	buf_str(&message, "\\n' +\n  'yyyyy...");

	status = name_resolve(arena, buf_span(&path), SPAN(CWD), SPAN(HOME),
	    &name, &error);
	if (status == NAME_REFUSED)
		ASSERT_SPAN(error.message, buf_span(&message));
	else
		assert_int_equal(status, NAME_UNUSUAL);
}

/* Node counts UTF-16 units there: left to the host. */
static void
nul_beside_other_than_ascii(struct arena *arena)
{
	struct name_error error;
	struct span name;

	assert_int_equal(name_resolve(arena, SPAN("/caf\xc3\xa9\0"), SPAN(CWD),
			     SPAN(HOME), &name, &error),
	    NAME_UNUSUAL);
}

static void
normalization(struct arena *arena)
{
	static const char *const names[][2] = {
		{"/", "/"},
		{"//", "/"},
		{"/.", "/"},
		{"/..", "/"},
		{"/../..", "/"},
		{"/a", "/a"},
		{"/a/", "/a"},
		{"/a//b", "/a/b"},
		{"/a/./b", "/a/b"},
		{"/a/../b", "/b"},
		{"/a/b/..", "/a"},
		{"/a/b/../..", "/"},
		{"/a/b/../../../c", "/c"},
		{"/.a/b./..c/d..", "/.a/b./..c/d.."},
		{"/...", "/..."},
	};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		ASSERT_TEXT(name_normalize(arena,
				unit_exact(arena, span_str(names[i][0]))),
		    names[i][1]);
}

/* What an absolute path names, no directory changes. */
static void
names_in_a_directory(struct arena *arena)
{
	ASSERT_TEXT(name_in(arena, SPAN("/d"), SPAN("a/b")), "/d/a/b");
	ASSERT_TEXT(name_in(arena, SPAN("d"), SPAN("")), "d/");
	ASSERT_TEXT(name_from(arena, SPAN("/d"), SPAN("a/b")), "/d/a/b");
	ASSERT_TEXT(name_from(arena, SPAN("/d"), SPAN("/a/b")), "/a/b");
	ASSERT_TEXT(name_from(arena, SPAN("/d"), SPAN("")), "/d/");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(resolution),
		TEST(unusual_homes),
		TEST(resolution_against_the_root),
		TEST(urls_that_fail),
		TEST(nul_in_a_path),
		TEST(nul_that_is_resolved_away),
		TEST(nul_and_quotes),
		TEST(nul_in_a_long_path),
		TEST(nul_in_a_long_path_with_line_ends),
		TEST(nul_beside_other_than_ascii),
		TEST(normalization),
		TEST(names_in_a_directory),
	};

	return RUN_TESTS(tests);
}
