#include "base/write_all.h"

#include <errno.h>
#include <unistd.h>

bool
write_all(int fd, struct span bytes)
{
	while (bytes.n > 0) {
		ssize_t n = write(fd, bytes.p, bytes.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes = span_from(bytes, (size_t)n);
	}
	return true;
}
