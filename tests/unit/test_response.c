#include "unit_json.h"

#include "serve/response.h"

/* What the status says was saved: bytes, and a quarter of that in tokens. */
static void
expect_saved(struct span line, double bytes)
{
	const cJSON *status;
	cJSON *tree;

	assert_int_equal(line.p[line.n - 1], '\n');
	tree = unit_json(line);
	status = cJSON_GetObjectItemCaseSensitive(tree, "status");
	unit_json_number(status, "savedBytes", bytes);
	unit_json_number(status, "savedTokens", bytes / 4);
	cJSON_Delete(tree);
}

/* Markers longer than what they stand for: the sum is less than nothing. */
static void
a_loss_is_negative(struct arena *arena)
{
	struct buf out = buf_new(arena, 1024);
	struct response_status status = {
	    .baseline_bytes = 100, .served_bytes = 500, .store = SPAN("/s")};

	response_status(&out, SPAN("1"), &status, SPAN("text"));
	expect_saved(buf_span(&out), -400);
	out.n = 0;
	status.baseline_bytes = 900;
	response_status(&out, SPAN("1"), &status, SPAN("text"));
	expect_saved(buf_span(&out), 400);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_loss_is_negative),
	};

	return RUN_TESTS(tests);
}
