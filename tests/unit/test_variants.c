#include "unit.h"

#include "path/variants.h"

#define NNBSP "\xe2\x80\xaf"   /* U+202F */
#define QUOTE "\xe2\x80\x99"   /* U+2019 */
#define E_ACUTE "\xc3\xa9"     /* U+00E9 */
#define E_SPLIT "e\xcc\x81"    /* e, U+0301 */

static const struct {
	const char *name;
	const char *others[VARIANTS + 1];
} rows[] = {
	{"/a/plain.txt", {NULL}},
	{"/", {NULL}},
	/* Narrow space before AM and PM, in any case, all of them. */
	{"/Shot 9.41 AM.png", {"/Shot 9.41" NNBSP "AM.png"}},
	{"/Shot 9.41 pm.png", {"/Shot 9.41" NNBSP "pm.png"}},
	{"/a aM. b Pm.c", {"/a" NNBSP "aM. b" NNBSP "Pm.c"}},
	{"/x AM.d/y PM.e", {"/x" NNBSP "AM.d/y" NNBSP "PM.e"}},
	{"/x am. am.", {"/x" NNBSP "am." NNBSP "am."}},
	{"/x AM", {NULL}},
	{"/xAM.", {NULL}},
	{"/x AMx.", {NULL}},
	{"/x BM.", {NULL}},
	{"/x\tAM.", {NULL}},
	/* NFD, of the whole path. */
	{"/caf" E_ACUTE, {"/caf" E_SPLIT, "/caf" E_SPLIT}},
	{"/" E_ACUTE "/x", {"/" E_SPLIT "/x", "/" E_SPLIT "/x"}},
	{"/caf" E_SPLIT, {NULL}},
	/* Marks are put in canonical order: below before above. */
	{"/a\xcc\x81\xcc\xa3",
	    {"/a\xcc\xa3\xcc\x81", "/a\xcc\xa3\xcc\x81"}},
	/* Hangul: U+AC01 is U+1100 U+1161 U+11A8. */
	{"/\xea\xb0\x81",
	    {"/\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8",
		"/\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8"}},
	/* The Angstrom sign becomes A and a ring; a ligature stays. */
	{"/\xe2\x84\xab", {"/A\xcc\x8a", "/A\xcc\x8a"}},
	{"/\xef\xac\x81", {NULL}},
	/* The apostrophe, all of them. */
	{"/it's 'x'", {"/it" QUOTE "s " QUOTE "x" QUOTE,
			  "/it" QUOTE "s " QUOTE "x" QUOTE}},
	{"/it" QUOTE "s", {NULL}},
	/* Both: NFD, then apostrophe, then the two together. */
	{"/l'" E_ACUTE "t" E_ACUTE,
	    {"/l'" E_SPLIT "t" E_SPLIT, "/l" QUOTE E_ACUTE "t" E_ACUTE,
		"/l" QUOTE E_SPLIT "t" E_SPLIT}},
	/* All four, in the host's order. */
	{"/l'" E_ACUTE " AM.x",
	    {"/l'" E_ACUTE NNBSP "AM.x", "/l'" E_SPLIT " AM.x",
		"/l" QUOTE E_ACUTE " AM.x", "/l" QUOTE E_SPLIT " AM.x"}},
};

static void
spellings(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span others[VARIANTS];
		size_t n = variants(arena,
		    unit_exact(arena, span_str(rows[i].name)), others);
		size_t want = 0;

		while (rows[i].others[want] != NULL)
			want++;
		CHECK(n == want, "%s: %zu spellings", rows[i].name, n);
		for (size_t k = 0; k < n; k++)
			ASSERT_TEXT(others[k], rows[i].others[k]);
	}
}

/* A name that is not UTF-8 has no NFD; the rest still works. */
static void
names_that_are_not_text(struct arena *arena)
{
	struct span others[VARIANTS];

	assert_int_equal(variants(arena, SPAN("/\xff"), others), 0);
	assert_int_equal(variants(arena, SPAN("/\xff AM."), others), 1);
	ASSERT_TEXT(others[0], "/\xff" NNBSP "AM.");
}

static void
long_names(struct arena *arena)
{
	struct span name = unit_join(arena, SPAN("/"),
	    unit_repeat(arena, SPAN("'"), 5000));
	struct span others[VARIANTS];

	assert_int_equal(variants(arena, name, others), 2);
	ASSERT_SPAN(others[0], unit_join(arena, SPAN("/"),
	    unit_repeat(arena, SPAN(QUOTE), 5000)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(spellings),
		TEST(names_that_are_not_text),
		TEST(long_names),
	};

	return RUN_TESTS(tests);
}
