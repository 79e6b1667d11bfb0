#include "path/where.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/buf.h"
#include "path/name.h"

/* After this many links, stop following them, as the kernel does. */
enum { LINKS_MAX = 40 };

struct where_walk {
	struct arena *arena;
	struct where *where;
	struct buf name; /* so far; "" is the root directory */
	enum where_last last;
	struct links *links; /* which names are links; may be NULL */
	size_t followed;
};

static void go(struct where_walk *walk, struct span path, bool at_end);

static void
go_up(struct where_walk *walk)
{
	while (walk->name.n > 0 && walk->name.p[--walk->name.n] != '/')
		;
}

static struct span
copy(struct arena *arena, struct span s)
{
	return (struct span){arena_cstr(arena, s), s.n};
}

/* The text of the link at the walk's current name; false if it is not one. */
static bool
is_link(struct where_walk *walk, char room[PATH_MAX], struct span *text)
{
	ssize_t n;

	if (!links_may_be(walk->links, buf_span(&walk->name)))
		return false;
	buf_char(&walk->name, '\0');
	walk->name.n--;
	n = readlink(walk->name.p, room, PATH_MAX);
	*text = (struct span){room, n > 0 ? (size_t)n : 0};
	return n > 0 && n < PATH_MAX;
}

static void
note_link(struct where_walk *walk)
{
	struct where *where = walk->where;

	where->links = arena_more(walk->arena, where->links, where->nlinks,
	    &where->room, sizeof(*where->links));
	where->links[where->nlinks++] =
	    copy(walk->arena, buf_span(&walk->name));
}

/* Walk one component.  AT_END: it is the last one of the path. */
static void
step(struct where_walk *walk, struct span part, bool at_end)
{
	char room[PATH_MAX];
	struct span text;

	if (part.n == 0 || span_eq(part, SPAN(".")))
		return;
	if (span_eq(part, SPAN(".."))) {
		go_up(walk);
		return;
	}
	buf_char(&walk->name, '/');
	buf_add(&walk->name, part);
	if ((at_end && walk->last == WHERE_ITSELF) ||
	    walk->followed == LINKS_MAX || !is_link(walk, room, &text))
		return;
	walk->followed++;
	note_link(walk);
	if (text.p[0] == '/')
		walk->name.n = 0;
	else
		go_up(walk);
	go(walk, copy(walk->arena, text), at_end);
}

/* PATH without slashes at its end. */
static struct span
without_slashes(struct span path)
{
	while (path.n > 0 && path.p[path.n - 1] == '/')
		path.n--;
	return path;
}

static void
go(struct where_walk *walk, struct span path, bool at_end)
{
	path = without_slashes(path);
	while (path.n > 0) {
		const char *slash = memchr(path.p, '/', path.n);
		size_t n = slash != NULL ? (size_t)(slash - path.p) : path.n;
		struct span part = {path.p, n};

		path = span_from(path, slash != NULL ? n + 1 : n);
		step(walk, part, at_end && path.n == 0);
	}
}

/*
 * The last root that had no link in it.  A process works in one root and asks
 * for thousands of paths in it, so the root's own components are looked at only
 * once.
 */
static char plain_root[PATH_MAX];
static size_t plain_root_n;

static bool
is_plain_root(struct arena *arena, struct span root)
{
	struct where where = {0};
	struct where_walk walk = {
	    .arena = arena, .where = &where, .last = WHERE_LEADS};

	if (root.n <= 1 || root.n > sizeof(plain_root))
		return false;
	if (root.n == plain_root_n &&
	    memcmp(root.p, plain_root, root.n) == 0)
		return true;
	walk.name = buf_new(arena, root.n + 2);
	go(&walk, root, true);
	if (where.nlinks > 0 || !span_eq(buf_span(&walk.name), root))
		return false;
	memcpy(plain_root, root.p, root.n);
	plain_root_n = root.n;
	return true;
}

struct where
where_of(struct arena *arena, struct span root, struct span path,
    enum where_last last)
{
	return where_among(arena, root, path, last, NULL);
}

struct where
where_among(struct arena *arena, struct span root, struct span path,
    enum where_last last, struct links *links)
{
	bool relative = path.n == 0 || path.p[0] != '/';
	struct where where = {0};
	struct where_walk walk = {.arena = arena,
	    .where = &where,
	    .name = buf_new(arena, root.n + path.n + 2),
	    .last = last,
	    .links = links};

	if ((relative || (path.n > root.n && span_starts(path, root) &&
			     path.p[root.n] == '/')) &&
	    is_plain_root(arena, root)) {
		buf_add(&walk.name, root);
		path = relative ? path : span_from(path, root.n + 1);
	} else if (relative) {
		go(&walk, root, false);
	}
	go(&walk, path, true);
	where.name = walk.name.n > 0 ? buf_span(&walk.name) : SPAN("/");
	return where;
}

/* Is NAME absolute, and without ".", ".." and empty parts? */
static bool
is_plain(struct span name)
{
	size_t begin = 1;

	if (name.n < 2 || name.p[0] != '/')
		return false;
	for (size_t n = 1; n <= name.n; n++) {
		struct span part = {name.p + begin, n - begin};

		if (n < name.n && name.p[n] != '/')
			continue;
		if (part.n == 0 || span_eq(part, SPAN(".")) ||
		    span_eq(part, SPAN("..")))
			return false;
		begin = n + 1;
	}
	return true;
}

/* How much of DIR is REAL, or a directory above REAL. */
static size_t
common(struct span dir, struct span real)
{
	size_t n = 0, whole = 0;

	while (n < dir.n && n < real.n && dir.p[n] == real.p[n]) {
		if (dir.p[n] == '/')
			whole = n;
		n++;
	}
	if ((n == dir.n || dir.p[n] == '/') &&
	    (n == real.n || real.p[n] == '/'))
		whole = n;
	return whole;
}

/* Is it certain that no part of DIR, a plain name, is a link? */
static bool
is_real(struct arena *arena, struct span dir, struct span *real)
{
	char room[1];

	for (size_t n = common(dir, *real) + 1; n <= dir.n; n++) {
		if (n < dir.n && dir.p[n] != '/')
			continue;
		if (readlink(arena_cstr(arena, (struct span){dir.p, n}), room,
			sizeof(room)) >= 0 ||
		    errno != EINVAL)
			return false;
	}
	*real = dir;
	return true;
}

struct where
where_along(struct arena *arena, struct span root, struct span path,
    enum where_last last, struct span *real)
{
	struct where where = {0};
	struct where_walk walk = {
	    .arena = arena, .where = &where, .last = last};
	struct span name = name_from(arena, root, path), dir = name;

	if (!is_plain(name))
		return where_of(arena, root, path, last);
	while (dir.p[--dir.n] != '/')
		;
	if (!is_real(arena, dir, real))
		return where_of(arena, root, path, last);
	walk.name = buf_new(arena, name.n + 1);
	buf_add(&walk.name, dir);
	go(&walk, span_from(name, dir.n + 1), true);
	where.name = walk.name.n > 0 ? buf_span(&walk.name) : SPAN("/");
	return where;
}

bool
where_within(struct span name, struct span dir)
{
	if (dir.n == 1)
		return true; /* "/" */
	return span_starts(name, dir) &&
	       (name.n == dir.n || name.p[dir.n] == '/');
}

bool
where_meets(const struct where *made, const struct where *used)
{
	if (where_within(made->name, used->name) ||
	    where_within(used->name, made->name))
		return true;
	for (size_t i = 0; i < used->nlinks; i++)
		if (where_within(used->links[i], made->name))
			return true;
	return false;
}
