#include "os/memory.h"

#include <sys/mman.h>

void
memory_large_pages(void *p, size_t n)
{
	(void)madvise(p, n, MADV_HUGEPAGE);
}
