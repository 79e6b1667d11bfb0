/* Locks between processes, and between two lock_takes of one. */
#include "unit_dir.h"

#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store/lock/lock.h"

static struct store
store_named(struct arena *arena, const char *name)
{
	return store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));
}

static enum lock_result
try_lock(struct store *store, const char *name, enum lock_kind kind,
    struct lock_set **set)
{
	struct lock_wish wish = {lock_name("test", span_str(name)), kind};

	return lock_take(store, &wish, 1, LOCK_TRY, NULL, NULL, set);
}

/* The path of the only lock file of the store NAME. */
static const char *
lock_path(struct arena *arena, const char *name)
{
	struct digest digest = lock_name("test", span_str("x"));
	struct buf path = buf_new(arena, 256);
	char hex[DIGEST_HEX + 1];

	digest_hex(&digest, hex);
	buf_str(&path, name);
	buf_str(&path, "/locks/");
	buf_str(&path, hex);
	return unit_path(arena, arena_cstr(arena, buf_span(&path)));
}

static void
many_may_share_and_one_excludes(struct arena *arena)
{
	struct store store = store_named(arena, "kinds");
	struct lock_set *a, *b, *c;

	assert_int_equal(try_lock(&store, "x", LOCK_SHARED, &a), LOCK_TAKEN);
	assert_int_equal(try_lock(&store, "x", LOCK_SHARED, &b), LOCK_TAKEN);
	assert_int_equal(try_lock(&store, "x", LOCK_EXCLUSIVE, &c), LOCK_BUSY);
	assert_null(c);
	assert_int_equal(try_lock(&store, "y", LOCK_EXCLUSIVE, &c), LOCK_TAKEN);
	lock_release(c);
	lock_release(a);
	lock_release(b);
	assert_int_equal(try_lock(&store, "x", LOCK_EXCLUSIVE, &a), LOCK_TAKEN);
	assert_int_equal(try_lock(&store, "x", LOCK_SHARED, &b), LOCK_BUSY);
	lock_release(a);
	lock_release(NULL);
}

static void
of_two_wishes_for_one_name_the_stronger_counts(struct arena *arena)
{
	struct store store = store_named(arena, "twice");
	struct lock_wish wishes[] = {
	    {lock_name("test", SPAN("x")), LOCK_SHARED},
	    {lock_name("test", SPAN("y")), LOCK_SHARED},
	    {lock_name("test", SPAN("x")), LOCK_EXCLUSIVE},
	};
	struct lock_set *all, *other;

	assert_int_equal(
	    lock_take(&store, wishes, 3, LOCK_TRY, NULL, NULL, &all),
	    LOCK_TAKEN);
	assert_int_equal(try_lock(&store, "x", LOCK_SHARED, &other), LOCK_BUSY);
	assert_int_equal(
	    try_lock(&store, "y", LOCK_SHARED, &other), LOCK_TAKEN);
	lock_release(other);
	lock_release(all);
}

static void
who_gets_one_of_two_holds_neither(struct arena *arena)
{
	struct store store = store_named(arena, "partly");
	struct lock_wish wishes[] = {
	    {lock_name("test", SPAN("x")), LOCK_EXCLUSIVE},
	    {lock_name("test", SPAN("y")), LOCK_EXCLUSIVE},
	};
	struct lock_set *one, *both;

	for (int i = 0; i < 2; i++) {
		const char *held = i == 0 ? "x" : "y";
		const char *wanted = i == 0 ? "y" : "x";

		assert_int_equal(
		    try_lock(&store, held, LOCK_EXCLUSIVE, &one), LOCK_TAKEN);
		assert_int_equal(
		    lock_take(&store, wishes, 2, LOCK_TRY, NULL, NULL, &both),
		    LOCK_BUSY);
		lock_release(one);
		assert_int_equal(
		    try_lock(&store, wanted, LOCK_EXCLUSIVE, &one), LOCK_TAKEN);
		lock_release(one);
	}
}

/* Of the test below: who held the lock, and how he learns that we know. */
struct waiter {
	long holder;
	int told;
};

static void
tell_and_say_so(void *context, long holder)
{
	struct waiter *waiter = context;

	waiter->holder = holder;
	assert_int_equal(write(waiter->told, "!", 1), 1);
}

/* Holds the lock until somebody waits for it, and is killed then. */
_Noreturn static void
hold(struct store *store, int ready, int told)
{
	struct lock_set *set;
	char byte;

	if (try_lock(store, "x", LOCK_EXCLUSIVE, &set) != LOCK_TAKEN ||
	    write(ready, "!", 1) != 1 || read(told, &byte, 1) != 1)
		_exit(1);
	/* Who was told begins to wait; in vain or not, he must not hang. */
	(void)usleep(50 * 1000);
	(void)raise(SIGKILL);
	_exit(1);
}

