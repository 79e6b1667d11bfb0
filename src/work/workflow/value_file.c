#include "work/workflow/value_file.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/write_all.h"
#include "store/dir.h"
#include "store/file.h"
#include "store/place.h"
#include "work/key/key.h"

/* Read-only: others may read the same file. */
#define FILE_MODE 0400

/* As long as the names of temporary files, which gc removes. */
static void
short_name(struct span bytes, char name[DIGEST_HEX + 1])
{
	struct digest digest;
	struct key key;

	key_begin(&key, "flow-value", 1);
	key_add(&key, "bytes", bytes);
	digest = key_end(&key);
	digest_hex(&digest, name);
	name[TEMP_DIGITS] = '\0';
}

/* The path of the store, relative to ROOT if it is below it. */
static struct span
store_from(const struct store *store, struct span root)
{
	if (span_starts(store->root, root) && store->root.n > root.n + 1 &&
	    store->root.p[root.n] == '/')
		return span_from(store->root, root.n + 1);
	return store->root;
}

struct span
value_file_name(struct arena *arena, const struct store *store,
    struct span root, struct span bytes)
{
	struct buf name = buf_new(arena, store->root.n + TEMP_DIGITS + 8);
	char digits[DIGEST_HEX + 1];

	short_name(bytes, digits);
	buf_add(&name, store_from(store, root));
	buf_str(&name, "/tmp/");
	buf_str(&name, digits);
	return buf_span(&name);
}

bool
value_file_write(struct store *store, struct span bytes)
{
	int dir = dir_open(store, "tmp", DIR_MAKE);
	char name[DIGEST_HEX + 1];
	bool written;

	if (dir < 0)
		return false;
	short_name(bytes, name);
	written = place_file(store, dir, name, bytes, FILE_MODE);
	arena_close_fd(store->arena, dir);
	return written;
}

static bool
is_same(int fd, const struct stat *st)
{
	struct stat own;

	return fstat(fd, &own) == 0 && own.st_dev == st->st_dev &&
	       own.st_ino == st->st_ino;
}

int
value_file_open(struct store *store, struct span bytes)
{
	char name[TEMP_NAME];
	int written = place_temp(store, name, FILE_MODE), fd;
	struct stat made;

	if (written < 0)
		return -1;
	fd = file_open(store->tmp, name);
	/* What has the name now must be the file that was made. */
	if (fd >= 0 && (fstat(fd, &made) != 0 || !is_same(written, &made))) {
		(void)close(fd);
		fd = -1;
	}
	(void)unlinkat(store->tmp, name, 0);
	if (fd >= 0 && !write_all(written, bytes)) {
		(void)close(fd);
		fd = -1;
	}
	(void)close(written);
	return fd;
}
