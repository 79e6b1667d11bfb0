#include "path/links.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "os/bytes.h"
#include "os/entries.h"
#include "path/name.h"

/*
 * Reading a directory pays off if its size is at most this much for each name
 * asked for: one question costs as much as about thirty entries.
 */
#define SIZE_EACH 1024
/* The first names in a directory are always asked for one by one. */
#define FEW 16
#define ROOM ((size_t)64 * 1024)

struct directory {
	struct span name;
	uint64_t asked; /* names in it */
	bool is_read;
};

struct links {
	struct arena *arena;
	struct map *names; /* of directories, to their index */
	struct directory *list;
	size_t n, room;
	size_t last;	   /* asked for last, and mostly next, too */
	struct map *found; /* names that are links or may be */
	char *entries;	   /* room to read them */
};

struct links *
links_new(struct arena *arena)
{
	struct links *links = arena_array(arena, 1, sizeof(*links));

	*links = (struct links){.arena = arena,
	    .names = map_new(arena, 16),
	    .found = map_new(arena, 16)};
	return links;
}

/* ---- reading ---- */

/* The directory that is read. */
struct links_reading {
	struct links *links;
	struct span dir;
};

/* Remember NAME in the directory that is read: it may be a link. */
static void
add_found(void *context, const char *name)
{
	const struct links_reading *reading = context;
	struct span full =
	    name_in(reading->links->arena, reading->dir, span_str(name));

	(void)map_at(reading->links->found, full, 1);
}

/*
 * Read the whole directory FD, called DIR.  False: its contents are not known.
 */
static bool
read_entries(struct links *links, int fd, struct span dir)
{
	struct links_reading reading = {links, dir};

	if (links->entries == NULL)
		links->entries = arena_alloc(links->arena, ROOM);
	return entries_links(fd, links->entries, ROOM, add_found, &reading);
}

/* Read DIR if that pays off by now. */
static void
read_if_it_pays(struct links *links, struct directory *dir)
{
	struct stat st;
	int fd;

	if (dir->asked < FEW || (dir->asked & (dir->asked - 1)) != 0)
		return;
	fd = open(arena_cstr(links->arena, dir->name),
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	arena_own_fd(links->arena, fd);
	dir->is_read = fstat(fd, &st) == 0 &&
		       (uint64_t)st.st_size <= SIZE_EACH * dir->asked &&
		       read_entries(links, fd, dir->name);
	arena_close_fd(links->arena, fd);
}

/* ---- asking ---- */

static struct directory *
directory(struct links *links, struct span name)
{
	const uint64_t *at;

	if (links->last < links->n &&
	    span_eq(links->list[links->last].name, name))
		return &links->list[links->last];
	at = map_find(links->names, name);
	if (at != NULL) {
		links->last = (size_t)*at;
		return &links->list[links->last];
	}
	links->list = arena_more(links->arena, links->list, links->n,
	    &links->room, sizeof(*links->list));
	links->last = links->n++;
	links->list[links->last] = (struct directory){
	    .name = {arena_cstr(links->arena, name), name.n}};
	(void)map_at(
	    links->names, links->list[links->last].name, links->last);
	return &links->list[links->last];
}

bool
links_may_be(struct links *links, struct span name)
{
	const char *slash;
	struct directory *dir;

	if (links == NULL)
		return true;
	slash = bytes_last(name.p, '/', name.n);
	if (slash == NULL || slash == name.p)
		return true;
	dir = directory(
	    links, (struct span){name.p, (size_t)(slash - name.p)});
	dir->asked++;
	if (!dir->is_read)
		read_if_it_pays(links, dir);
	return !dir->is_read || map_find(links->found, name) != NULL;
}
