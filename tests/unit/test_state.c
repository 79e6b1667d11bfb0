#include "unit_dir.h"

#include <sys/wait.h>

#include "store/state/state.h"

static struct store
store_named(struct arena *arena, const char *name)
{
	struct store store = store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));

	store.keys = span_str(unit_path(arena, "keys"));
	return store;
}

static struct span
number_name(struct arena *arena, size_t i)
{
	struct buf name = buf_new(arena, 24);

	buf_str(&name, "name ");
	buf_u64(&name, i);
	return buf_span(&name);
}

static void
what_is_put_is_found(struct arena *arena)
{
	struct store store = store_named(arena, "plain");
	struct state *state = state_open(&store, DIR_MAKE);
	struct span value;

	assert_non_null(state);
	assert_false(state_get(state, STATE_STAT, SPAN("a"), &value));
	state_put(state, STATE_STAT, SPAN("a"), SPAN("one"));
	state_put(state, STATE_NODE, SPAN("a"), SPAN("other table"));
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	ASSERT_TEXT(value, "one");
	state_put(state, STATE_STAT, SPAN("a"), SPAN("two"));
	assert_true(state_flush(state));
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	ASSERT_TEXT(value, "two");
	state_close(state);

	state = state_open(&store, DIR_USE);
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	ASSERT_TEXT(value, "two");
	assert_true(state_get(state, STATE_NODE, SPAN("a"), &value));
	ASSERT_TEXT(value, "other table");
	state_drop(state, STATE_STAT, SPAN("a"));
	assert_false(state_get(state, STATE_STAT, SPAN("a"), &value));
	assert_true(state_flush(state));
	assert_false(state_get(state, STATE_STAT, SPAN("a"), &value));
	assert_int_equal(state_count(state), 1);
	assert_true(state_clear(state));
	assert_int_equal(state_count(state), 0);
	state_close(state);
}

static void
without_one_everything_is_absent(struct arena *arena)
{
	struct store store = store_named(arena, "none");
	struct span value;

	assert_null(state_open(&store, DIR_USE));
	assert_null(state_open(&store, DIR_LOOK));
	assert_int_not_equal(access(unit_path(arena, "none"), F_OK), 0);
	assert_false(state_get(NULL, STATE_STAT, SPAN("a"), &value));
	state_put(NULL, STATE_STAT, SPAN("a"), SPAN("b"));
	assert_false(state_flush(NULL));
	state_rest(NULL);
	state_close(NULL);
	assert_int_equal(state_count(NULL), 0);
}

static void
looking_changes_nothing(struct arena *arena)
{
	struct store store = store_named(arena, "look");
	struct state *state = state_open(&store, DIR_MAKE);
	struct span value;

	state_put(state, STATE_STAT, SPAN("a"), SPAN("1"));
	assert_true(state_flush(state));
	state_close(state);
	state = state_open(&store, DIR_LOOK);
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	state_put(state, STATE_STAT, SPAN("a"), SPAN("2"));
	(void)state_flush(state);
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	ASSERT_TEXT(value, "1");
	state_close(state);
}

static void
what_is_too_long_is_not_kept(struct arena *arena)
{
	struct store store = store_named(arena, "long");
	struct state *state = state_open(&store, DIR_MAKE);
	struct span name = unit_repeat(arena, SPAN("n"), STATE_NAME_MAX + 1);
	struct span big = unit_repeat(arena, SPAN("v"), STATE_VALUE_MAX + 1);
	struct span value;

	state_put(state, STATE_STAT, name, SPAN("1"));
	state_put(state, STATE_STAT, SPAN("a"), big);
	state_put(state, STATE_STAT, span_from(name, 1), span_from(big, 1));
	assert_true(state_flush(state));
	assert_false(state_get(state, STATE_STAT, name, &value));
	assert_false(state_get(state, STATE_STAT, SPAN("a"), &value));
	assert_true(
	    state_get(state, STATE_STAT, span_from(name, 1), &value));
	ASSERT_SPAN(value, span_from(big, 1));
	state_close(state);
}

/* ---- several processes ---- */

enum { WRITERS = 8, PUTS = 100 };

static _Noreturn void
write_many(const char *root, size_t writer)
{
	struct arena *arena = arena_new(UNIT_ARENA);
	struct store store =
	    store_at(arena, span_str(root), span_str(unit_base));

	store.keys = span_str(unit_path(arena, "keys"));
	for (size_t i = 0; i < PUTS; i++) {
		struct state *state = state_open(&store, DIR_MAKE);

		state_put(state, STATE_RUN,
		    number_name(arena, writer * PUTS + i), SPAN("v"));
		if (!state_flush(state))
			_exit(1);
		state_close(state);
	}
	_exit(0);
}

