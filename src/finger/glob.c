#include "finger/glob.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "finger/pattern.h"

struct walk {
	struct arena *arena;
	int cwd; /* relative paths are below it */
	struct span cwd_name;
	struct still *still;
	struct glob_list *list;
	const char *fault;
};

static void descend(struct walk *walk, struct span path, struct span rest);

/* PATH and NAME, with a slash between them where one is needed. */
static struct span
join(struct arena *arena, struct span path, struct span name)
{
	struct buf buf = buf_new(arena, path.n + name.n + 1);

	buf_add(&buf, path);
	if (path.n > 0 && path.p[path.n - 1] != '/')
		buf_char(&buf, '/');
	buf_add(&buf, name);
	return buf_span(&buf);
}

static void
add_match(struct walk *walk, struct span path, const struct stat *st)
{
	struct glob_list *list = walk->list;

	if (list->n == list->room) {
		size_t room = list->room > 0 ? list->room * 2 : 64;
		struct glob_match *items =
		    arena_array(walk->arena, room, sizeof(*items));

		if (list->n > 0)
			memcpy(items, list->items, list->n * sizeof(*items));
		list->items = items;
		list->room = room;
	}
	list->items[list->n++] = (struct glob_match){path, *st};
}

/*
 * PATH fits: add it with what it leads to, or with the link itself if that is
 * nothing.
 */
