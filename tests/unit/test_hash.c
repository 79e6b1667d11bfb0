#include "unit_dir.h"

#include <time.h>
#include <utime.h>

#include "work/fingerprint/hash.h"

/* Longer than the time within which a file is not believed. */
static void
settle(void)
{
	(void)nanosleep(&(struct timespec){0, 40 * 1000 * 1000}, NULL);
}

static const char *growing; /* grows before the second look at it */
static int looks;

int
fstat(int fd, struct stat *st)
{
	if (growing != NULL && ++looks == 2)
		unit_write_file(growing, SPAN("longer"));
	return fstatat(fd, "", st, AT_EMPTY_PATH);
}

/* A state in a directory of its own, and a hasher over it. */
struct world {
	struct store store;
	struct hasher hasher;
};

static void
make_world(struct arena *arena, const char *name, struct world *world)
{
	world->store = store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));
	world->store.keys = span_str(unit_path(arena, "keys"));
	world->hasher = (struct hasher){.arena = arena,
	    .state = state_open(&world->store, DIR_MAKE)};
	assert_non_null(world->hasher.state);
}

static void
check_hash(struct world *world, const char *path, struct span bytes)
{
	struct digest want = digest_of(bytes), have;

	assert_int_equal(
	    hash_file(&world->hasher, AT_FDCWD, path, &have, NULL), HASHED);
	assert_true(digest_eq(&have, &want));
}

static void
a_file_is_read_once(struct arena *arena)
{
	const char *path = unit_path(arena, "once.txt");
	struct world world;

	make_world(arena, "once", &world);
	unit_write_file(path, SPAN("hello"));
	settle();
	check_hash(&world, path, SPAN("hello"));
	check_hash(&world, path, SPAN("hello"));
	assert_int_equal(world.hasher.reads, 1);
	assert_true(state_flush(world.hasher.state));
	check_hash(&world, path, SPAN("hello"));
	assert_int_equal(world.hasher.reads, 1);
	state_close(world.hasher.state);
}

/* P24: the same size, inode and time of modification, another content. */
static void
an_edit_with_the_old_time_is_seen(struct arena *arena)
{
	const char *path = unit_path(arena, "racy.txt");
	struct world world;
	struct stat st;

	make_world(arena, "racy", &world);
	unit_write_file(path, SPAN("one"));
	settle();
	check_hash(&world, path, SPAN("one"));
	assert_int_equal(stat(path, &st), 0);
	unit_write_file(path, SPAN("two"));
	assert_int_equal(utimensat(AT_FDCWD, path,
	    (struct timespec[]){st.st_atim, st.st_mtim}, 0), 0);
	check_hash(&world, path, SPAN("two"));
	state_close(world.hasher.state);
}

/* P24: what was just written is read again, however equal it looks. */
static void
what_was_just_written_is_not_believed(struct arena *arena)
{
	const char *path = unit_path(arena, "young.txt");
	struct world world;

	make_world(arena, "young", &world);
	for (int i = 0; i < 200; i++) {
		unit_write_file(path, i % 2 == 0 ? SPAN("one") : SPAN("two"));
		check_hash(
		    &world, path, i % 2 == 0 ? SPAN("one") : SPAN("two"));
	}
	state_close(world.hasher.state);
}

/* P24: times that may come again are not believed; here one of tomorrow. */
static void
what_is_not_past_is_not_believed(struct arena *arena)
{
	const char *path = unit_path(arena, "tomorrow.txt");
	struct timespec late = {time(NULL) + 24 * 60 * 60, 0};
	struct world world;

	make_world(arena, "tomorrow", &world);
	unit_write_file(path, SPAN("one"));
	assert_int_equal(utimensat(AT_FDCWD, path,
	    (struct timespec[]){late, late}, 0), 0);
	settle(); /* the other time, that of the change, is past */
	check_hash(&world, path, SPAN("one"));
	check_hash(&world, path, SPAN("one"));
	assert_int_equal(world.hasher.reads, 2);
	state_close(world.hasher.state);
}

static void
links_and_names_share_one_entry(struct arena *arena)
{
	const char *path = unit_path(arena, "real.txt");
	const char *other = unit_path(arena, "link.txt");
	struct world world;

	make_world(arena, "names", &world);
	unit_write_file(path, SPAN("x"));
	assert_int_equal(symlink("real.txt", other), 0);
	settle();
	check_hash(&world, path, SPAN("x"));
	check_hash(&world, other, SPAN("x"));
	assert_int_equal(world.hasher.reads, 1);
	state_close(world.hasher.state);
}

