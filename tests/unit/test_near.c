#include "unit.h"

#include "base/near.h"

static void
finds_what_was_meant(struct arena *arena)
{
	static const struct span names[] = {LIT("run"), LIT("read"),
	    LIT("refresh"), LIT("report"), LIT("fp"), LIT("dry-run")};
	static const struct {
		struct span typed;
		const char *meant; /* NULL: nobody knows */
	} rows[] = {
	    {LIT("run"), "run"},
	    {LIT("rnu"), "run"}, /* two letters swapped */
	    {LIT("urn"), "run"},
	    {LIT("rn"), "run"},	  /* one missing */
	    {LIT("runn"), "run"}, /* one too many */
	    {LIT("raed"), "read"},
	    {LIT("refersh"), "refresh"},
	    {LIT("rfreshh"), "refresh"},
	    {LIT("ru-dryn"), NULL},
	    {LIT("dryrun"), "dry-run"},
	    {LIT("xy"), NULL}, /* half of the letters must be right */
	    {LIT("fx"), "fp"},
	    {LIT("x"), NULL},
	    {LIT(""), NULL},
	};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct span *near =
		    near_name(rows[i].typed, names, COUNT_OF(names));

		CHECK((near != NULL) == (rows[i].meant != NULL), "row %zu", i);
		if (near != NULL)
			ASSERT_TEXT(*near, rows[i].meant);
	}
}

static void
takes_names_of_any_length(struct arena *arena)
{
	struct span a = unit_repeat(arena, SPAN("a"), 64);
	struct span long_one = unit_repeat(arena, SPAN("a"), 65);
	struct span names[] = {long_one, a};

	assert_null(near_name(long_one, names, 2));
	assert_ptr_equal(near_name(unit_exact(arena, a), names, 2), &names[1]);
	assert_null(near_name(SPAN("a"), names, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(finds_what_was_meant),
	    TEST(takes_names_of_any_length),
	};

	return RUN_TESTS(tests);
}
