#include "work/fingerprint/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "os/descriptor.h"
#include "os/notice.h"
#include "path/where.h"
#include "work/fingerprint/pattern.h"
#include "work/fingerprint/watch_times.h"

/* What is watched in one directory. */
struct wanted_names {
	int number; /* of its notices; -1: there are none */
	struct span dir;
	struct span component;
	bool literal;
	bool self;		  /* only the directory, no names in it */
	struct watch_times times; /* if there are no notices */
};

struct watch {
	struct arena *arena;
	int fd;	       /* of notices; -1: there are none */
	bool by_times; /* this system never has notices */
	struct wanted_names *list;
	size_t n, room;
	struct map *selves; /* the directories of watch_self */
};

struct watch *
watch_new(struct arena *arena)
{
	struct watch *watch = arena_array(arena, 1, sizeof(*watch));

	watch->arena = arena;
	watch->fd = notice_open();
	watch->by_times = watch->fd < 0 && errno == ENOSYS;
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
	char room[PATH_MAX];
	struct wanted_names *wanted = more(watch);
	size_t n = descriptor_where(fd, room, sizeof(room));

	*wanted = (struct wanted_names){
	    .number = -1, .component = component, .literal = literal};
	if (n == 0)
		return;
	if (watch->fd >= 0)
		wanted->number = notice_names(watch->fd, fd);
	else if (watch->by_times)
		wanted->times =
		    watch_times_note(watch->arena, fd, component, literal);
	wanted->dir =
	    (struct span){arena_cstr(watch->arena, (struct span){room, n}), n};
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

/* As watch_self: by its own time, or by that of the directory it is in. */
static void
self_by_times(struct watch *watch, struct span path)
{
	size_t n = path.n;
	int fd;

	while (n > 0 && path.p[n - 1] != '/')
		n--;
	fd = open(arena_cstr(watch->arena, (struct span){path.p, n}),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	add(watch, fd, span_from(path, n), true); /* -1: never quiet */
	if (fd >= 0)
		(void)close(fd);
}

void
watch_self(struct watch *watch, struct span path)
{
	struct wanted_names *wanted;
	struct span name;
	int number;

	if (watch->selves == NULL)
		watch->selves = map_new(watch->arena, 8);
	if (map_find(watch->selves, path) != NULL)
		return;
	name = (struct span){arena_cstr(watch->arena, path), path.n};
	(void)map_at(watch->selves, name, 1);
	if (watch->by_times)
		self_by_times(watch, name);
	if (watch->fd < 0)
		return;
	number = notice_self(watch->fd, name.p);
	if (number < 0)
		return;
	wanted = more(watch);
	*wanted =
	    (struct wanted_names){.number = number, .dir = name, .self = true};
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
 * Is what happened to NAME of no interest to WANTED?  MOVED: it went, or came
 * by a move.  *PATH is its path.
 */
static bool
is_nothing(struct watch *watch, const struct wanted_names *wanted, bool moved,
    struct span name, const struct span *made, size_t n, struct span *path)
{
	struct buf full = buf_new(watch->arena, wanted->dir.n + name.n + 2);
	struct stat st;

	buf_add(&full, wanted->dir);
	if (wanted->dir.n > 1)
		buf_char(&full, '/');
	buf_add(&full, name);
	*path = buf_span(&full);
	if (!fits(wanted, name) || is_made(*path, made, n))
		return true;
	return !moved && lstat(arena_cstr(watch->arena, *path), &st) == 0;
}

static bool
is_quiet(struct watch *watch, const struct notice *notice,
    const struct span *made, size_t n, struct span *which)
{
	struct span name = span_str(notice->name);

	if (notice->number < 0)
		return false;
	for (size_t i = 0; i < watch->n; i++) {
		const struct wanted_names *wanted = &watch->list[i];

		if (wanted->number != notice->number)
			continue;
		*which = wanted->dir;
		if (notice->self)
			return false;
		if (name.n > 0 && !wanted->self &&
		    !is_nothing(
			watch, wanted, notice->moved, name, made, n, which))
			return false;
	}
	return true;
}

/* As watch_quiet: what the work itself makes counts, too. */
static bool
quiet_by_times(struct watch *watch, struct span *which)
{
	for (size_t i = 0; i < watch->n; i++) {
		const struct wanted_names *wanted = &watch->list[i];

		if (!watch_times_same(watch->arena, &wanted->times, wanted->dir,
			wanted->component)) {
			*which = wanted->component.n > 0 ? wanted->component
							 : wanted->dir;
			return false;
		}
	}
	return true;
}

bool
watch_quiet(
    struct watch *watch, const struct span *made, size_t n, struct span *which)
{
	struct notices notices;
	struct notice notice;
	int got;

	if (watch->by_times)
		return quiet_by_times(watch, which);
	notices_begin(&notices, watch->fd);
	/* What could not be watched may have changed. */
	for (size_t i = 0; i < watch->n; i++)
		if (watch->list[i].number < 0) {
			*which = watch->list[i].component;
			return false;
		}
	while ((got = notice_next(&notices, &notice)) > 0)
		if (!is_quiet(watch, &notice, made, n, which))
			return false;
	return got == 0;
}

void
watch_end(struct watch *watch)
{
	if (watch != NULL && watch->fd >= 0)
		(void)close(watch->fd);
	if (watch != NULL)
		watch->fd = -1;
}