static void
who_waits_is_told_for_whom_and_the_dead_hold_nothing(struct arena *arena)
{
	struct store store = store_named(arena, "wait");
	struct lock_wish wish = {lock_name("test", SPAN("x")), LOCK_EXCLUSIVE};
	struct lock_set *set;
	struct waiter waiter = {-1, -1};
	int ready[2], told[2];
	pid_t child;
	char byte;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(told), 0);
	waiter.told = told[1];
	child = fork();
	if (child == 0)
		hold(&store, ready[1], told[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(lock_take(&store, &wish, 1, LOCK_WAIT, tell_and_say_so,
			     &waiter, &set),
	    LOCK_TAKEN);
	assert_int_equal(waiter.holder, child);
	assert_int_equal(waitpid(child, NULL, 0), child);
	lock_release(set);
	for (int i = 0; i < 2; i++) {
		(void)close(ready[i]);
		(void)close(told[i]);
	}
}

/* Of the test below: it has the lock, but has not written its number yet. */
_Noreturn static void
hold_silently(const char *path, int ready, int told)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	char byte;

	if (fd < 0 || flock(fd, LOCK_EX) != 0 || write(ready, "!", 1) != 1 ||
	    read(told, &byte, 1) != 1)
		_exit(1);
	_exit(0);
}

static void
who_has_not_written_its_number_yet_is_known_too(struct arena *arena)
{
	struct store store = store_named(arena, "silent");
	struct lock_wish wish = {lock_name("test", SPAN("x")), LOCK_EXCLUSIVE};
	struct waiter waiter = {-1, -1};
	struct lock_set *set;
	int ready[2], told[2], status;
	pid_t child;
	char byte;

	assert_int_equal(
	    try_lock(&store, "x", LOCK_EXCLUSIVE, &set), LOCK_TAKEN);
	lock_release(set);
	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(told), 0);
	waiter.told = told[1];
	child = fork();
	if (child == 0)
		hold_silently(lock_path(arena, "silent"), ready[1], told[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(lock_take(&store, &wish, 1, LOCK_WAIT, tell_and_say_so,
			     &waiter, &set),
	    LOCK_TAKEN);
	assert_int_equal(waiter.holder, child);
	lock_release(set);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	for (int i = 0; i < 2; i++) {
		(void)close(ready[i]);
		(void)close(told[i]);
	}
}

/* Removing lock files while nobody holds them must not split a lock. */
static void
a_file_that_was_removed_is_not_the_lock(struct arena *arena)
{
	struct store store = store_named(arena, "removed");
	struct digest name = lock_name("test", SPAN("x"));
	struct lock_set *old, *set;
	char hex[DIGEST_HEX + 1], path[128];

	assert_int_equal(
	    try_lock(&store, "x", LOCK_EXCLUSIVE, &old), LOCK_TAKEN);
	digest_hex(&name, hex);
	(void)snprintf(path, sizeof(path), "removed/locks/%s", hex);
	assert_int_equal(unlink(unit_path(arena, path)), 0);
	assert_int_equal(
	    try_lock(&store, "x", LOCK_EXCLUSIVE, &set), LOCK_TAKEN);
	lock_release(set);
	lock_release(old);
}

static void
without_a_store_there_are_no_locks(struct arena *arena)
{
	struct store store =
	    store_at(arena, SPAN("/proc/readcache"), span_str(unit_base));
	struct lock_set *set;

	assert_int_equal(
	    try_lock(&store, "x", LOCK_EXCLUSIVE, &set), LOCK_NONE);
	assert_null(set);
}

/* The holder's pid stands in the file as long as it holds it. */
static void
who_holds_it_stands_in_it(struct arena *arena)
{
	struct store store = store_named(arena, "holder");
	struct lock_set *set;
	struct stat st;
	char text[32];
	size_t n;
	int fd;

	assert_int_equal(
	    try_lock(&store, "x", LOCK_EXCLUSIVE, &set), LOCK_TAKEN);
	assert_int_equal(stat(lock_path(arena, "holder"), &st), 0);
	assert_true(st.st_size > 0);
	assert_non_null(lock_descriptors(set, &n));
	assert_int_equal(n, 1);
	lock_release(set);
	fd = open(lock_path(arena, "holder"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, text, sizeof(text)), 20);
	assert_memory_equal(text, "0 ", 2);
	assert_int_equal(close(fd), 0);
	assert_null(lock_descriptors(NULL, &n));
	assert_int_equal(n, 0);
}

/* A file with a second name may be somebody's: nothing is written to it. */
static void
a_file_with_two_names_is_no_lock(struct arena *arena)
{
	struct store store = store_named(arena, "names");
	const char *victim = unit_path(arena, "victim");
	struct lock_set *set;
	struct stat st;

	assert_int_equal(
	    try_lock(&store, "x", LOCK_EXCLUSIVE, &set), LOCK_TAKEN);
	lock_release(set);
	unit_write_file(victim, SPAN("mine"));
	assert_int_equal(unlink(lock_path(arena, "names")), 0);
	assert_int_equal(link(victim, lock_path(arena, "names")), 0);
	assert_int_equal(
	    try_lock(&store, "x", LOCK_EXCLUSIVE, &set), LOCK_NONE);
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(many_may_share_and_one_excludes),
	    TEST(of_two_wishes_for_one_name_the_stronger_counts),
	    TEST(who_gets_one_of_two_holds_neither),
	    TEST(who_waits_is_told_for_whom_and_the_dead_hold_nothing),
	    TEST(who_has_not_written_its_number_yet_is_known_too),
	    TEST(a_file_that_was_removed_is_not_the_lock),
	    TEST(without_a_store_there_are_no_locks),
	    TEST(who_holds_it_stands_in_it),
	    TEST(a_file_with_two_names_is_no_lock),
	};

	return RUN_TESTS_IN_DIR(tests);
}
