/*
 * What calls beside a read, in the same message of the model, may do to its file.
 */
#include "unit.h"

#include "serve/siblings.h"

/* A read of /w/a by the call "own", beside PENDING. */
static struct siblings
look(struct arena *arena, const struct call *pending)
{
	struct request request = {
	    .cwd = SPAN("/w"), .path = SPAN("a"), .call_id = SPAN("own")};

	return siblings_look(arena, &request, pending, SPAN("/w/a"));
}

/*
 * The request's own call is no other read.  If two calls have its id, one of
 * them is.
 */
static void
reads_beside_a_read(struct arena *arena)
{
	struct call other = {
	    .id = SPAN("x"), .path = SPAN("/w/a"), .tool = TOOL_READS};
	struct call second = {
	    .id = SPAN("own"), .path = SPAN("a"), .tool = TOOL_READS};
	struct call own = second;

	assert_false(look(arena, NULL).read);
	assert_false(look(arena, &own).read);
	own.next = &second;
	assert_true(look(arena, &own).read);
	own.next = &other;
	assert_true(look(arena, &own).read);
	other.path = SPAN("/w/b");
	assert_true(look(arena, &own).read); /* who knows: neither is there */
}

/* A read that stands before it is before it, whatever comes after. */
static void
reads_before_a_read(struct arena *arena)
{
	struct call after = {
	    .id = SPAN("y"), .path = SPAN("/w/a"), .tool = TOOL_READS};
	struct call own = {.id = SPAN("own"),
	    .path = SPAN("a"),
	    .tool = TOOL_READS,
	    .next = &after};
	struct call first = {.id = SPAN("x"),
	    .path = SPAN("/w/a"),
	    .tool = TOOL_READS,
	    .next = &own};

	assert_false(look(arena, &own).before);
	assert_true(look(arena, &first).before);
	own.next = NULL;
	assert_true(look(arena, &first).before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(reads_beside_a_read),
	    TEST(reads_before_a_read),
	};

	return RUN_TESTS(tests);
}
