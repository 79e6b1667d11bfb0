#include "work/blob/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/copy.h"
#include "base/write_all.h"
#include "os/sync.h"
#include "store/place.h"

/* For more files than this, one sync of the file system is cheaper. */
enum { MANY = 16 };

struct keep_item {
	struct keep_item *next;
	struct digest hash;
	char temp[TEMP_NAME];
};

struct keep
keep_begin(struct blobs *blobs, enum keep_sync sync)
{
	return (struct keep){blobs, sync, NULL, 0};
}

/* ---- bytes ---- */

static bool
is_kept(struct keep *keep, const struct digest *hash)
{
	for (const struct keep_item *item = keep->items;
	     item != NULL && keep->n <= MANY; item = item->next)
		if (digest_eq(&item->hash, hash))
			return true;
	return blob_check(keep->blobs, hash, BLOB_USE) == BLOB_GOOD;
}

static struct keep_item *
new_item(struct keep *keep, const struct digest *hash, int *fd)
{
	struct keep_item *item =
	    arena_array(keep->blobs->store->arena, 1, sizeof(*item));

	*fd = place_temp(keep->blobs->store, item->temp, BLOB_MODE);
	if (*fd < 0)
		return NULL;
	item->hash = *hash;
	item->next = keep->items;
	keep->items = item;
	keep->n++;
	return item;
}

static bool
keep_file(
    struct keep *keep, int dir, const char *path, const struct digest *hash)
{
	struct digest actual;
	int from, to;
	bool done;

	if (is_kept(keep, hash))
		return true;
	from = openat(dir, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (from < 0)
		return false;
	done = new_item(keep, hash, &to) != NULL;
	if (done) {
		done = copy_and_hash(from, to, &actual);
		done = close(to) == 0 && done;
	}
	(void)close(from);
	if (done && !digest_eq(&actual, hash)) {
		errno = EBUSY;
		return false;
	}
	return done;
}

static bool
keep_text(struct keep *keep, struct span text, const struct digest *hash)
{
	bool done;
	int to;

	if (is_kept(keep, hash))
		return true;
	if (new_item(keep, hash, &to) == NULL)
		return false;
	done = write_all(to, text);
	return close(to) == 0 && done;
}

bool
keep_content(struct keep *keep, int root, const char *path,
    const struct content *content, const struct manifest *manifest)
{
	struct arena *arena = keep->blobs->store->arena;
	bool done = true;
	int dir;

	if (content->kind == CONTENT_ABSENT) {
		errno = ENOENT;
		return false;
	}
	if (content->kind != CONTENT_TREE)
		return keep_file(keep, root, path, &content->hash);
	dir = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return false;
	for (size_t i = 0; i < manifest->n && done; i++)
		done = keep_file(keep, dir,
		    arena_cstr(arena, manifest->files[i].path),
		    &manifest->files[i].hash);
	(void)close(dir);
	return done &&
	       keep_text(keep, manifest_write(arena, manifest), &content->hash);
}

/* ---- names ---- */

static bool
sync_bytes(const struct keep *keep)
{
	int tmp = keep->blobs->store->tmp;
	bool done = true;

	if (keep->sync == KEEP_LATER) {
		keep->blobs->store->unsynced = true;
		return true;
	}
	if (keep->n > MANY)
		return sync_all(tmp);
	for (const struct keep_item *item = keep->items; item != NULL && done;
	     item = item->next) {
		int fd =
		    openat(tmp, item->temp, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

		done = fd >= 0 && fdatasync(fd) == 0;
		if (fd >= 0)
			(void)close(fd);
	}
	return done;
}

/*
 * A loss of power may take the name away.  The blob is then missing, which
 * does no harm.
 */
static bool
name_item(const struct keep *keep, const struct keep_item *item)
{
	struct blobs *blobs = keep->blobs;
	char name[BLOB_NAME];
	bool done;
	int dir;

	blob_name(&item->hash, name);
	name[2] = '\0';
	dir = dir_below(blobs->store, blobs->objects, name, DIR_MAKE);
	if (dir < 0)
		return false;
	done = renameat(blobs->store->tmp, item->temp, dir, name + 3) == 0;
	arena_close_fd(blobs->store->arena, dir);
	return done;
}

bool
keep_end(struct keep *keep)
{
	struct blobs *blobs = keep->blobs;
	bool done = keep->n == 0 || (blobs->objects >= 0 && sync_bytes(keep));

	while (done && keep->items != NULL) {
		done = name_item(keep, keep->items);
		if (done)
			keep->items = keep->items->next;
	}
	keep_drop(keep);
	return done;
}

void
keep_drop(struct keep *keep)
{
	int error = errno;

	for (; keep->items != NULL; keep->items = keep->items->next)
		(void)unlinkat(keep->blobs->store->tmp, keep->items->temp, 0);
	keep->n = 0;
	errno = error;
}
