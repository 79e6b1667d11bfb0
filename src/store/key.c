#include "store/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slurp.h"
#include "base/write_all.h"
#include "os/random.h"
#include "store/make_dir.h"

#define KEY_NAME "key"
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* False: errno is EPERM if FD is not ours, else why we could not look. */
static bool
is_ours(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	errno = EPERM;
	return st.st_uid == geteuid();
}

/*
 * Read the key from FD if it is a regular file of ours that nobody else can
 * read.  A key that others could read is no longer a secret, and taking the
 * permission away now would not make it one again.
 */
static bool
read_key(int fd, uint8_t key[MAC_KEY])
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	errno = EPERM;
	return st.st_uid == geteuid() && S_ISREG(st.st_mode) &&
	       st.st_size == MAC_KEY && (st.st_mode & 0077) == 0 &&
	       slurp_at(fd, (char *)key, MAC_KEY, 0);
}

static bool
load(int dir, uint8_t key[MAC_KEY])
{
	int fd = openat(dir, KEY_NAME,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool got;
	int error;

	if (fd < 0) {
		errno = errno == ELOOP || errno == ENXIO ? EPERM : errno;
		return false;
	}
	got = read_key(fd, key);
	error = errno;
	(void)close(fd);
	errno = error;
	return got;
}

/* ---- making it ---- */

/*
 * Open the directory PATH and make what is missing of it.  Only below a
 * directory of ours: what root makes in somebody's home would lock that user
 * out.  -1: see errno.
 */
static int
make_directories(char *path)
{
	int fd = open(path, DIR_FLAGS), parent, error;
	char *slash = strrchr(path, '/');

	if (fd >= 0 || errno != ENOENT || slash == NULL || slash == path)
		return fd;
	*slash = '\0';
	parent = make_directories(path);
	*slash = '/';
	if (parent < 0)
		return -1;
	if (is_ours(parent) && make_dir(parent, slash + 1, 0700))
		fd = openat(parent, slash + 1, DIR_FLAGS);
	error = errno;
	(void)close(parent);
	errno = error;
	return fd;
}

/*
 * Write a new key to NAME and sync it: a key that is lost cannot be made
 * again.
 */
static bool
write_key(int dir, const char *name)
{
	char bytes[MAC_KEY];
	bool written;
	int fd;

	if (!random_fill(bytes, sizeof(bytes)))
		return false;
	fd = openat(dir, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	written = fchmod(fd, 0600) == 0 &&
		  write_all(fd, (struct span){bytes, sizeof(bytes)}) &&
		  fsync(fd) == 0;
	return close(fd) == 0 && written;
}

/* Make a key in DIR.  If several processes do, the first one's key stays. */
static void
make(int dir)
{
	unsigned char random[8];
	char name[32];

	if (!random_fill(random, sizeof(random)))
		return;
	(void)snprintf(name, sizeof(name),
	    "key.%02x%02x%02x%02x%02x%02x%02x%02x", random[0], random[1],
	    random[2], random[3], random[4], random[5], random[6], random[7]);
	if (write_key(dir, name) && linkat(dir, name, dir, KEY_NAME, 0) != 0 &&
	    errno != EEXIST)
		/* No hard links here.  A race is possible then, but rare. */
		(void)renameat(dir, name, dir, KEY_NAME);
	(void)unlinkat(dir, name, 0);
	(void)fsync(dir);
}

int
key_dir(struct arena *arena, struct span dir, enum key_want want)
{
	char *path = arena_cstr(arena, dir);
	int fd, error;

	errno = ENOENT;
	if (dir.n == 0 || dir.p[0] != '/')
		return -1;
	fd = want == KEY_MAKE ? make_directories(path) : open(path, DIR_FLAGS);
	if (fd < 0 || is_ours(fd))
		return fd;
	error = errno;
	(void)close(fd);
	errno = error;
	return -1;
}

bool
key_get(struct arena *arena, struct span dir, enum key_want want,
    uint8_t key[MAC_KEY])
{
	int fd = key_dir(arena, dir, want), error;
	bool got;

	if (fd < 0)
		return false;
	got = load(fd, key);
	/*
	 * A key that cannot be used is not replaced: all stores depend on it.
	 */
	if (!got && want == KEY_MAKE && errno == ENOENT) {
		make(fd);
		got = load(fd, key);
	}
	error = errno;
	(void)close(fd);
	errno = error;
	return got;
}
