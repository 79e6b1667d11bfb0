/* Which of some places is a given one, or above it. */
#include "path/cover.h"
#include "unit.h"

enum { PLACES = 24, ROUNDS = 3000 };

/* "/", or up to four of three names: some are above others, some begin alike. */
static struct span
random_name(struct arena *arena, struct chance *chance)
{
	static const char *const names[] = {"/a", "/b", "/ab"};
	struct buf out = buf_new(arena, 16);
	size_t depth = chance_below(chance, 5);

	if (depth == 0)
		return SPAN("/");
	while (depth-- > 0)
		buf_str(&out, names[chance_below(chance, 3)]);
	return buf_span(&out);
}

/* What cover.h promises, by looking at all of them. */
static size_t
find_slowly(
    const struct span *places, size_t n, struct span name, size_t except)
{
	for (size_t i = 0; i < n; i++)
		if (i != except && where_within(name, places[i]))
			return i;
	return COVER_NONE;
}

static bool
is_named_again(const struct span *places, size_t n, size_t one)
{
	for (size_t i = 0; i < n && one < n; i++)
		if (i != one && span_eq(places[i], places[one]))
			return true;
	return false;
}

static void
it_finds_what_a_look_at_each_finds(struct arena *arena)
{
	size_t asked = 0, found = 0;
	struct chance chance = chance_new(5);

	for (size_t round = 0; round < ROUNDS; round++) {
		size_t n = chance_below(&chance, PLACES);
		/* Told too few: it grows. */
		struct cover *cover =
		    cover_new(arena, chance_below(&chance, n + 1));
		size_t except = chance_below(&chance, 2 * (size_t)PLACES);
		struct span places[PLACES], name;
		size_t right;

		for (size_t i = 0; i < n; i++) {
			places[i] = random_name(arena, &chance);
			cover_add(cover, places[i]);
		}
		if (is_named_again(places, n, except))
			continue;
		name = random_name(arena, &chance);
		right = find_slowly(places, n, name, except);
		assert_int_equal(cover_find(cover, name, except), right);
		asked++;
		found += right != COVER_NONE ? 1 : 0;
	}
	assert_true(found > ROUNDS / 10 && asked - found > ROUNDS / 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(it_finds_what_a_look_at_each_finds),
	};

	return RUN_TESTS(tests);
}
