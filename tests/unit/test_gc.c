#include "unit_dir.h"

#include <sys/wait.h>
#include <time.h>

#include "store/dir.h"
#include "store/gc.h"
#include "store/verify.h"

#define HOUR 3600
#define DAY ((time_t)24 * HOUR)

/* A project directory and its store, opened for one request. */
struct world {
	struct arena *arena;
	const char *root;
	struct store store;
};

static struct world
new_world(struct arena *arena, const char *name)
{
	const char *cwd = unit_path(arena, name);
	struct world world = {.arena = arena};

	assert_int_equal(mkdir(cwd, 0755), 0);
	world.root = arena_cstr(arena, unit_join(arena, span_str(cwd),
	    SPAN("/.pi/readcache")));
	world.store = store_at(arena, span_str(world.root), span_str(cwd));
	return world;
}

static const char *
inside(const struct world *world, const char *name)
{
	struct buf path = buf_new(world->arena, 256);

	buf_str(&path, world->root);
	buf_char(&path, '/');
	buf_str(&path, name);
	return arena_cstr(world->arena, buf_span(&path));
}

static const char *
object_path(const struct world *world, const char *text)
{
	struct digest hash = digest_of(span_str(text));
	char hex[DIGEST_HEX + 1], name[128];

	digest_hex(&hash, hex);
	(void)snprintf(name, sizeof(name), "objects/sha256-%s.txt", hex);
	return inside(world, name);
}

/* Make PATH look as if it was last used SECONDS ago. */
static void
set_age(const char *path, time_t seconds)
{
	struct timespec times[2] = {{0, UTIME_OMIT},
	    {time(NULL) - seconds, 0}};

	CHECK(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0,
	    "%s: no time set", path);
}

static time_t
age_of(const char *path)
{
	struct timespec now;
	struct stat st;

	CHECK(lstat(path, &st) == 0, "%s is not there", path);
	/* time() may be a tick late: a file made just now is then from the
	   future, if a second has begun meanwhile. */
	assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
	return now.tv_sec - st.st_mtime;
}

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Store TEXT, used SECONDS ago. */
static void
put(struct world *world, const char *text, time_t seconds)
{
	struct digest hash = digest_of(span_str(text));

	assert_int_equal(store_put(&world->store, &hash, span_str(text)),
	    STORED_NOW);
	set_age(object_path(world, text), seconds);
}

static bool
is_kept(struct world *world, const char *text)
{
	return exists(object_path(world, text));
}

/* At most MAX_BYTES, of whatever age. */
static struct gc_result
collect(struct world *world, uint64_t max_bytes, enum gc_want want)
{
	const struct gc_limits limits = {max_bytes, UINT64_MAX};

	return gc_run(&world->store, &limits, want);
}

/* ---- what counts as a use ---- */

static void
being_loaded_is_a_use(struct arena *arena)
{
	struct world world = new_world(arena, "loaded");
	struct digest hash = digest_of(SPAN("one\n"));
	const char *path = object_path(&world, "one\n");
	struct span found;

	put(&world, "one\n", 2 * HOUR);
	assert_true(store_get(&world.store, &hash, &found));
	assert_in_range(age_of(path), 0, 60);
	/* At most once in ten minutes: a second one costs nothing. */
	set_age(path, HOUR / 10);
	assert_true(store_get(&world.store, &hash, &found));
	assert_in_range(age_of(path), HOUR / 10, HOUR / 10 + 60);
	/* A clock was wrong once. */
	set_age(path, -1000 * HOUR);
	assert_true(store_get(&world.store, &hash, &found));
	assert_in_range(age_of(path), 0, 60);
}

static void
being_stored_again_is_a_use(struct arena *arena)
{
	struct world world = new_world(arena, "again");
	struct digest hash = digest_of(SPAN("one\n"));

	put(&world, "one\n", 2 * HOUR);
	assert_int_equal(store_put(&world.store, &hash, SPAN("one\n")),
	    STORED_BEFORE);
	assert_in_range(age_of(object_path(&world, "one\n")), 0, 60);
}

/* ---- gc ---- */

