#include "os/random.h"

#include <sys/random.h>

bool
random_fill(void *to, size_t n)
{
	return getrandom(to, n, 0) == (ssize_t)n;
}
