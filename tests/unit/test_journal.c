#include "unit_state.h"

#include "work/workflow/session.h"

/* A store whose journals have tags. */
static struct store
guarded_store(struct arena *arena)
{
	struct store store = unit_store(arena, "jots");

	store.guarded = true;
	return store;
}

/*
 * The run saves its nodes one by one if they take long, and what that needs is
 * given back each time.
 */
static void
jots_take_no_memory(struct arena *arena)
{
	struct arena *small = arena_new((size_t)256 * 1024);
	struct store store = guarded_store(small);
	struct source source = {.path = SPAN("/p/flow.json")};
	struct flow_session session, again;

	assert_int_equal(setjmp(*arena_guard(small)), 0);
	session = session_load(&store, &source);
	for (uint64_t i = 1; i <= 3000; i++) {
		struct session_node *node = session_note(&session, SPAN("a"));

		node->took_ms = i;
		session_mark(&session, node);
		assert_true(session_jot(&session));
	}
	arena_free(small);

	store = guarded_store(arena);
	again = session_load(&store, &source);
	assert_int_equal(session_find(&again, SPAN("a"))->took_ms, 3000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(jots_take_no_memory),
	};

	return RUN_TESTS_IN_DIR(tests);
}
