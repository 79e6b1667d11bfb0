#include "os/random.h"

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
