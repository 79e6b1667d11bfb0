#include "os/bytes.h"

#include <stdint.h>
#include <string.h>

void *
bytes_last(const void *p, int byte, size_t n)
{
	const unsigned char *bytes = p;

	while (n > 0)
		if (bytes[--n] == (unsigned char)byte)
			return (void *)(uintptr_t)(bytes + n);
	return NULL;
}

void *
bytes_find(const void *p, size_t n, const void *needle, size_t nneedle)
{
	const char *at = p, *end = at + n;

	if (nneedle == 0)
		return (void *)(uintptr_t)p;
	while ((size_t)(end - at) >= nneedle &&
	       (at = memchr(at, *(const unsigned char *)needle,
		    (size_t)(end - at) - nneedle + 1)) != NULL) {
		if (memcmp(at, needle, nneedle) == 0)
			return (void *)(uintptr_t)at;
		at++;
	}
	return NULL;
}
