#include "os/random.h"

#include <sys/random.h>

bool
random_fill(void *to, size_t n)
{
	return getentropy(to, n) == 0;
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
