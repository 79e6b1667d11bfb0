#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slurp.h"
#include "base/write_all.h"
#include "store/dir.h"

#define OBJECT_MODE 0600
#define OBJECT_MAX ((size_t)256 * 1024 * 1024)

enum { OBJECT_NAME = sizeof("sha256-.txt") + DIGEST_HEX, TEMP_NAME = 33 };

static void
object_name(const struct digest *hash, char name[OBJECT_NAME])
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hash, hex);
	(void)snprintf(name, OBJECT_NAME, "sha256-%s.txt", hex);
}

static bool
is_object_name(const char *text)
{
	struct span name = span_str(text);

	return name.n == OBJECT_NAME - 1 &&
	    span_starts(name, SPAN("sha256-")) &&
	    digest_is_hex((struct span){name.p + 7, DIGEST_HEX}, DIGEST_HEX) &&
	    strcmp(name.p + 7 + DIGEST_HEX, ".txt") == 0;
}

struct store
store_at(struct arena *arena, struct span root, struct span cwd)
{
	return (struct store){arena, root, cwd, -1, -1};
}

/* The descriptor of objects/, opened once; -1 if there is none. */
static int
open_objects(struct store *store, enum dir_want want)
{
	if (store->objects < 0)
		store->objects = dir_open(store, "objects", want);
	return store->objects;
}

/*
 * Is the open file FD the object HASH?  SLURP_FAILED says that it could not
 * be read, which is no proof against it.
 */
static enum slurp
load(struct store *store, int fd, const struct digest *hash,
    struct span *bytes)
{
	enum slurp got = slurp(store->arena, fd, OBJECT_MAX, bytes);
	struct digest actual;
	struct stat st;

	if (got != SLURP_OK)
		return got;
	/* Looser than it should be: nobody else may read it from now on. */
	if (fstat(fd, &st) != 0 ||
	    ((st.st_mode & 07777) != OBJECT_MODE &&
		fchmod(fd, OBJECT_MODE) != 0))
		return SLURP_FAILED;
	actual = digest_of(*bytes);
	return digest_eq(&actual, hash) ? SLURP_OK : SLURP_SPECIAL;
}

bool
store_get(struct store *store, const struct digest *hash, struct span *bytes)
{
	int objects = open_objects(store, DIR_USE), fd;
	char name[OBJECT_NAME];
	enum slurp got;

	if (objects < 0)
		return false;
	object_name(hash, name);
	fd = openat(objects, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	arena_own_fd(store->arena, fd);
	got = load(store, fd, hash, bytes);
	arena_close_fd(store->arena, fd);
	if (got != SLURP_OK && got != SLURP_FAILED)
		(void)unlinkat(objects, name, 0); /* T3: not what it says */
	return got == SLURP_OK;
}

/* A name nobody can guess. */
static bool
temp_name(char name[TEMP_NAME])
{
	unsigned char random[(TEMP_NAME - 1) / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return false;
	for (size_t i = 0; i < sizeof(random); i++)
		(void)snprintf(name + 2 * i, 3, "%02x", random[i]);
	return true;
}

/* An object that looks as it should; its content is judged when loaded. */
static bool
looks_stored(int objects, const char *name, size_t size)
{
	struct stat st;

	return fstatat(objects, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    (st.st_mode & 07777) == OBJECT_MODE && (size_t)st.st_size == size;
}

bool
store_put(struct store *store, const struct digest *hash, struct span bytes)
{
	int objects = open_objects(store, DIR_MAKE), fd;
	char name[OBJECT_NAME], temp[TEMP_NAME];
	bool done;

	object_name(hash, name);
	if (objects < 0)
		return false;
	if (looks_stored(objects, name, bytes.n))
		return true;
	if (store->tmp < 0)
		store->tmp = dir_open(store, "tmp", DIR_MAKE);
	if (store->tmp < 0 || !temp_name(temp))
		return false;
	fd = openat(store->tmp, temp,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, OBJECT_MODE);
	if (fd < 0)
		return false;
	done = fchmod(fd, OBJECT_MODE) == 0 && write_all(fd, bytes);
	done = close(fd) == 0 && done;
	done = done && renameat(store->tmp, temp, objects, name) == 0;
	if (!done)
		(void)unlinkat(store->tmp, temp, 0);
	return done;
}

struct store_stats
store_stat(struct store *store)
{
	int objects = open_objects(store, DIR_LOOK);
	struct store_stats stats = {0, 0};
	const struct dirent *entry;
	struct stat st;
	DIR *dir;

	/* Of its own, since going through it moves its offset. */
	if (objects >= 0)
		objects = openat(objects, ".",
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = objects < 0 ? NULL : fdopendir(objects);
	if (dir == NULL) {
		if (objects >= 0)
			(void)close(objects);
		return stats;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (!is_object_name(entry->d_name) ||
		    fstatat(objects, entry->d_name, &st,
			AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		stats.objects++;
		stats.bytes += (uint64_t)st.st_size;
	}
	(void)closedir(dir);
	return stats;
}