static void
without_a_state_everything_is_read(struct arena *arena)
{
	const char *path = unit_path(arena, "plain.txt");
	struct world world = {.hasher = {.arena = arena}};

	unit_write_file(path, SPAN("x"));
	settle();
	check_hash(&world, path, SPAN("x"));
	check_hash(&world, path, SPAN("x"));
	assert_int_equal(world.hasher.reads, 2);
}

/* Once more is enough, if it then keeps still. */
static void
a_file_that_changes_while_it_is_read(struct arena *arena)
{
	const char *path = unit_path(arena, "growing.txt");
	struct hasher hasher = {.arena = arena};
	struct digest want = digest_of(SPAN("longer")), have;
	struct stat st;

	unit_write_file(path, SPAN("short"));
	growing = path;
	assert_int_equal(
	    hash_file(&hasher, AT_FDCWD, path, &have, &st), HASHED);
	growing = NULL;
	assert_true(digest_eq(&have, &want));
	assert_int_equal(st.st_size, 6);
	assert_int_equal(hasher.reads, 2);
}

static void
what_is_no_file(struct arena *arena)
{
	struct hasher hasher = {.arena = arena};
	struct digest hash;
	static const struct {
		const char *path;
		enum hashed want;
	} rows[] = {{"/dev/zero", HASHED_NOT}, {"/", HASHED_DIRECTORY},
	    {"/no/such/file", HASHED_ABSENT}, {"/dev/null/x", HASHED_ABSENT},
	    {"/proc/self/status", HASHED_NOT}};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(hash_file(&hasher, AT_FDCWD, rows[i].path, &hash,
			  NULL) == rows[i].want,
		    "%s", rows[i].path);
}

static void
large_files(struct arena *arena)
{
	const char *path = unit_path(arena, "large");
	struct span bytes = unit_repeat(arena, SPAN("0123456789"), 300000);
	struct world world = {.hasher = {.arena = arena}};

	unit_write_file(path, bytes);
	check_hash(&world, path, bytes);
}

/* P19: times before 1970, and names of any length. */
static void
odd_times(struct arena *arena)
{
	const char *path = unit_path(arena, "old.txt");
	struct world world;

	make_world(arena, "old", &world);
	unit_write_file(path, SPAN("x"));
	assert_int_equal(utimensat(AT_FDCWD, path,
	    (struct timespec[]){{-5, 0}, {-5, 999999999}}, 0), 0);
	settle();
	check_hash(&world, path, SPAN("x"));
	check_hash(&world, path, SPAN("x"));
	assert_int_equal(world.hasher.reads, 1);
	state_close(world.hasher.state);
}

/* B13: a change within the same tick of the clock would not show. */
static void
what_is_settled(struct arena *arena)
{
	static const struct {
		int64_t mtime, ctime, since;
		bool settled;
	} cases[] = {
	    {1000000001, 1000000001, 1021000001, true},
	    {1000000001, 1000000001, 1019000001, false},
	    {1, 1000000001, 1019000001, false},
	    {1000000001, 1, 1019000001, false},
	    {2000000001, 1, 1900000000, false}, /* of the future */
	    /* Whole seconds; FAT has every other one only. */
	    {1000000000, 1000000000, 1999999999, false},
	    {1000000000, 1000000000, 2999999999, false},
	    {1000000000, 1000000000, 3019000000, false},
	    {1000000000, 1000000000, 3021000000, true},
	    /* A time of modification can be set to anything. */
	    {1000000000, 1000000001, 1021000001, true},
	};

	(void)arena;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct stat st = {
		    .st_mtim = {cases[i].mtime / 1000000000,
			cases[i].mtime % 1000000000},
		    .st_ctim = {cases[i].ctime / 1000000000,
			cases[i].ctime % 1000000000},
		};

		assert_int_equal(
		    hash_is_settled(&st, cases[i].since), cases[i].settled);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_file_is_read_once),
	    TEST(an_edit_with_the_old_time_is_seen),
	    TEST(what_was_just_written_is_not_believed),
	    TEST(what_is_not_past_is_not_believed),
	    TEST(links_and_names_share_one_entry),
	    TEST(without_a_state_everything_is_read),
	    TEST(a_file_that_changes_while_it_is_read),
	    TEST(what_is_no_file),
	    TEST(large_files),
	    TEST(odd_times),
	    TEST(what_is_settled),
	};

	return RUN_TESTS_IN_DIR(tests);
}
