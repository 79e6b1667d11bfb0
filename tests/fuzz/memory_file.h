/*
 * memory_file.h -- a file that is in memory only, with a name to open it by.
 */
#ifndef READCACHE_TESTS_MEMORY_FILE_H
#define READCACHE_TESTS_MEMORY_FILE_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

/* The name of the file, which holds BYTES from now on. */
static inline struct span
memory_file(struct span bytes)
{
	static char name[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("session", MFD_CLOEXEC);
		EXPECT(fd >= 0);
		(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	}
	EXPECT(ftruncate(fd, (off_t)bytes.n) == 0);
	EXPECT(pwrite(fd, bytes.p, bytes.n, 0) == (ssize_t)bytes.n);
	return span_str(name);
}

#endif