static void
the_least_recently_used_goes_first(struct arena *arena)
{
	struct world world = new_world(arena, "lru");
	struct gc_result result;

	put(&world, "bbbb", 4 * HOUR);
	put(&world, "aaaa", 5 * HOUR);
	put(&world, "dddd", 2 * HOUR);
	put(&world, "cccc", 3 * HOUR);
	result = collect(&world, 8, GC_REMOVE);
	assert_int_equal(result.objects, 4);
	assert_int_equal(result.bytes, 16);
	assert_int_equal(result.gone, 2);
	assert_int_equal(result.gone_bytes, 8);
	assert_false(is_kept(&world, "aaaa"));
	assert_false(is_kept(&world, "bbbb"));
	assert_true(is_kept(&world, "cccc"));
	assert_true(is_kept(&world, "dddd"));
	/* It is within its limit now. */
	result = collect(&world, 8, GC_REMOVE);
	assert_int_equal(result.gone, 0);
	/* One byte less is one object less. */
	result = collect(&world, 7, GC_REMOVE);
	assert_int_equal(result.gone, 1);
	assert_false(is_kept(&world, "cccc"));
}

/* A moment counts: many objects are of the same second. */
static void
within_a_second(struct arena *arena)
{
	for (int turned = 0; turned < 2; turned++) {
		struct world world = new_world(
		    arena, turned ? "second-1" : "second-0");
		const char *early = turned ? "bbbb" : "aaaa";
		const char *late = turned ? "aaaa" : "bbbb";
		struct timespec when[2] = {
		    {0, UTIME_OMIT}, {time(NULL) - 2 * HOUR, 1000}};

		put(&world, early, 2 * HOUR);
		put(&world, late, 2 * HOUR);
		assert_int_equal(utimensat(AT_FDCWD,
		    object_path(&world, early), when, 0), 0);
		when[1].tv_nsec = 2000;
		assert_int_equal(utimensat(AT_FDCWD,
		    object_path(&world, late), when, 0), 0);
		assert_int_equal(collect(&world, 4, GC_REMOVE).gone, 1);
		assert_false(is_kept(&world, early));
		assert_true(is_kept(&world, late));
	}
}

