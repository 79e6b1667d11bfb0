#include "unit_dir.h"

#include "store/dir.h"
#include "store/owner.h"
#include "store/seal.h"

/* A store that has to be ours, and is. */
static struct store
own_store(struct arena *arena, const char *name)
{
	struct store store = store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));

	store.keys = span_str(unit_path(arena, "keys"));
	store_guard(&store);
	assert_true(dir_open(&store, "memo", DIR_MAKE) >= 0);
	assert_int_equal(store.owner, OWNER_OURS);
	return store;
}

#define OTHER(dir, below, file)                                                \
	((struct seal_name){SPAN(dir), SPAN(below), file})
#define NAME OTHER("stages", "flow", "name")

static bool
opens(struct arena *arena, const struct store *store, struct seal_name name,
    struct span text)
{
	struct span opened = unit_exact(arena, text);

	return seal_open(store, name, &opened);
}

static const char *const texts[] = {"{\"a\":1}", "{\n  \"a\": 1\n}\n", "{}",
    "a line\n", "no line", "", "}", "\n\n", "{\"seal\":\"x\"}"};

static void
f2_what_was_sealed_comes_back(struct arena *arena)
{
	struct store store = own_store(arena, "back");

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct span text = span_str(texts[i]);
		struct span sealed = seal_text(&store, NAME, text);

		assert_false(span_eq(sealed, text));
		assert_true(seal_open(&store, NAME, &sealed));
		assert_true(span_eq(sealed, text));
	}
}

static void
f2_nothing_else_does(struct arena *arena)
{
	struct store store = own_store(arena, "one");
	struct store other = own_store(arena, "two");

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct span text = span_str(texts[i]);
		struct span sealed = seal_text(&store, NAME, text);

		CHECK(!opens(arena, &store, NAME, text), "%zu plain", i);
		CHECK(!opens(arena, &store, OTHER("stages", "flow", "eman"),
			  sealed),
		    "%zu name", i);
		CHECK(!opens(arena, &other, NAME, sealed), "%zu store", i);
		/* Any one bit of it. */
		for (size_t at = 0; at < sealed.n; at++) {
			char *changed = arena_cstr(arena, sealed);
			struct span opened = {changed, sealed.n};

			changed[at] = (char)(changed[at] ^ 1);
			CHECK(!seal_open(&store, NAME, &opened), "%zu at %zu",
			    i, at);
		}
	}
}

/* L2: a text that was sealed for one directory is not valid in another one. */
static void
l2_nor_does_it_elsewhere(struct arena *arena)
{
	const struct seal_name others[] = {
	    {SPAN("flows"), SPAN("flow"), "name"},
	    {SPAN("stages"), SPAN("other"), "name"},
	    {SPAN("stages"), SPAN(""), "name"},
	    {SPAN("stagesflow"), SPAN(""), "name"},
	    {SPAN("stages"), SPAN(""), "flowname"},
	    {SPAN("memo"), SPAN(""), "name"},
	};
	struct store store = own_store(arena, "elsewhere");
	struct span sealed = seal_text(&store, NAME, SPAN("{\"a\":1}"));

	assert_true(opens(arena, &store, NAME, sealed));
	for (size_t i = 0; i < COUNT_OF(others); i++)
		CHECK(!opens(arena, &store, others[i], sealed), "%zu", i);
}

/* A store that the user has named is his word. */
static void
f2_in_a_named_store_there_are_none(struct arena *arena)
{
	struct store own = own_store(arena, "own");
	struct store named = store_at(
	    arena, span_str(unit_path(arena, "own")), span_str(unit_base));
	struct span sealed = seal_text(&own, NAME, SPAN("{\"a\":1}"));

	ASSERT_TEXT(seal_text(&named, NAME, SPAN("{\"a\":1}")), "{\"a\":1}");
	assert_true(seal_open(&named, OTHER("memo", "", "other"), &sealed));
	ASSERT_TEXT(sealed, "{\"a\":1}");
}

/* Of a store that is not ours it is said that we may not, not that it is
 * empty; and a pipe in the place of its owner stops nobody. */
static void
f2_a_stranger_is_refused(struct arena *arena)
{
	const char *owner = unit_path(arena, "strange/" OWNER_NAME);
	struct store store = own_store(arena, "strange"), again;

	for (int how = 0; how < 3; how++) {
		assert_int_equal(unlink(owner), 0);
		if (how == 0)
			unit_write_file(owner, SPAN("somebody"));
		else if (how == 1)
			assert_int_equal(mkfifo(owner, 0600), 0);
		again = store_at(arena, store.root, span_str(unit_base));
		again.keys = store.keys;
		store_guard(&again);
		errno = ENOENT;
		assert_int_equal(dir_open(&again, "memo", DIR_LOOK), -1);
		assert_int_equal(errno, EPERM);
	}
}

/* A text without a word, and one before it that is not part of it. */
static void
the_end_of_an_empty_text(struct arena *arena)
{
	struct store store = own_store(arena, "empty");
	static const char room[] = "{}\n\n\n\n";
	struct span text = {room + 4, 2};
	struct span sealed = seal_text(&store, NAME, text);

	assert_true(span_starts(sealed, text));
	assert_true(seal_open(&store, NAME, &sealed));
	assert_true(span_eq(sealed, text));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(f2_what_was_sealed_comes_back),
	    TEST(f2_nothing_else_does),
	    TEST(l2_nor_does_it_elsewhere),
	    TEST(f2_in_a_named_store_there_are_none),
	    TEST(f2_a_stranger_is_refused),
	    TEST(the_end_of_an_empty_text),
	};

	return RUN_TESTS_IN_DIR(tests);
}
