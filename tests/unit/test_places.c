/* Locks on places, and on ranges of a file, between processes and in one. */
#include "unit_dir.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "os/ranges.h"
#include "store/lock/places.h"

/* ---- ranges ---- */

static int
open_twice(const char *path, int *other)
{
	int fd;

	unit_write_file(path, SPAN(""));
	fd = open(path, O_RDWR | O_CLOEXEC);
	*other = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0 && *other >= 0);
	return fd;
}

static void
a_range_belongs_to_the_open_file(struct arena *arena)
{
	struct byte_range alone = {UINT64_C(1) << 62, 10, RANGE_EXCLUSIVE},
			  byte = {(UINT64_C(1) << 62) + 9, 1, RANGE_SHARED},
			  after = {(UINT64_C(1) << 62) + 10, 1, RANGE_SHARED},
			  found;
	int other, copy, fd = open_twice(unit_path(arena, "ranges"), &other);

	assert_int_equal(ranges_lock(fd, &alone, RANGE_TRY), 0);
	assert_int_equal(ranges_lock(fd, &alone, RANGE_TRY), 0);
	assert_int_equal(ranges_lock(other, &byte, RANGE_TRY), EAGAIN);
	assert_int_equal(ranges_lock(other, &after, RANGE_TRY), 0);
	assert_true(ranges_find(other, &byte, &found));
	assert_int_equal(found.start, alone.start);
	assert_int_equal(found.length, 10);
	assert_int_equal(found.kind, RANGE_EXCLUSIVE);
	assert_false(ranges_find(fd, &alone, &found));
	/* A copy holds it after the first was closed, and can give it up. */
	copy = dup(fd);
	assert_int_equal(close(fd), 0);
	assert_int_equal(ranges_lock(other, &byte, RANGE_TRY), EAGAIN);
	ranges_unlock(copy);
	assert_int_equal(ranges_lock(other, &byte, RANGE_WAIT), 0);
	assert_int_equal(ranges_lock(copy, &byte, RANGE_TRY), 0);
	assert_true(ranges_find(copy, &alone, &found));
	assert_int_equal(found.kind, RANGE_SHARED);
	assert_int_equal(close(copy), 0);
	assert_int_equal(close(other), 0);
}

static void
the_system_says_whether_a_process_has_a_range(struct arena *arena)
{
	struct byte_range range = {4096, 7, RANGE_EXCLUSIVE};
	int other, fd = open_twice(unit_path(arena, "has"), &other), away;

	assert_false(ranges_has(other, getpid(), 4096));
	assert_int_equal(ranges_lock(fd, &range, RANGE_TRY), 0);
	assert_true(ranges_has(other, getpid(), 4096));
	assert_false(ranges_has(other, getpid(), 4097));
	assert_false(ranges_has(other, getppid(), 4096));
	/* Not of another file. */
	away = open(unit_path(arena, "."), O_RDONLY | O_CLOEXEC);
	assert_true(away >= 0);
	assert_false(ranges_has(away, getpid(), 4096));
	/* Unknown: a process that does not exist. */
	assert_true(ranges_has(fd, 1L << 30, 4096));
	assert_int_equal(close(away), 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(close(other), 0);
}

/* ---- places ---- */

static struct store
store_named(struct arena *arena, const char *name, const char *keys)
{
	struct store store = store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));

	store.keys = keys != NULL ? span_str(unit_path(arena, keys)) : SPAN("");
	return store;
}

static enum lock_result
try_place(struct arena *arena, struct store *store, const char *place,
    enum place_use use, struct places_held *held)
{
	struct place_list list = place_list_new(arena);

	place_list_add(&list, span_str(place), use);
	return places_take(store, &list, LOCK_TRY, NULL, NULL, held);
}

/* Can PLACE be used by STORE now? */
static bool
is_free(struct arena *arena, struct store *store, const char *place,
    enum place_use use)
{
	struct places_held held;
	enum lock_result result = try_place(arena, store, place, use, &held);

	places_release(&held);
	assert_int_equal(held.n, 0);
	return result == LOCK_TAKEN;
}

static void
who_makes_a_place_has_it_and_all_below_alone(struct arena *arena)
{
	struct store store = store_named(arena, "one", "keys");
	struct places_held held;

	assert_int_equal(
	    try_place(arena, &store, "/p/d", PLACE_MADE, &held), LOCK_TAKEN);
	assert_int_equal(held.n, 2);
	assert_false(is_free(arena, &store, "/p/d", PLACE_MADE));
	assert_false(is_free(arena, &store, "/p/d", PLACE_READ));
	assert_false(is_free(arena, &store, "/p/d/y", PLACE_MADE));
	assert_false(is_free(arena, &store, "/p/d/e/y", PLACE_READ));
	assert_false(is_free(arena, &store, "/p", PLACE_MADE));
	assert_false(is_free(arena, &store, "/", PLACE_MADE));
	assert_true(is_free(arena, &store, "/p", PLACE_READ));
	assert_true(is_free(arena, &store, "/p/dd", PLACE_MADE));
	assert_true(is_free(arena, &store, "/p/e/d", PLACE_MADE));
	places_release(&held);
	assert_true(is_free(arena, &store, "/p", PLACE_MADE));
	places_release(&held);
}

