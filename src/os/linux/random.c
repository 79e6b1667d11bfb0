#include "os/random.h"

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

bool
random_try(void *to, size_t n)
{
	return getrandom(to, n, GRND_NONBLOCK) == (ssize_t)n;
}

/*
 * The kernel gives sixteen random bytes to every process, so the key costs no
 * system call.  The C library makes its stack guard from the same bytes.
 */
bool
random_key(unsigned char key[RANDOM_KEY])
{
	const char *given = (const char *)(uintptr_t)getauxval(AT_RANDOM);

	if (given == NULL)
		return random_try(key, RANDOM_KEY);
	memcpy(key, given, RANDOM_KEY);
	return true;
}
