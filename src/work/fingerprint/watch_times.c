#include "work/fingerprint/watch_times.h"

#include <fcntl.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "os/times.h"

/* More than a tick of any clock that file systems go by. */
#define TICK_NS INT64_C(20000000)

static int64_t
nanoseconds(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static bool
same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Does COMPONENT stand for itself only? */
static bool
is_plain(struct span component)
{
	for (size_t i = 0; i < component.n; i++)
		if (strchr("*?[\\", component.p[i]) != NULL)
			return false;
	return component.n > 0;
}

/* Wait until a change of the directory ST would get another time. */
static void
wait_a_tick(const struct stat *st)
{
	struct timespec now, tick = {0, TICK_NS};
	int64_t age;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	age = nanoseconds(&now) - nanoseconds(times_changed(st));
	if (age < TICK_NS)
		(void)nanosleep(&tick, NULL);
}

struct watch_times
watch_times_note(
    struct arena *arena, int fd, struct span component, bool literal)
{
	struct watch_times times = {.known = false};

	if (fstat(fd, &times.dir) != 0)
		return times;
	wait_a_tick(&times.dir);
	/* Whole seconds: the file system may know no more. */
	times.known = fstat(fd, &times.dir) == 0 &&
		      times_changed(&times.dir)->tv_nsec != 0;
	times.there = (literal || is_plain(component)) &&
		      fstatat(fd, arena_cstr(arena, component), &times.entry,
			  AT_SYMLINK_NOFOLLOW) == 0;
	return times;
}

/*
 * Was the same thing at the name all the time?  A move changes the time of what
 * is moved.  So does what is made in a directory, and a later one hides the
 * move.
 */
static bool
same_entry(const struct stat *old, const struct stat *now)
{
	return same_file(old, now) &&
	       same_time(times_changed(old), times_changed(now));
}

/* In the directory FD, which is the same: has nothing come or gone? */
static bool
same_within(struct arena *arena, const struct watch_times *old, int fd,
    struct span component)
{
	struct stat now;

	if (old->there &&
	    fstatat(fd, arena_cstr(arena, component), &now,
		AT_SYMLINK_NOFOLLOW) == 0 &&
	    same_entry(&old->entry, &now))
		return true;
	return fstat(fd, &now) == 0 &&
	       same_time(times_changed(&old->dir), times_changed(&now)) &&
	       same_time(times_modified(&old->dir), times_modified(&now));
}

bool
watch_times_same(struct arena *arena, const struct watch_times *old,
    struct span dir, struct span component)
{
	struct stat now;
	bool same;
	int fd;

	if (!old->known)
		return false;
	fd = open(arena_cstr(arena, dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	same = fstat(fd, &now) == 0 && same_file(&old->dir, &now) &&
	       same_within(arena, old, fd, component);
	(void)close(fd);
	return same;
}