static void
many_may_read_a_place(struct arena *arena)
{
	struct store store = store_named(arena, "one", "keys");
	struct places_held one, two;

	assert_int_equal(
	    try_place(arena, &store, "/p/d", PLACE_READ, &one), LOCK_TAKEN);
	assert_int_equal(
	    try_place(arena, &store, "/p/d", PLACE_READ, &two), LOCK_TAKEN);
	places_release(&one);
	assert_false(is_free(arena, &store, "/p/d", PLACE_MADE));
	assert_true(is_free(arena, &store, "/p/d/y", PLACE_MADE));
	places_release(&two);
	assert_true(is_free(arena, &store, "/p/d", PLACE_MADE));
}

static void
all_stores_of_a_user_have_the_same_places(struct arena *arena)
{
	struct store one = store_named(arena, "one", "keys"),
		     two = store_named(arena, "two", "keys"),
		     other = store_named(arena, "two", "others"),
		     none = store_named(arena, "one", NULL);
	struct places_held held;

	assert_int_equal(
	    try_place(arena, &one, "/p/d", PLACE_MADE, &held), LOCK_TAKEN);
	assert_false(is_free(arena, &two, "/p/d", PLACE_MADE));
	/* Neither the user nor the store is the same. */
	assert_true(is_free(arena, &other, "/p/d", PLACE_MADE));
	/* The store is the same. */
	assert_false(is_free(arena, &none, "/p/d", PLACE_MADE));
	places_release(&held);
	assert_int_equal(
	    try_place(arena, &none, "/p/d", PLACE_MADE, &held), LOCK_TAKEN);
	assert_int_equal(held.n, 1);
	assert_true(is_free(arena, &two, "/p/d", PLACE_MADE));
	assert_false(is_free(arena, &one, "/p/d", PLACE_MADE));
	places_release(&held);
}

static void
of_two_uses_the_stronger_counts(struct arena *arena)
{
	struct store store = store_named(arena, "one", "keys");
	struct place_list list = place_list_new(arena);
	struct places_held held;

	place_list_add(&list, SPAN("/p/d/y"), PLACE_READ);
	place_list_add(&list, SPAN("/p/d"), PLACE_MADE);
	place_list_add(&list, SPAN("/p/d"), PLACE_READ);
	place_list_add(&list, SPAN("/p/d/z"), PLACE_READ);
	/* "/", "/p" and "/p/d" once each. */
	assert_int_equal(list.n, 3 + 4);
	assert_int_equal(
	    places_take(&store, &list, LOCK_TRY, NULL, NULL, &held),
	    LOCK_TAKEN);
	assert_int_equal(list.n, 5);
	assert_false(is_free(arena, &store, "/p/d/x", PLACE_READ));
	places_release(&held);
}

static void
what_is_no_file_of_ours_is_not_used(struct arena *arena)
{
	struct store store = store_named(arena, "spoiled", "spoiled-keys");
	const char *user = unit_path(arena, "spoiled-keys/places");
	const char *own = unit_path(arena, "spoiled/locks/places");
	const char *victim = unit_path(arena, "victim");
	struct places_held held;

	assert_true(is_free(arena, &store, "/p", PLACE_MADE));
	unit_write_file(victim, SPAN("mine"));
	assert_int_equal(unlink(user), 0);
	assert_int_equal(unlink(own), 0);
	/* A link, and a second name. */
	assert_int_equal(symlink(victim, user), 0);
	assert_int_equal(link(victim, own), 0);
	assert_int_equal(
	    try_place(arena, &store, "/p", PLACE_MADE, &held), LOCK_NONE);
	assert_int_equal(unlink(own), 0);
	assert_int_equal(
	    try_place(arena, &store, "/p", PLACE_MADE, &held), LOCK_TAKEN);
	assert_int_equal(held.n, 1);
	places_release(&held);
	assert_int_equal(unlink(user), 0);
	/* Others can write beside the key. */
	assert_int_equal(chmod(unit_path(arena, "spoiled-keys"), 0777), 0);
	assert_int_equal(
	    try_place(arena, &store, "/p", PLACE_MADE, &held), LOCK_TAKEN);
	assert_int_equal(held.n, 1);
	places_release(&held);
	assert_int_equal(access(user, F_OK), -1);
}

