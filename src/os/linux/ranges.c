#include "os/ranges.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE = 256, PATH = 64 };

/* Where offsets have 32 bits there are no ranges: no place would fit. */
static struct flock
flock_of(const struct byte_range *range)
{
	return (struct flock){
	    .l_type = range->kind == RANGE_SHARED ? F_RDLCK : F_WRLCK,
	    .l_whence = SEEK_SET,
	    .l_start = (off_t)range->start,
	    .l_len = (off_t)range->length,
	};
}

int
ranges_lock(int fd, const struct byte_range *range, enum range_wait wait)
{
	struct flock lock = flock_of(range);

	if (sizeof(off_t) < sizeof(uint64_t))
		return ENOSYS;
	if (fcntl(fd, wait == RANGE_WAIT ? F_OFD_SETLKW : F_OFD_SETLK, &lock) ==
	    0)
		return 0;
	return errno == EACCES ? EAGAIN : errno;
}

bool
ranges_find(int fd, const struct byte_range *range, struct byte_range *found)
{
	struct flock lock = flock_of(range);

	if (fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
		return false;
	*found = (struct byte_range){
	    .start = (uint64_t)lock.l_start,
	    .length = (uint64_t)lock.l_len,
	    .kind = lock.l_type == F_RDLCK ? RANGE_SHARED : RANGE_EXCLUSIVE,
	};
	return true;
}

void
ranges_unlock(int fd)
{
	struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};

	(void)fcntl(fd, F_OFD_SETLK, &lock);
}

/*
 * LINE is one of /proc/PID/fdinfo/FD.  Is it about a lock on the file INODE
 * that begins at START?
 * "lock:	1: OFDLCK ADVISORY  WRITE -1 08:01:4567 4096 8191".  The device
 * is not compared: some file systems show another one here than to stat.
 */
static bool
is_about(const char *line, ino_t inode, uint64_t start)
{
	const char *at = strstr(line, " OFDLCK ");
	char *end = NULL;

	if (strncmp(line, "lock:", 5) != 0 || at == NULL ||
	    (at = strchr(at, ':')) == NULL ||
	    (at = strchr(at + 1, ':')) == NULL)
		return false;
	return strtoull(at + 1, &end, 10) == inode &&
	       strtoull(end, NULL, 10) == start;
}

/* Does NAME in the directory DIR, about one descriptor, tell of that lock? */
static bool
tells_of(int dir, const char *name, ino_t inode, uint64_t start)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	char line[LINE];
	bool told = false;

	while (file != NULL && !told && fgets(line, sizeof(line), file) != NULL)
		told = is_about(line, inode, start);
	if (file != NULL)
		(void)fclose(file);
	else if (fd >= 0)
		(void)close(fd);
	return told;
}

bool
ranges_has(int fd, long pid, uint64_t start)
{
	const struct dirent *entry;
	char path[PATH];
	bool told = false;
	struct stat st;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%ld/fdinfo", pid);
	dir = fstat(fd, &st) == 0 ? opendir(path) : NULL;
	if (dir == NULL)
		return true;
	while (!told && (entry = readdir(dir)) != NULL)
		told = entry->d_name[0] != '.' &&
		       tells_of(dirfd(dir), entry->d_name, st.st_ino, start);
	(void)closedir(dir);
	return told;
}