static void
add_if_there(struct walk *walk, struct span path)
{
	const char *name = arena_cstr(walk->arena, path);
	struct stat st;

	still_path(walk->still, walk->cwd_name, path);
	if (fstatat(walk->cwd, name, &st, 0) == 0 ||
	    fstatat(walk->cwd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		add_match(walk, path, &st);
	else if (errno != ENOENT && errno != ENOTDIR)
		walk->fault = "something it names cannot be looked at.";
}

static int
by_bytes(const void *a, const void *b)
{
	return span_compare(*(const struct span *)a, *(const struct span *)b);
}

/*
 * The names in PATH, sorted, to be compared with COMPONENT.  Read to the end
 * before anything is done with them: so only one directory is open at a time,
 * however deep it goes.
 */
static struct span *
list_names(
    struct walk *walk, struct span path, struct span component, size_t *n)
{
	const char *name = path.n > 0 ? arena_cstr(walk->arena, path) : ".";
	int fd = openat(walk->cwd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct span *names = NULL;
	const struct dirent *entry;
	size_t room = 0;

	*n = 0;
	if (dir == NULL) {
		int error = errno;

		still_path(walk->still, walk->cwd_name, path);
		errno = error;
		/* No directory has no names; any other reason is a fault. */
		if (fd >= 0 || (errno != ENOTDIR && errno != ENOENT))
			walk->fault = "a directory in it cannot be read.";
		if (fd >= 0)
			(void)close(fd);
		return NULL;
	}
	still_names(walk->still, fd, component);
	while (errno = 0, (entry = readdir(dir)) != NULL) {
		struct span found = span_str(entry->d_name);

		if (span_eq(found, SPAN(".")) || span_eq(found, SPAN("..")))
			continue;
		if (*n == room) {
			struct span *more;

			room = room > 0 ? room * 2 : 64;
			more = arena_array(walk->arena, room, sizeof(*more));
			if (*n > 0)
				memcpy(more, names, *n * sizeof(*more));
			names = more;
		}
		names[(*n)++] =
		    (struct span){arena_cstr(walk->arena, found), found.n};
	}
	if (errno != 0)
		walk->fault = "a directory in it cannot be read.";
	(void)closedir(dir);
	if (*n > 0)
		qsort(names, *n, sizeof(*names), by_bytes);
	return names;
}

/* Is PATH a directory itself, not a link to one? */
static bool
is_real_directory(const struct walk *walk, struct span path)
{
	struct stat st;

	return fstatat(walk->cwd, arena_cstr(walk->arena, path), &st,
		   AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

/* "**" and REST behind it: REST here, and in every directory below. */
static void
descend_any(struct walk *walk, struct span path, struct span rest)
{
	struct span *names;
	size_t n;

	if (rest.n > 0)
		descend(walk, path, rest);
	names = list_names(walk, path, SPAN("**"), &n);
	for (size_t i = 0; i < n && walk->fault == NULL; i++) {
		struct span below = join(walk->arena, path, names[i]);

		if (names[i].p[0] == '.')
			continue;
		if (rest.n == 0)
			add_if_there(walk, below);
		if (is_real_directory(walk, below))
			descend_any(walk, below, rest);
	}
}

static void
descend_magic(struct walk *walk, struct span path, struct span component,
    struct span rest)
{
	size_t n;
	struct span *names = list_names(walk, path, component, &n);

	for (size_t i = 0; i < n && walk->fault == NULL; i++)
		if (pattern_match_name(component, names[i]))
			descend(walk, join(walk->arena, path, names[i]), rest);
}

/* Match REST, which may begin with slashes, below PATH. */
static void
descend(struct walk *walk, struct span path, struct span rest)
{
	struct span component;
	const char *slash;

	if (walk->fault != NULL)
		return;
	while (rest.n > 0 && rest.p[0] == '/')
		rest = span_from(rest, 1);
	if (rest.n == 0) {
		add_if_there(walk, path);
		return;
	}
	slash = memchr(rest.p, '/', rest.n);
	component = (struct span){
	    rest.p, slash != NULL ? (size_t)(slash - rest.p) : rest.n};
	rest = span_from(rest, component.n);
	while (rest.n > 0 && rest.p[0] == '/')
		rest = span_from(rest, 1);
	if (span_eq(component, SPAN("**")))
		descend_any(walk, path, rest);
	else if (pattern_is_magic(component))
		descend_magic(walk, path, component, rest);
	else
		descend(walk,
		    join(walk->arena, path,
			pattern_literal(walk->arena, component)),
		    rest);
}

static int
by_path(const void *a, const void *b)
{
	return span_compare(((const struct glob_match *)a)->path,
	    ((const struct glob_match *)b)->path);
}

/* Sorted, and what several alternatives found only once. */
static void
settle(struct glob_list *list)
{
	size_t n = 0;

	if (list->n == 0)
		return;
	qsort(list->items, list->n, sizeof(*list->items), by_path);
	for (size_t i = 0; i < list->n; i++)
		if (n == 0 ||
		    !span_eq(list->items[i].path, list->items[n - 1].path))
			list->items[n++] = list->items[i];
	list->n = n;
}

const char *
glob_find(struct arena *arena, struct span cwd, struct span pattern,
    struct still *still, struct glob_list *list)
{
	struct walk walk = {.arena = arena,
	    .cwd_name = cwd,
	    .still = still,
	    .list = list};
	struct span *alternatives;
	size_t n;

	*list = (struct glob_list){NULL, 0, 0};
	alternatives = pattern_braces(arena, pattern, &n);
	if (alternatives == NULL)
		return "its braces stand for more than 4096 patterns.";
	walk.cwd =
	    open(arena_cstr(arena, cwd), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (walk.cwd < 0)
		return "the directory it is below cannot be opened.";
	arena_own_fd(arena, walk.cwd);
	for (size_t i = 0; i < n && walk.fault == NULL; i++) {
		struct span text = alternatives[i];

		while (span_starts(text, SPAN("./")))
			text = span_from(text, 2);
		if (text.n > 0)
			descend(&walk, text.p[0] == '/' ? SPAN("/") : SPAN(""),
			    text);
	}
	arena_close_fd(arena, walk.cwd);
	settle(list);
	return walk.fault;
}

bool
glob_is_pattern(struct span text)
{
	return pattern_is_magic(text) || span_has(text, '{');
}