/* Who removes also closes what others were let into; who looks does not. */
static void
tmp_is_made_private(struct arena *arena)
{
	struct world world = new_world(arena, "open-tmp");
	struct stat st;

	put(&world, "aaaa", 0);
	assert_int_equal(chmod(inside(&world, "tmp"), 0755), 0);
	(void)collect(&world, 100, GC_TELL);
	assert_int_equal(stat(inside(&world, "tmp"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	(void)collect(&world, 100, GC_REMOVE);
	assert_int_equal(stat(inside(&world, "tmp"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
}

static void
telling_removes_nothing(struct arena *arena)
{
	struct world world = new_world(arena, "tell");
	const char *temp = inside(&world,
	    "tmp/0123456789abcdef0123456789abcdef");
	struct gc_result told, done;

	put(&world, "aaaa", 4 * HOUR);
	put(&world, "bbbb", 3 * HOUR);
	unit_write_file(temp, SPAN("half"));
	set_age(temp, 2 * HOUR);
	told = collect(&world, 4, GC_TELL);
	assert_true(is_kept(&world, "aaaa"));
	assert_true(exists(temp));
	done = collect(&world, 4, GC_REMOVE);
	assert_memory_equal(&told, &done, sizeof(told));
	assert_int_equal(done.gone, 1);
	assert_int_equal(done.temps, 1);
	assert_int_equal(done.temp_bytes, 4);
	assert_false(is_kept(&world, "aaaa"));
	assert_false(exists(temp));
}

static void
what_is_young_stays(struct arena *arena)
{
	struct world world = new_world(arena, "young");

	put(&world, "aaaa", 0);
	put(&world, "bbbb", HOUR - 60);
	put(&world, "cccc", -HOUR + 60);
	/* Used within the hour perhaps: the time is true to ten minutes. */
	put(&world, "dddd", HOUR + 9 * 60);
	put(&world, "eeee", HOUR + 11 * 60);
	put(&world, "ffff", -1000 * HOUR); /* a clock was wrong once */
	assert_int_equal(collect(&world, 0, GC_REMOVE).gone, 2);
	assert_true(is_kept(&world, "aaaa"));
	assert_true(is_kept(&world, "bbbb"));
	assert_true(is_kept(&world, "cccc"));
	assert_true(is_kept(&world, "dddd"));
	assert_false(is_kept(&world, "eeee"));
	assert_false(is_kept(&world, "ffff"));
}

static void
what_was_not_used_for_long_goes(struct arena *arena)
{
	struct world world = new_world(arena, "aged");
	struct gc_limits limits = {100, 90};

	put(&world, "aaaa", 91 * DAY);
	put(&world, "bbbb", 90 * DAY);
	put(&world, "cccc", 90 * DAY - HOUR);
	put(&world, "dddd", 1 * DAY);
	assert_int_equal(gc_run(&world.store, &limits, GC_TELL).gone, 2);
	assert_int_equal(gc_run(&world.store, &limits, GC_REMOVE).gone, 2);
	assert_false(is_kept(&world, "aaaa"));
	assert_false(is_kept(&world, "bbbb"));
	/* The size may still take more of them. */
	limits.max_bytes = 4;
	assert_int_equal(gc_run(&world.store, &limits, GC_REMOVE).gone, 1);
	assert_true(is_kept(&world, "dddd"));
	/* No age is so low that it takes what is in use. */
	put(&world, "eeee", HOUR / 2);
	limits = (struct gc_limits){100, 0};
	assert_int_equal(gc_run(&world.store, &limits, GC_REMOVE).gone, 1);
	assert_true(is_kept(&world, "eeee"));
	/* The largest age is never reached. */
	put(&world, "ffff", 100 * 365 * DAY);
	limits.max_days = UINT64_MAX;
	assert_int_equal(gc_run(&world.store, &limits, GC_REMOVE).gone, 0);
}

static void
temporary_files_of_the_last_hour_stay(struct arena *arena)
{
	struct world world = new_world(arena, "temps");
	const char *old = inside(&world,
	    "tmp/00000000000000000000000000000001");
	const char *new = inside(&world,
	    "tmp/00000000000000000000000000000002");
	const char *foreign = inside(&world, "tmp/notes.txt");

	put(&world, "aaaa", HOUR);
	unit_write_file(old, SPAN("x"));
	unit_write_file(new, SPAN("x"));
	unit_write_file(foreign, SPAN("mine"));
	set_age(old, HOUR + 60);
	set_age(new, HOUR - 60);
	set_age(foreign, 100 * HOUR);
	assert_int_equal(store_stat(&world.store).temps, 2);
	assert_int_equal(collect(&world, 100, GC_REMOVE).temps, 1);
	assert_false(exists(old));
	assert_true(exists(new));
	assert_true(exists(foreign));
	assert_true(is_kept(&world, "aaaa"));
}

/* Only what the store has made, and nothing behind a link. */
static void
nothing_else_is_touched(struct arena *arena)
{
	struct world world = new_world(arena, "else");
	const char *target = unit_path(arena, "else/target");
	const char *link = object_path(&world, "link");
	const char *dir = object_path(&world, "dir");
	const char *temp = inside(&world,
	    "tmp/0000000000000000000000000000000a");

	put(&world, "aaaa", 2 * HOUR);
	unit_write_file(target, SPAN("mine"));
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(symlink(target, temp), 0);
	assert_int_equal(mkdir(dir, 0700), 0);
	unit_write_file(inside(&world, "objects/notes.txt"), SPAN("mine"));
	set_age(link, HOUR);
	set_age(temp, 2 * HOUR);
	set_age(dir, HOUR);
	set_age(target, 9 * HOUR);
	set_age(inside(&world, "objects/notes.txt"), HOUR);
	assert_int_equal(collect(&world, 0, GC_REMOVE).gone, 1);
	assert_true(exists(target) && exists(link) && exists(dir) &&
	    exists(temp) && exists(inside(&world, "objects/notes.txt")) &&
	    exists(inside(&world, ".gitignore")));
}

/* A directory that was named by mistake. */
static void
no_store_is_no_error(struct arena *arena)
{
	struct world world = new_world(arena, "none");
	struct gc_result result = collect(&world, 0, GC_REMOVE);
	const char *mine;

	assert_int_equal(result.objects, 0);
	assert_false(exists(world.root));
	assert_int_equal(dir_look(&world.store), DIR_ABSENT);
	assert_int_equal(mkdir(unit_path(arena, "none/.pi"), 0755), 0);
	assert_int_equal(mkdir(world.root, 0755), 0);
	assert_int_equal(mkdir(inside(&world, "objects"), 0755), 0);
	assert_int_equal(dir_look(&world.store), DIR_FINE);
	unit_write_file(inside(&world, "README"), SPAN("mine"));
	mine = object_path(&world, "other");
	unit_write_file(mine, SPAN("mine"));
	set_age(mine, HOUR);
	assert_int_equal(collect(&world, 0, GC_REMOVE).objects, 0);
	assert_int_equal(verify_run(&world.store, VERIFY_REMOVE).objects, 0);
	assert_true(exists(mine));
	assert_int_equal(dir_look(&world.store), DIR_FOREIGN);
}

static void
why_a_store_cannot_be_used(struct arena *arena)
{
	struct world world = new_world(arena, "why");
	const char *cwd = unit_path(arena, "why");
	struct store store = store_at(arena, span_str(cwd), span_str(cwd));

	assert_int_equal(dir_look(&store), DIR_ABOVE_CWD);
	store.root = span_str(unit_base);
	assert_int_equal(dir_look(&store), DIR_ABOVE_CWD);
	unit_write_file(unit_path(arena, "why/.pi"), SPAN("mine"));
	assert_int_equal(dir_look(&world.store), DIR_IN_THE_WAY);
	assert_int_equal(unlink(unit_path(arena, "why/.pi")), 0);
	assert_int_equal(symlink("/", unit_path(arena, "why/.pi")), 0);
	assert_int_equal(dir_look(&world.store), DIR_IN_THE_WAY);
	store.root = SPAN("/proc/1");
	if (geteuid() != 0)
		assert_int_equal(dir_look(&store), DIR_NOT_OURS);
}

/* A store that cannot be used may be asked again and again. */
static void
refusals_do_not_add_up(struct arena *arena)
{
	struct world world = new_world(arena, "refused");
	struct digest hash = digest_of(SPAN("x"));
	struct span found;

	assert_int_equal(mkdir(unit_path(arena, "refused/.pi"), 0755), 0);
	assert_int_equal(mkdir(world.root, 0755), 0);
	unit_write_file(inside(&world, "README"), SPAN("mine"));
	for (int i = 0; i < 50; i++) {
		assert_false(store_get(&world.store, &hash, &found));
		assert_int_equal(store_put(&world.store, &hash, SPAN("x")),
		    STORED_NOT);
		assert_int_equal(collect(&world, 0, GC_REMOVE).gone, 0);
	}
}

/* Beside writers and other gcs nothing fails and nothing wrong is found. */
static void
work(struct world *world, int worker)
{
	const struct timespec long_ago[2] = {{0, UTIME_OMIT}, {1, 0}};

	for (int i = 0; i < 60; i++) {
		char text[32];
		struct digest hash;
		struct span found;

		(void)snprintf(text, sizeof(text), "text %d", i % 20);
		hash = digest_of(span_str(text));
		if (store_put(&world->store, &hash, span_str(text)) ==
		    STORED_NOT)
			_exit(1);
		/* Make it old, or find that another gc was faster. */
		(void)utimensat(AT_FDCWD, object_path(world, text), long_ago,
		    0);
		if (worker % 2 == 0 && i % 4 == 0)
			(void)collect(world, 20, GC_REMOVE);
		if (store_get(&world->store, &hash, &found) &&
		    !span_eq(found, span_str(text)))
			_exit(2);
	}
	_exit(0);
}

static void
beside_readers_and_writers(struct arena *arena)
{
	struct world world = new_world(arena, "beside");
	int failed = 0, status;

	for (int i = 0; i < 20; i++) {
		char text[32];

		(void)snprintf(text, sizeof(text), "text %d", i);
		put(&world, text, 2 * HOUR);
	}
	for (int i = 0; i < 4; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0)
			work(&world, i);
	}
	while (wait(&status) > 0)
		failed += status != 0;
	assert_int_equal(failed, 0);
	assert_int_equal(verify_run(&world.store, VERIFY_TELL).damaged, 0);
}

static void
many_objects(struct arena *arena)
{
	struct world world = new_world(arena, "many");
	struct gc_result result;

	for (int i = 0; i < 2000; i++) {
		char text[16];

		(void)snprintf(text, sizeof(text), "%07d", i);
		put(&world, text, 2 * HOUR + 2000 - i);
	}
	result = collect(&world, 7 * 100, GC_REMOVE);
	assert_int_equal(result.objects, 2000);
	assert_int_equal(result.gone, 1900);
	assert_int_equal(store_stat(&world.store).objects, 100);
	assert_false(is_kept(&world, "0001899"));
	assert_true(is_kept(&world, "0001900"));
}

/* ---- when ---- */

static void
it_is_due_once_an_hour(struct arena *arena)
{
	struct world world = new_world(arena, "due");
	const char *stamp = inside(&world, DIR_STAMP);

	assert_false(gc_begin(&world.store)); /* there is no store */
	put(&world, "aaaa", 0);
	assert_false(gc_begin(&world.store)); /* it was made just now */
	set_age(stamp, HOUR - 60);
	assert_false(gc_begin(&world.store));
	set_age(stamp, HOUR + 60);
	assert_true(gc_begin(&world.store));
	assert_in_range(age_of(stamp), 0, 60);
	assert_false(gc_begin(&world.store));
	set_age(stamp, -1000 * HOUR); /* a clock was wrong once */
	assert_true(gc_begin(&world.store));
	assert_false(gc_begin(&world.store));
	/* A store that an older version made has no stamp. */
	assert_int_equal(unlink(stamp), 0);
	assert_true(gc_begin(&world.store));
	assert_false(gc_begin(&world.store));
}

/* What was planted in its place is not followed, and keeps nothing from gc. */
static void
a_planted_stamp_does_no_harm(struct arena *arena)
{
	struct world world = new_world(arena, "planted");
	const char *stamp = inside(&world, DIR_STAMP);
	const char *target = unit_path(arena, "planted/target");

	put(&world, "aaaa", 0);
	unit_write_file(target, SPAN("mine"));
	set_age(target, 9 * HOUR);
	assert_int_equal(unlink(stamp), 0);
	assert_int_equal(symlink(target, stamp), 0);
	set_age(stamp, 2 * HOUR);
	assert_true(gc_begin(&world.store));
	assert_false(gc_begin(&world.store));
	assert_in_range(age_of(target), 9 * HOUR, 9 * HOUR + 60);
	assert_int_equal(unlink(stamp), 0);
	assert_int_equal(mkdir(stamp, 0700), 0);
	set_age(stamp, 2 * HOUR);
	assert_true(gc_begin(&world.store));
	assert_false(gc_begin(&world.store));
}

/* ---- verify ---- */

static void
damaged_objects_are_named(struct arena *arena)
{
	struct world world = new_world(arena, "verify");
	struct digest hash = digest_of(SPAN("bad")), link;
	struct verify_result result;
	int special = 0;

	put(&world, "good", 0);
	put(&world, "", 0);
	put(&world, "bad", 0);
	unit_write_file(object_path(&world, "bad"), SPAN("BAD"));
	assert_int_equal(symlink("/etc/hostname",
	    object_path(&world, "link")), 0);
	link = digest_of(SPAN("link"));
	result = verify_run(&world.store, VERIFY_TELL);
	assert_int_equal(result.objects, 4);
	assert_int_equal(result.damaged, 2);
	assert_true(is_kept(&world, "bad"));
	result = verify_run(&world.store, VERIFY_REMOVE);
	assert_int_equal(result.damaged, 2);
	for (struct verify_found *f = result.found; f != NULL; f = f->next) {
		assert_true(f->removed);
		if (digest_eq(&f->hash, &hash))
			assert_int_equal(f->damage, DAMAGE_HASH);
		else if (digest_eq(&f->hash, &link))
			special += f->damage == DAMAGE_NO_FILE;
	}
	assert_int_equal(special, 1);
	assert_false(is_kept(&world, "bad"));
	assert_false(is_kept(&world, "link"));
	result = verify_run(&world.store, VERIFY_REMOVE);
	assert_int_equal(result.objects, 2);
	assert_int_equal(result.damaged, 0);
}

static void
stats_tell_the_times(struct arena *arena)
{
	struct world world = new_world(arena, "times");
	struct store_stats stats = store_stat(&world.store);

	assert_int_equal(stats.oldest, 0);
	assert_int_equal(stats.newest, 0);
	put(&world, "a", 5 * HOUR);
	put(&world, "b", 1 * HOUR);
	put(&world, "c", 3 * HOUR);
	stats = store_stat(&world.store);
	assert_in_range(time(NULL) - stats.oldest, 5 * HOUR, 5 * HOUR + 60);
	assert_in_range(time(NULL) - stats.newest, HOUR, HOUR + 60);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(being_loaded_is_a_use),
		TEST(being_stored_again_is_a_use),
		TEST(the_least_recently_used_goes_first),
		TEST(within_a_second),
		TEST(tmp_is_made_private),
		TEST(telling_removes_nothing),
		TEST(what_is_young_stays),
		TEST(what_was_not_used_for_long_goes),
		TEST(temporary_files_of_the_last_hour_stay),
		TEST(nothing_else_is_touched),
		TEST(no_store_is_no_error),
		TEST(why_a_store_cannot_be_used),
		TEST(refusals_do_not_add_up),
		TEST(beside_readers_and_writers),
		TEST(many_objects),
		TEST(it_is_due_once_an_hour),
		TEST(a_planted_stamp_does_no_harm),
		TEST(damaged_objects_are_named),
		TEST(stats_tell_the_times),
	};

	return RUN_TESTS_IN_DIR(tests);
}
