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

bool
random_try(void *to, size_t n)
{
	return random_fill(to, n);
}

bool
random_key(unsigned char key[RANDOM_KEY])
{
	return random_fill(key, RANDOM_KEY);
}
