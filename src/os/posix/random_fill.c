#include "os/random.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool
random_fill(void *to, size_t n)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	ssize_t got = 1;

	while (fd >= 0 && done < n && (got > 0 || errno == EINTR)) {
		got = read(fd, (char *)to + done, n - done);
		done += got > 0 ? (size_t)got : 0;
		if (got == 0)
			break;
	}
	if (fd >= 0)
		(void)close(fd);
	return done == n;
}
