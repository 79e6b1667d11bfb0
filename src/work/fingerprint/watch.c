#include "work/fingerprint/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "path/where.h"
#include "work/fingerprint/pattern.h"

#define MOVES (IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
#define SELF (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)

/* What is watched in one directory. */
struct wanted_names {
	int number; /* inotify's number of it */
	struct span dir;
	struct span component;
	bool literal;
	bool self; /* only the directory, no names in it */
};

struct watch {
	struct arena *arena;
	int fd; /* -1: inotify cannot be used */
	struct wanted_names *list;
	size_t n, room;
	struct map *selves; /* the directories of watch_self */
};

struct watch *
watch_new(struct arena *arena)
{
	struct watch *watch = arena_array(arena, 1, sizeof(*watch));

	watch->arena = arena;
	watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	return watch;
}

static struct wanted_names *
more(struct watch *watch)
{
	watch->list = arena_more(watch->arena, watch->list, watch->n,
	    &watch->room, sizeof(*watch->list));
	return &watch->list[watch->n++];
}

static void
add(struct watch *watch, int fd, struct span component, bool literal)
{
	char link[64], room[PATH_MAX];
	struct wanted_names *wanted = more(watch);
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, room, sizeof(room));
	*wanted =
	    (struct wanted_names){-1, SPAN(""), component, literal, false};
	if (watch->fd < 0 || n <= 0 || n >= (ssize_t)sizeof(room))
		return;
	wanted->number = inotify_add_watch(
	    watch->fd, link,
	    IN_CREATE | MOVES | SELF | IN_MASK_ADD | IN_ONLYDIR);
	wanted->dir = (struct span){
	    arena_cstr(watch->arena, (struct span){room, (size_t)n}),
	    (size_t)n};
}

void
watch_names(struct watch *watch, int fd, struct span component)
{
	add(watch, fd, component, false);
}

void
watch_name(struct watch *watch, int fd, struct span path)
{
	const char *slash = memchr(path.p, '/', path.n);

	if (slash != NULL)
		path.n = (size_t)(slash - path.p);
	add(watch, fd, path, true);
}

void
watch_self(struct watch *watch, struct span path)
{
	struct wanted_names *wanted;
	struct span name;
	int number;

	if (watch->selves == NULL)
		watch->selves = map_new(watch->arena, 8);
	if (watch->fd < 0 || map_find(watch->selves, path) != NULL)
		return;
	name = (struct span){arena_cstr(watch->arena, path), path.n};
	(void)map_at(watch->selves, name, 1);
	/* IN_MASK_ADD: it may be watched for its names too. */
	number = inotify_add_watch(watch->fd, name.p,
	    SELF | IN_MASK_ADD | IN_ONLYDIR | IN_DONT_FOLLOW);
	if (number < 0)
		return;
	wanted = more(watch);
	*wanted = (struct wanted_names){number, name, SPAN(""), false, true};
}

/* ---- what has happened ---- */

static bool
fits(const struct wanted_names *wanted, struct span name)
{
	if (wanted->component.n == 0)
		return true;
	if (wanted->literal)
		return span_eq(wanted->component, name);
	if (span_eq(wanted->component, SPAN("**")))
		return name.p[0] != '.';
	return pattern_match_name(wanted->component, name);
}

static bool
is_made(struct span path, const struct span *made, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (where_within(path, made[i]) || where_within(made[i], path))
			return true;
	return false;
}

/*
 * Is what happened to NAME (MASK) of no interest to WANTED?  *PATH is its
 * path.
 */
static bool
is_nothing(struct watch *watch, const struct wanted_names *wanted,
    uint32_t mask, struct span name, const struct span *made, size_t n,
    struct span *path)
{
	struct buf full =
	    buf_new(watch->arena, wanted->dir.n + name.n + 2);
	struct stat st;

	buf_add(&full, wanted->dir);
	if (wanted->dir.n > 1)
		buf_char(&full, '/');
	buf_add(&full, name);
	*path = buf_span(&full);
	if (!fits(wanted, name) || is_made(*path, made, n))
		return true;
	return (mask & MOVES) == 0 &&
	       lstat(arena_cstr(watch->arena, *path), &st) == 0;
}

static bool
is_quiet(struct watch *watch, const struct inotify_event *event,
    const struct span *made, size_t n, struct span *which)
{
	struct span name = span_str(event->len > 0 ? event->name : "");

	if ((event->mask & IN_Q_OVERFLOW) != 0)
		return false;
	for (size_t i = 0; i < watch->n; i++) {
		const struct wanted_names *wanted = &watch->list[i];

		if (wanted->number != event->wd)
			continue;
		*which = wanted->dir;
		if ((event->mask & SELF) != 0)
			return false;
		if (event->len > 0 && !wanted->self &&
		    !is_nothing(
			watch, wanted, event->mask, name, made, n, which))
			return false;
	}
	return true;
}

bool
watch_quiet(struct watch *watch, const struct span *made, size_t n,
    struct span *which)
{
	char room[16 * 1024]
	    __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t got;

	/* What could not be watched may have changed. */
	for (size_t i = 0; i < watch->n; i++)
		if (watch->list[i].number < 0) {
			*which = watch->list[i].component;
			return false;
		}
	while ((got = read(watch->fd, room, sizeof(room))) > 0)
		for (const char *at = room; at < room + got;) {
			const struct inotify_event *event =
			    (const void *)at;

			if (!is_quiet(watch, event, made, n, which))
				return false;
			at += sizeof(*event) + event->len;
		}
	return got < 0 && errno == EAGAIN;
}

void
watch_end(struct watch *watch)
{
	if (watch != NULL && watch->fd >= 0)
		(void)close(watch->fd);
	if (watch != NULL)
		watch->fd = -1;
}
