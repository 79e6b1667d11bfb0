#include "os/bytes.h"

#include <string.h>

void *
bytes_last(const void *p, int byte, size_t n)
{
	return memrchr(p, byte, n);
}

void *
bytes_find(const void *p, size_t n, const void *needle, size_t nneedle)
{
	return memmem(p, n, needle, nneedle);
}
