#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slurp.h"
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

bool
store_get(struct arena *arena, const struct store *store,
    const struct digest *hash, struct span *bytes)
{
	int objects = dir_open(arena, store, "objects", DIR_IF_THERE), fd;
	struct digest actual;
	char name[OBJECT_NAME];

	if (objects < 0)
		return false;
	object_name(hash, name);
	fd = openat(objects, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	arena_own_fd(arena, fd);
	if (slurp(arena, fd, OBJECT_MAX, bytes) == SLURP_OK) {
		actual = digest_of(*bytes);
		if (digest_eq(&actual, hash))
			return true;
	}
	(void)unlinkat(objects, name, 0); /* T3: it is not what it says */
	return false;
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
store_put(struct arena *arena, const struct store *store,
    const struct digest *hash, struct span bytes)
{
	int objects = dir_open(arena, store, "objects", DIR_MAKE), tmp, fd;
	char name[OBJECT_NAME], temp[TEMP_NAME];
	bool done;

	object_name(hash, name);
	if (objects < 0)
		return false;
	if (looks_stored(objects, name, bytes.n))
		return true;
	tmp = dir_open(arena, store, "tmp", DIR_MAKE);
	if (tmp < 0 || !temp_name(temp))
		return false;
	fd = openat(tmp, temp,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, OBJECT_MODE);
	if (fd < 0)
		return false;
	done = fchmod(fd, OBJECT_MODE) == 0 && dir_write_all(fd, bytes);
	done = close(fd) == 0 && done;
	done = done && renameat(tmp, temp, objects, name) == 0;
	if (!done)
		(void)unlinkat(tmp, temp, 0);
	return done;
}

struct store_stats
store_stat(struct arena *arena, const struct store *store)
{
	int objects = dir_open(arena, store, "objects", DIR_IF_THERE);
	struct store_stats stats = {0, 0};
	const struct dirent *entry;
	struct stat st;
	DIR *dir;

	objects = objects < 0 ? -1 : dup(objects);
	dir = objects < 0 ? NULL : fdopendir(objects);
	if (dir == NULL) {
		if (objects >= 0)
			(void)close(objects);
		return stats;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (fstatat(objects, entry->d_name, &st,
			AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		stats.objects++;
		stats.bytes += (uint64_t)st.st_size;
	}
	(void)closedir(dir);
	return stats;
}
