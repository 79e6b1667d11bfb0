#include "path/links.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "os/bytes.h"

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
	char *entries;	   /* buffer for getdents64 */
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

/* Remember DIR/NAME, which may be a link. */
static void
add_found(struct links *links, struct span dir, const char *name)
{
	struct buf full = buf_new(links->arena, dir.n + strlen(name) + 2);

	buf_add(&full, dir);
	buf_char(&full, '/');
	buf_str(&full, name);
	(void)map_at(links->found, buf_span(&full), 1);
}

/*
 * Read the whole directory FD, called DIR.  False: its contents are not known.
 */
static bool
read_entries(struct links *links, int fd, struct span dir)
{
	ssize_t n;

	if (links->entries == NULL)
		links->entries = arena_alloc(links->arena, ROOM);
	while ((n = getdents64(fd, links->entries, ROOM)) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *entry =
			    (const void *)(links->entries + at);

			if (entry->d_type == DT_LNK ||
			    entry->d_type == DT_UNKNOWN)
				add_found(links, dir, entry->d_name);
			at += entry->d_reclen;
		}
	return n == 0;
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
