#include "path/project.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/folder.h"
#include "os/bytes.h"
#include "path/where.h"

/* DIR without its last component; "/" stays. */
static struct span
above(struct span dir)
{
	const char *slash = bytes_last(dir.p, '/', dir.n);
	size_t n = slash != NULL ? (size_t)(slash - dir.p) : 0;

	return (struct span){dir.p, n > 0 ? n : 1};
}

static bool
has_repository(struct arena *arena, struct span dir)
{
	struct buf path = buf_new(arena, dir.n + 8);
	struct stat st;

	buf_add(&path, dir);
	buf_str(&path, "/.git");
	return stat(arena_cstr(arena, buf_span(&path)), &st) == 0;
}

/* The directory whose .pi/readcache STORE is; "" if there is none. */
static struct span
home_of(struct span store)
{
	struct span tail = SPAN(FOLDER_STORE);

	if (store.n <= tail.n ||
	    !span_eq(span_from(store, store.n - tail.n), tail))
		return SPAN("");
	return (struct span){store.p, store.n - tail.n};
}

bool
project_has_store(struct span project, struct span store)
{
	return project.n > 0 && span_eq(home_of(store), project);
}

struct span
project_around(struct arena *arena, struct span store, struct span dir)
{
	struct span home = home_of(store);

	if (home.n > 0 && where_within(dir, home))
		return home;
	for (; dir.n > 1; dir = above(dir))
		if (has_repository(arena, dir))
			return dir;
	return SPAN("");
}

struct span
project_way(struct arena *arena, struct span project, struct span dir,
    struct span path)
{
	struct buf way = buf_new(arena, path.n + 16);

	if (project.n == 0 || !where_within(path, project) ||
	    !where_within(dir, project) || where_within(path, dir))
		return path;
	while (!where_within(path, dir)) {
		buf_str(&way, way.n > 0 ? "/.." : "..");
		dir = above(dir);
	}
	if (path.n > dir.n && dir.n > 1)
		buf_add(&way, span_from(path, dir.n));
	else if (path.n > dir.n) {
		buf_char(&way, '/');
		buf_add(&way, span_from(path, 1));
	}
	return buf_span(&way);
}

struct span
project_place(struct span project, struct span dir)
{
	if (project.n == 0 || !where_within(dir, project))
		return dir;
	return dir.n == project.n ? SPAN(".")
				  : span_from(dir, project.n + 1);
}
