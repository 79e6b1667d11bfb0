#include "unit.h"

#include "serve/response.h"

/* Markers longer than what they stand for: the sum is less than nothing. */
static void
a_loss_is_negative(struct arena *arena)
{
	struct buf out = buf_new(arena, 1024);
	struct response_status status = {
	    .baseline_bytes = 100, .served_bytes = 500, .store = SPAN("/s")};

	response_status(&out, SPAN("1"), &status, SPAN("text"));
	assert_non_null(
	    memmem(out.p, out.n, "\"savedBytes\":-400,", 18));
	assert_non_null(
	    memmem(out.p, out.n, "\"savedTokens\":-", 15));
	out.n = 0;
	status.baseline_bytes = 900;
	response_status(&out, SPAN("1"), &status, SPAN("text"));
	assert_non_null(memmem(out.p, out.n, "\"savedBytes\":400,", 17));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_loss_is_negative),
	};

	return RUN_TESTS(tests);
}
