#include "os/random.h"

#include <sys/random.h>

bool
random_fill(void *to, size_t n)
{
	return getentropy(to, n) == 0;
}
