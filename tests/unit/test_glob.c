#include "unit_dir.h"

#include "work/fingerprint/glob.h"
#include "work/fingerprint/pattern.h"
#include "work/fingerprint/reach.h"

static void
names(struct arena *arena)
{
	static const struct {
		const char *pattern, *name;
		bool match;
	} rows[] = {
	    {"*.c", "a.c", true}, {"*.c", "a.h", false}, {"*.c", ".c", false},
	    {"*", ".hidden", false}, {".*", ".hidden", true},
	    {"?hidden", ".hidden", false}, {"[.]hidden", ".hidden", false},
	    {"a?c", "abc", true}, {"a?c", "a\xc3\xa9" "c", true},
	    {"a?c", "a\xff" "c", true}, {"a??c", "a\xc3\xa9" "c", false},
	    {"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false},
	    {"[^a-c]x", "dx", true}, {"[]]", "]", true}, {"[!]]", "a", true},
	    {"[a-]", "-", true}, {"[\xc3\xa0-\xc3\xbf]", "\xc3\xa9", true},
	    {"[a", "[a", true}, {"[a", "a", false}, {"\\*", "*", true},
	    {"\\*", "x", false}, {"[\\]]", "]", true}, {"A", "a", false},
	    {"*a*b*c", "xxaxxbxxc", true}, {"*a*b*c", "xxaxxbxx", false},
	    {"a*", "a", true}, {"", "", true}, {"a", "", false},
	    {"**x", "yx", true}, {"\\.x", ".x", true},
	};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(pattern_match_name(span_str(rows[i].pattern),
			  span_str(rows[i].name)) == rows[i].match,
		    "%s against %s", rows[i].pattern, rows[i].name);
}

/* Many stars must not take longer and longer. */
static void
stars_do_not_explode(struct arena *arena)
{
	struct span pattern = unit_repeat(arena, SPAN("*a"), 200);
	struct span name = unit_repeat(arena, SPAN("a"), 5000);

	assert_false(pattern_match_name(
	    unit_join(arena, pattern, SPAN("b")), name));
}

static void
braces(struct arena *arena)
{
	static const struct {
		const char *pattern, *joined;
	} rows[] = {
	    {"a", "a"}, {"a{b,c}d", "abd acd"}, {"{a,b}{1,2}", "a1 a2 b1 b2"},
	    {"{a,{b,c}}", "a b c"}, {"{,x}y", "y xy"}, {"{}", "{}"},
	    {"{a}", "{a}"}, {"{1..3}", "1 2 3"}, {"{a", "{a"},
	    {"\\{a,b}", "\\{a,b}"}, {"{a}{b,c}", "{a}b {a}c"},
	    {"{3..1}", "{3..1}"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		size_t n;
		struct span *found;
		const char *fault = pattern_braces(
		    arena, span_str(rows[i].pattern), &found, &n);
		struct buf joined = buf_new(arena, 64);

		assert_null(fault);

		for (size_t j = 0; j < n; j++) {
			buf_str(&joined, j > 0 ? " " : "");
			buf_add(&joined, found[j]);
		}
		ASSERT_TEXT(buf_span(&joined), rows[i].joined);
	}
}

static void
expect_fault(struct arena *arena, struct span pattern, const char *wanted)
{
	struct span *found;
	size_t n;
	const char *fault = pattern_braces(arena, pattern, &found, &n);

	assert_non_null(fault);
	assert_string_equal(fault, wanted);
}

/* F5: what braces may stand for is bounded, and so is the work. */
static void
f5_too_many_braces(struct arena *arena)
{
	struct span *found, text = unit_repeat(arena, SPAN("x"), 4096);
	size_t n;

	expect_fault(arena, unit_repeat(arena, SPAN("{a,b}"), 20),
	    "its braces stand for more than 4096 patterns.");
	expect_fault(arena, SPAN("{1..4096}{1..4096}{1..4096}"),
	    "its braces stand for more than 4096 patterns.");
	expect_fault(arena, unit_repeat(arena, SPAN("{"), 60000),
	    "its braces are nested more than 32 deep.");
	expect_fault(arena, unit_repeat(arena, SPAN("{a,"), 33),
	    "its braces are nested more than 32 deep.");
	assert_null(pattern_braces(
	    arena, unit_repeat(arena, SPAN("{"), 32), &found, &n));
	assert_int_equal(n, 1);
	expect_fault(arena, unit_join(arena, text, SPAN("y")),
	    "it is longer than 4096 bytes.");
	assert_null(pattern_braces(arena, text, &found, &n));
	expect_fault(arena, unit_repeat(arena, text, 17),
	    "it is longer than 64 KiB.");
}

/* What a pattern will find once it is there. */
static void
reaches(struct arena *arena)
{
	static const struct {
		const char *pattern, *path;
		bool found;
	} rows[] = {
	    {"s*/x.c", "sub/x.c", true}, {"s*//x.c", "sub/x.c", true},
	    {"s*/./x.c", "sub/x.c", true}, {"s*/x.c/", "sub/x.c", true},
	    {"s*", "sub/x.c", true}, {"s*/y.c", "sub/x.c", false},
	    {"s*/x.c", "sub", false}, {"**/x.c", "a/b/x.c", true},
	    {"**/x.c", ".a/x.c", false}, {"*", ".a", false},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(reach_finds(arena, span_str(rows[i].pattern),
			  span_str(rows[i].path)) == rows[i].found,
		    "%s against %s", rows[i].pattern, rows[i].path);
}

static void
make(struct arena *arena, const char *name)
{
	unit_write_file(unit_path(arena, name), SPAN("x"));
}

static void
make_tree(struct arena *arena)
{
	static const char dirs[][16] = {
	    "t", "t/src", "t/src/deep", "t/.dot", "t/other"};
	static const char files[][24] = {"t/a.c", "t/b.c", "t/B.c", "t/.h.c",
	    "t/src/a.c", "t/src/deep/a.c", "t/src/deep/.x.c", "t/.dot/a.c",
	    "t/other/in.c", "outside.c"};

	for (size_t i = 0; i < COUNT_OF(dirs); i++)
		assert_int_equal(mkdir(unit_path(arena, dirs[i]), 0700), 0);
	for (size_t i = 0; i < COUNT_OF(files); i++)
		make(arena, files[i]);
	assert_int_equal(symlink("other", unit_path(arena, "t/link")), 0);
	assert_int_equal(symlink("nowhere", unit_path(arena, "t/lost.c")), 0);
}

static void
t8_matches(struct arena *arena)
{
	static const struct {
		const char *pattern, *joined;
	} rows[] = {
	    {"*.c", "B.c a.c b.c lost.c"},
	    {"./*.c", "B.c a.c b.c lost.c"},
	    {".*.c", ".h.c"},
	    {"**/*.c", "B.c a.c b.c lost.c other/in.c src/a.c src/deep/a.c"},
	    {"**/a.c", "a.c src/a.c src/deep/a.c"},
	    {"src/**", "src/a.c src/deep src/deep/a.c"},
	    {"src/**/a.c", "src/a.c src/deep/a.c"},
	    {"link/*.c", "link/in.c"},
	    {"li*/*.c", "link/in.c"},
	    {".dot/*", ".dot/a.c"},
	    {"{a,b}.c", "a.c b.c"},
	    {"{a,*}.c", "B.c a.c b.c lost.c"},
	    {"{z1,z2,z3,z4,z5,z6,z7,z8,z9,a,b,a}.c", "a.c b.c"},
	    {"s*//a.c", "src/a.c"},
	    {"[ab].c", "a.c b.c"},
	    {"../*.c", "../outside.c"},
	    {"nothing*", ""},
	    {"src", "src"},
	    {"no/such/file", ""},
	    {"a.c/x", ""},
	    {"a.c/*", ""},
	};
	struct span cwd;

	make_tree(arena);
	cwd = span_str(unit_path(arena, "t"));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf joined = buf_new(arena, 64);
		struct glob_list list;
		const char *fault =
		    glob_find(arena, cwd, span_str(rows[i].pattern), NULL, &list);

		CHECK(fault == NULL, "%s: %s", rows[i].pattern, fault);
		for (size_t j = 0; j < list.n; j++) {
			buf_str(&joined, j > 0 ? " " : "");
			buf_add(&joined, list.items[j].path);
		}
		CHECK(span_eq(buf_span(&joined), span_str(rows[i].joined)),
		    "%s: have %.*s, want %s", rows[i].pattern, (int)joined.n,
		    joined.p, rows[i].joined);
	}
}

static void
t8_absolute(struct arena *arena)
{
	struct glob_list list;
	struct buf pattern = buf_new(arena, 64);

	buf_str(&pattern, unit_path(arena, "t"));
	buf_str(&pattern, "/[ab].c");
	assert_null(
	    glob_find(arena, SPAN("/"), buf_span(&pattern), NULL, &list));
	assert_int_equal(list.n, 2);
	ASSERT_TEXT(list.items[0].path, unit_path(arena, "t/a.c"));
}

static void
t13_what_cannot_be_read_is_a_fault(struct arena *arena)
{
	struct glob_list list;

	/* A link to itself: nobody can say what is below, not even root. */
	assert_int_equal(symlink("loop", unit_path(arena, "t/loop")), 0);
	assert_non_null(glob_find(arena, span_str(unit_path(arena, "t")),
	    SPAN("loop/*.c"), NULL, &list));
	assert_int_equal(unlink(unit_path(arena, "t/loop")), 0);
}

/* Does PATH fit PATTERN?  By trying everything, and by names alone. */
static bool
tries_all(struct span pattern, struct span path)
{
	const char *bar = memchr(pattern.p, '/', pattern.n);
	const char *slash = memchr(path.p, '/', path.n);
	struct span component = {pattern.p,
	    bar != NULL ? (size_t)(bar - pattern.p) : pattern.n};
	struct span name = {path.p,
	    slash != NULL ? (size_t)(slash - path.p) : path.n};
	struct span rest = span_from(pattern, component.n + (bar != NULL));
	struct span below = span_from(path, name.n + (slash != NULL));

	if (pattern.n == 0 || path.n == 0)
		return pattern.n == 0 && path.n == 0;
	if (!span_eq(component, SPAN("**")))
		return pattern_match_name(component, name) &&
		       tries_all(rest, below);
	if (rest.n > 0 && tries_all(rest, path))
		return true;
	if (name.p[0] == '.')
		return false;
	return below.n == 0 ? rest.n == 0 : tries_all(pattern, below);
}

/* All that can be named in the tree, but through the link. */
static const char *const all[] = {".dot", ".dot/a.c", ".h.c", "B.c", "a.c",
    "b.c", "link", "lost.c", "other", "other/in.c", "src", "src/a.c",
    "src/deep", "src/deep/.x.c", "src/deep/a.c"};

/* F5: many "**" and alternatives at once find what each finds alone. */
static void
f5_all_ways_at_once(struct arena *arena)
{
	static const char *const parts[] = {
	    "**", "*", "s*", "src", "a.c", "*.c", "deep", "?*", ".*"};
	struct span cwd = span_str(unit_path(arena, "t"));
	struct chance chance = chance_new(5);

	for (int round = 0; round < 3000; round++) {
		struct buf pattern = buf_new(arena, 64);
		struct glob_list list;
		size_t at = 0;

		for (uint64_t n = 1 + chance_below(&chance, 5); n > 0; n--) {
			buf_str(&pattern, parts[chance_below(&chance, 9)]);
			buf_str(&pattern, n > 1 ? "/" : "");
		}
		assert_null(glob_find(
		    arena, cwd, buf_span(&pattern), NULL, &list));
		for (size_t i = 0; i < COUNT_OF(all); i++) {
			struct span path = span_str(all[i]);
			bool fits = tries_all(buf_span(&pattern), path);

			while (at < list.n &&
			       span_starts(list.items[at].path, SPAN("link/")))
				at++;
			CHECK(fits == (at < list.n &&
					  span_eq(list.items[at].path, path)),
			    "%.*s: %s", (int)pattern.n, pattern.p, all[i]);
			at += fits;
		}
	}
}

static void
expect_no_walk(struct arena *arena, const char *pattern, const char *wanted)
{
	struct glob_list list;
	const char *fault = glob_find(arena, span_str(unit_path(arena, "t")),
	    span_str(pattern), NULL, &list);

	assert_non_null(fault);
	assert_string_equal(fault, wanted);
}

/* F5: neither links in a circle nor ".." lead through the same for ever. */
static void
f5_circles(struct arena *arena)
{
	expect_no_walk(arena, "**/../*.c", "\"..\" may not come after a wildcard.");
	for (int i = 0; i < 4; i++) {
		char name[] = "t/in0";

		name[4] = (char)('0' + i);
		assert_int_equal(symlink(".", unit_path(arena, name)), 0);
	}
	expect_no_walk(arena, "in*/in*/in*/in*/in*/in*/in*/in*/in*/in*/in*/in*",
	    "it comes to one directory by too many paths.");
	for (int i = 0; i < 4; i++) {
		char name[] = "t/in0";

		name[4] = (char)('0' + i);
		assert_int_equal(unlink(unit_path(arena, name)), 0);
	}
}

/* More than fit into the first room for them; and too many braces. */
static void
many_matches(struct arena *arena)
{
	struct glob_list list;

	assert_int_equal(mkdir(unit_path(arena, "many"), 0755), 0);
	for (int i = 0; i < 300; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "many/%03d.c", i);
		unit_write_file(unit_path(arena, name), SPAN(""));
	}
	assert_null(glob_find(arena, span_str(unit_path(arena, "many")),
	    SPAN("*.c"), NULL, &list));
	assert_int_equal(list.n, 300);
	for (int i = 0; i < 300; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "%03d.c", i);
		ASSERT_TEXT(list.items[i].path, name);
	}
	assert_non_null(glob_find(arena, span_str(unit_path(arena, "many")),
	    unit_repeat(arena, SPAN("{a,b}"), 20), NULL, &list));
}

/* A backslash that stands before nothing is itself. */
static void
literals(struct arena *arena)
{
	ASSERT_TEXT(pattern_literal(arena, SPAN("a\\*b")), "a*b");
	ASSERT_TEXT(pattern_literal(arena, (struct span){"a\\x", 2}), "a\\");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(names),
	    TEST(stars_do_not_explode),
	    TEST(braces),
	    TEST(f5_too_many_braces),
	    TEST(reaches),
	    TEST(many_matches),
	    TEST(literals),
	    TEST(t8_matches),
	    TEST(t8_absolute),
	    TEST(f5_all_ways_at_once),
	    TEST(f5_circles),
	    TEST(t13_what_cannot_be_read_is_a_fault),
	};

	return RUN_TESTS_IN_DIR(tests);
}