static void
t22_eight_writers_lose_nothing(struct arena *arena)
{
	struct store store = store_named(arena, "many");
	const char *root = unit_path(arena, "many");
	struct state *state;
	int status;

	for (size_t i = 0; i < WRITERS; i++)
		if (fork() == 0)
			write_many(root, i);
	for (size_t i = 0; i < WRITERS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	state = state_open(&store, DIR_USE);
	assert_int_equal(state_count(state), WRITERS * PUTS);
	state_close(state);
}

static void
children_do_not_inherit_it(struct arena *arena)
{
	struct store store = store_named(arena, "inherit");
	struct state *state = state_open(&store, DIR_MAKE);
	char command[600];

	assert_non_null(state);
	(void)snprintf(command, sizeof(command),
	    "! ls -l /proc/self/fd | grep -q 'inherit/state'");
	assert_int_equal(system(command), 0);
	state_close(state);
}

/* ---- damage ---- */

enum { ENTRIES = 400 };

static void
fill(struct arena *arena, struct store *store)
{
	struct state *state = state_open(store, DIR_MAKE);

	assert_non_null(state);
	for (size_t i = 0; i < ENTRIES; i++)
		state_put(state, STATE_STAT, number_name(arena, i),
		    number_name(arena, i * 7));
	assert_true(state_flush(state));
	state_close(state);
}

/* Whatever it says, it says nothing wrong; and it does not crash. */
static size_t
count_true(struct arena *arena, struct store *store)
{
	struct state *state = state_open(store, DIR_USE);
	struct span value;
	size_t found = 0;

	for (size_t i = 0; i < ENTRIES; i++)
		if (state_get(
			state, STATE_STAT, number_name(arena, i), &value)) {
			ASSERT_SPAN(value, number_name(arena, i * 7));
			found++;
		}
	state_put(state, STATE_STAT, SPAN("new"), SPAN("one"));
	(void)state_flush(state);
	state_close(state);
	return found;
}

static void
overwrite(const char *path, long at, struct span bytes)
{
	FILE *file = fopen(path, "r+b");

	assert_non_null(file);
	assert_int_equal(fseek(file, at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, file), bytes.n);
	assert_int_equal(fclose(file), 0);
}

static void
damage_is_only_slowness(struct arena *arena)
{
	const char *path = unit_path(arena, "damage/state.mdb");
	struct arena *scratch = arena_scratch(arena);
	struct chance chance = chance_new(8);
	struct stat st;

	for (int i = 0; i < 300; i++) {
		struct store store = store_named(scratch, "damage");
		char junk[64];

		fill(scratch, &store);
		assert_int_equal(stat(path, &st), 0);
		for (size_t j = 0; j < sizeof(junk); j++)
			junk[j] = (char)chance_next(&chance);
		switch (i % 4) {
		case 0:
			assert_int_equal(truncate(path,
			    (off_t)chance_below(
				&chance, (size_t)st.st_size)),
			    0);
			break;
		case 1: /* one byte */
			overwrite(path,
			    (long)chance_below(
				&chance, (size_t)st.st_size),
			    span_of(junk, 1));
			break;
		default: /* a run of junk, somewhere */
			overwrite(path,
			    (long)chance_below(
				&chance, (size_t)st.st_size - 64),
			    span_of(junk, sizeof(junk)));
			break;
		}
		(void)count_true(scratch, &store);
		arena_reset(scratch);
		(void)unlink(path);
		(void)unlink(unit_path(arena, "damage/state.mdb-lock"));
	}
}

static void
what_is_no_database_is_replaced(struct arena *arena)
{
	struct store store = store_named(arena, "junk");
	const char *path = unit_path(arena, "junk/state.mdb");

	fill(arena, &store);
	unit_write_file(path, unit_repeat(arena, SPAN("junk\n"), 5000));
	assert_int_equal(count_true(arena, &store), 0);
	fill(arena, &store);
	assert_int_equal(count_true(arena, &store), ENTRIES);
}

/* F1: LMDB would follow a link, and write to what it leads to. */
static void
f1_links_are_not_followed(struct arena *arena)
{
	static const char *const names[] = {
	    "links/state.mdb", "links/state.mdb-lock"};
	const char *victim = unit_path(arena, "victim");
	struct store store = store_named(arena, "links");

	unit_write_file(victim, SPAN("mine"));
	for (size_t i = 0; i < 4; i++) {
		const char *name = unit_path(arena, names[i % 2]);
		struct stat st;

		fill(arena, &store);
		assert_int_equal(unlink(name), 0);
		if (i < 2)
			assert_int_equal(symlink("../victim", name), 0);
		else
			assert_int_equal(link(victim, name), 0);
		assert_null(state_open(&store, DIR_USE));
		fill(arena, &store); /* what cannot be used is replaced */
		assert_int_equal(count_true(arena, &store), ENTRIES);
		assert_int_equal(stat(victim, &st), 0);
		assert_int_equal(st.st_size, 4);
		assert_int_equal(st.st_nlink, 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_is_put_is_found),
	    TEST(without_one_everything_is_absent),
	    TEST(looking_changes_nothing),
	    TEST(what_is_too_long_is_not_kept),
	    TEST(t22_eight_writers_lose_nothing),
	    TEST(children_do_not_inherit_it),
	    TEST(damage_is_only_slowness),
	    TEST(what_is_no_database_is_replaced),
	    TEST(f1_links_are_not_followed),
	};

	return RUN_TESTS_IN_DIR(tests);
}
