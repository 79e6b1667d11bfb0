#include "work/blob/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/copy.h"
#include "base/write_all.h"
#include "os/sync.h"
#include "store/fan.h"
#include "store/file.h"
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
	return (struct keep){.blobs = blobs, .sync = sync};
}

/* ---- bytes ---- */

static bool
is_kept(struct keep *keep, const struct digest *hash, uint64_t size)
{
	for (const struct keep_item *item = keep->items;
	     item != NULL && keep->n <= MANY; item = item->next)
		if (digest_eq(&item->hash, hash))
			return true;
	return blob_check(keep->blobs, hash, size, BLOB_USE) == BLOB_GOOD;
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

/*
 * Open the file PATH in DIR.  A link is followed only if a blob was brought
 * back by it, and then by the blob's own name.
 */
static int
open_file(const struct keep *keep, int dir, const char *path)
{
	struct span target = {NULL, 0};
	struct blob_place place;
	char text[PATH_MAX];
	struct digest hash;
	ssize_t n;
	int fd = file_open(dir, path);

	if (fd >= 0 || errno != ELOOP)
		return fd;
	n = readlinkat(dir, path, text, sizeof(text));
	if (n > 0)
		target = (struct span){text, (size_t)n};
	if (n <= 0 || !blob_of_target(keep->blobs->store, target, &hash)) {
		errno = ELOOP;
		return -1;
	}
	return blob_find(keep->blobs, &hash, DIR_LOOK, &place)
		   ? file_open(place.dir, place.name)
		   : -1;
}

static bool
keep_file(struct keep *keep, int dir, const char *path,
    const struct digest *hash, uint64_t size)
{
	struct digest actual;
	int from, to;
	bool done;

	if (is_kept(keep, hash, size))
		return true;
	from = open_file(keep, dir, path);
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

	if (is_kept(keep, hash, text.n))
		return true;
	if (new_item(keep, hash, &to) == NULL)
		return false;
	done = write_all(to, text);
	return close(to) == 0 && done;
}

/* Keep the files of MANIFEST, which are in the directory NAME of PARENT. */
static bool
keep_tree(struct keep *keep, int parent, const char *name,
    const struct content *content, const struct manifest *manifest)
{
	struct arena *arena = keep->blobs->store->arena;
	int dir = openat(
	    parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool done = true;

	if (dir < 0)
		return false;
	for (size_t i = 0; i < manifest->n && done; i++) {
		struct span path = manifest->files[i].path;

		if (keep->withholds == NULL ||
		    !keep->withholds(keep->context, path))
			done = keep_file(keep, dir, arena_cstr(arena, path),
			    &manifest->files[i].hash, manifest->files[i].size);
	}
	(void)close(dir);
	return done &&
	       keep_text(keep, manifest_write(arena, manifest), &content->hash);
}

bool
keep_content(struct keep *keep, int root, struct span path,
    const struct content *content, const struct manifest *manifest)
{
	struct beneath place;
	int error;
	bool done;

	if (content->kind == CONTENT_ABSENT) {
		errno = ENOENT;
		return false;
	}
	if (!beneath_go(
		keep->blobs->store->arena, root, path, BENEATH_FIND, &place))
		return false;
	done = content->kind == CONTENT_TREE
		   ? keep_tree(keep, place.dir, place.name, content, manifest)
		   : keep_file(keep, place.dir, place.name, &content->hash,
			 BLOB_ANY_SIZE);
	error = errno;
	beneath_close(&place);
	errno = error;
	return done;
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
		int fd = file_open(tmp, item->temp);

		done = fd >= 0 && sync_file(fd);
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
	struct blob_place place;

	for (int tries = 0; tries < 2; tries++) {
		if (!blob_find(blobs, &item->hash, DIR_MAKE, &place))
			return false;
		if (renameat(blobs->store->tmp, item->temp, place.dir,
			place.name) == 0)
			return true;
		if (errno != ENOENT)
			return false;
		/* The directory was removed since it was opened. */
		fan_forget(blobs->store, &item->hash);
	}
	return false;
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
