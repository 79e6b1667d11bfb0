/* What lies beside an output while its command runs. */
#include "unit.h"

#include "base/digest.h"
#include "work/stage/claim.h"

/* A name of N bytes that ends with LAST. */
static const char *
name_of(struct arena *arena, size_t n, char last)
{
	struct buf name = buf_new(arena, n);

	buf_add(&name, unit_repeat(arena, SPAN("n"), n - 1));
	buf_char(&name, last);
	return arena_cstr(arena, buf_span(&name));
}

/* File names have at most 255 bytes, and every output its own. */
static void
names_beside_an_output(struct arena *arena)
{
	const char *longest = name_of(arena, 200, 'a'),
		   *over = name_of(arena, 201, 'a');
	struct digest digest = digest_of(span_str(over));
	char hex[DIGEST_HEX + 1];
	struct span expected;

	assert_string_equal(
	    claim_beside(arena, "b.txt", "aside"), ".b.txt.readcache-aside");
	expected =
	    unit_join(arena, unit_join(arena, SPAN("."), span_str(longest)),
		SPAN(".readcache-old"));
	ASSERT_TEXT(expected, claim_beside(arena, longest, "old"));
	digest_hex(&digest, hex);
	expected = unit_join(arena, unit_join(arena, SPAN("."), span_str(hex)),
	    SPAN(".readcache-old"));
	ASSERT_TEXT(expected, claim_beside(arena, over, "old"));
	assert_string_not_equal(claim_beside(arena, over, "old"),
	    claim_beside(arena, name_of(arena, 201, 'b'), "old"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(names_beside_an_output),
	};

	return RUN_TESTS(tests);
}
