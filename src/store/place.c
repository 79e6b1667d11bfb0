#include "store/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/write_all.h"
#include "os/random.h"
#include "store/dir.h"

/* A name that nobody can guess. */
static bool
temp_name(char name[TEMP_NAME])
{
	unsigned char random[(TEMP_NAME - 1) / 2];

	if (!random_fill(random, sizeof(random)))
		return false;
	for (size_t i = 0; i < sizeof(random); i++)
		(void)snprintf(name + 2 * i, 3, "%02x", random[i]);
	return true;
}

int
place_temp(struct store *store, char name[TEMP_NAME], mode_t mode)
{
	int fd;

	if (store->tmp < 0)
		store->tmp = dir_open(store, "tmp", DIR_MAKE);
	if (store->tmp < 0 || !temp_name(name))
		return -1;
	fd = openat(store->tmp, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd >= 0 && fchmod(fd, mode) != 0) {
		(void)close(fd);
		(void)unlinkat(store->tmp, name, 0);
		return -1;
	}
	return fd;
}

bool
place_file(struct store *store, int dir, const char *name, struct span bytes,
    mode_t mode)
{
	return place_pieces(store, dir, name, &bytes, 1, mode);
}

bool
place_pieces(struct store *store, int dir, const char *name,
    const struct span *pieces, size_t n, mode_t mode)
{
	char temp[TEMP_NAME];
	int fd = place_temp(store, temp, mode), error;
	bool done = true;

	if (fd < 0)
		return false;
	for (size_t i = 0; i < n && done; i++)
		done = write_all(fd, pieces[i]);
	error = errno;
	if (close(fd) != 0 && done) {
		done = false;
		error = errno;
	}
	if (done && renameat(store->tmp, temp, dir, name) == 0)
		return true;
	if (done)
		error = errno;
	(void)unlinkat(store->tmp, temp, 0);
	errno = error;
	return false;
}

bool
place_once(struct store *store, int dir, const char *name, struct span bytes,
    mode_t mode)
{
	char temp[TEMP_NAME];
	int fd = place_temp(store, temp, mode), error;
	struct stat st;
	bool whole, done;

	if (fd < 0)
		return false;
	whole = write_all(fd, bytes) && fsync(fd) == 0;
	whole = close(fd) == 0 && whole;
	done = whole && linkat(store->tmp, temp, dir, name, 0) == 0;
	error = errno;
	/* No hard links here: the next best way, which leaves a small race. */
	if (whole && !done && error != EEXIST &&
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		done = renameat(store->tmp, temp, dir, name) == 0;
	(void)unlinkat(store->tmp, temp, 0);
	if (done)
		(void)fsync(dir); /* so that the name is not lost either */
	errno = error;
	return done;
}