static void
the_files_are_private_whatever_the_umask(struct arena *arena)
{
	struct store store = store_named(arena, "masked", "masked-keys");
	struct places_held held;
	mode_t mask = umask(0777);
	struct stat st;

	assert_int_equal(
	    try_place(arena, &store, "/p", PLACE_MADE, &held), LOCK_TAKEN);
	(void)umask(mask);
	assert_int_equal(held.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(fstat(held.fds[i], &st), 0);
		assert_int_equal(st.st_mode & 07777, 0600);
		assert_int_equal(
		    fcntl(held.fds[i], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	}
	places_release(&held);
}

/* ---- other processes ---- */

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

/* Hold /p/d by USE until somebody was told, or die with it. */
_Noreturn static void
hold(struct arena *arena, struct store *store, enum place_use use, int ready,
    int told)
{
	struct places_held held;
	char byte;

	if (try_place(arena, store, "/p/d", use, &held) != LOCK_TAKEN ||
	    write(ready, "!", 1) != 1 || read(told, &byte, 1) != 1)
		_exit(1);
	_exit(0);
}

static void
wait_for_child(struct arena *arena, enum place_use use, enum place_use wanted)
{
	struct store store = store_named(arena, "wait", "keys");
	struct place_list list = place_list_new(arena);
	struct waiter waiter = {-1, -1};
	struct places_held held;
	int ready[2], told[2], status;
	pid_t child;
	char byte;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(told), 0);
	waiter.told = told[1];
	child = fork();
	if (child == 0)
		hold(arena, &store, use, ready[1], told[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	place_list_add(&list, SPAN("/p/d"), wanted);
	assert_int_equal(places_take(&store, &list, LOCK_WAIT, tell_and_say_so,
			     &waiter, &held),
	    LOCK_TAKEN);
	assert_int_equal(waiter.holder, child);
	places_release(&held);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	for (int i = 0; i < 2; i++) {
		(void)close(ready[i]);
		(void)close(told[i]);
	}
}

static void
who_waits_is_told_for_whom(struct arena *arena)
{
	wait_for_child(arena, PLACE_MADE, PLACE_MADE);
	wait_for_child(arena, PLACE_MADE, PLACE_READ);
	wait_for_child(arena, PLACE_READ, PLACE_MADE);
}

/* In a child of the process that holds HAS by USE: may it use WANTS? */
static enum lock_result
inside(struct arena *arena, struct store *store, const char *wants,
    enum place_use use)
{
	struct place_list list = place_list_new(arena);
	struct places_held held;
	int status;
	pid_t child = fork();

	if (child == 0) {
		place_list_add(&list, span_str(wants), use);
		_exit((int)places_take(
		    store, &list, LOCK_WAIT, NULL, NULL, &held));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return (enum lock_result)WEXITSTATUS(status);
}

static void
what_is_in_the_place_of_an_ancestor_is_a_part_of_it(struct arena *arena)
{
	struct store store = store_named(arena, "inside", "keys");
	struct places_held held;

	assert_int_equal(
	    try_place(arena, &store, "/p/d", PLACE_MADE, &held), LOCK_TAKEN);
	assert_int_equal(
	    inside(arena, &store, "/p/d/y", PLACE_MADE), LOCK_TAKEN);
	assert_int_equal(
	    inside(arena, &store, "/p/d/y", PLACE_READ), LOCK_TAKEN);
	assert_int_equal(inside(arena, &store, "/p/d", PLACE_MADE), LOCK_OURS);
	assert_int_equal(inside(arena, &store, "/p/d", PLACE_READ), LOCK_OURS);
	assert_int_equal(inside(arena, &store, "/p", PLACE_MADE), LOCK_OURS);
	assert_int_equal(inside(arena, &store, "/p/e", PLACE_MADE), LOCK_TAKEN);
	places_release(&held);
	assert_int_equal(
	    try_place(arena, &store, "/p/d", PLACE_READ, &held), LOCK_TAKEN);
	assert_int_equal(inside(arena, &store, "/p/d", PLACE_READ), LOCK_TAKEN);
	assert_int_equal(inside(arena, &store, "/p/d", PLACE_MADE), LOCK_OURS);
	places_release(&held);
}

/* Who waits for itself would wait for ever. */
static void
other_work_of_this_process_is_not_waited_for(struct arena *arena)
{
	struct store store = store_named(arena, "self", "keys");
	struct place_list list = place_list_new(arena);
	struct places_held held, again;

	assert_int_equal(
	    try_place(arena, &store, "/p/d", PLACE_MADE, &held), LOCK_TAKEN);
	place_list_add(&list, SPAN("/p/d/y"), PLACE_MADE);
	assert_int_equal(
	    places_take(&store, &list, LOCK_TRY, NULL, NULL, &again),
	    LOCK_BUSY);
	assert_int_equal(
	    places_take(&store, &list, LOCK_WAIT, NULL, NULL, &again),
	    LOCK_OURS);
	assert_int_equal(again.n, 0);
	places_release(&held);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_range_belongs_to_the_open_file),
	    TEST(the_system_says_whether_a_process_has_a_range),
	    TEST(who_makes_a_place_has_it_and_all_below_alone),
	    TEST(many_may_read_a_place),
	    TEST(all_stores_of_a_user_have_the_same_places),
	    TEST(of_two_uses_the_stronger_counts),
	    TEST(what_is_no_file_of_ours_is_not_used),
	    TEST(the_files_are_private_whatever_the_umask),
	    TEST(who_waits_is_told_for_whom),
	    TEST(what_is_in_the_place_of_an_ancestor_is_a_part_of_it),
	    TEST(other_work_of_this_process_is_not_waited_for),
	};

	return RUN_TESTS_IN_DIR(tests);
}
