#include "diff/xdiff_memory.h"

#include <stdalign.h>
#include <stdint.h>

/* xdiff hands nothing on to its allocator, so each thread has its own. */
static _Thread_local struct arena *current;

void
xdiff_memory_use(struct arena *arena)
{
	current = arena;
}

#ifdef XDIFF_FROM_LIBGIT2
/* Each piece is preceded by its size, which realloc needs. */
enum { HEAD = alignof(max_align_t) };

static void *
take(size_t n, const char *file, int line)
{
	char *p;

	(void)file;
	(void)line;
	if (n > SIZE_MAX - HEAD)
		return NULL;
	p = arena_alloc(current, n + HEAD);
	memcpy(p, &n, sizeof(n));
	return p + HEAD;
}

static void *
resize(void *old, size_t n, const char *file, int line)
{
	void *p = take(n, file, line);
	size_t had;

	if (old == NULL || p == NULL)
		return p;
	memcpy(&had, (char *)old - HEAD, sizeof(had));
	return memcpy(p, old, had < n ? had : n);
}

static void
leave(void *p)
{
	(void)p; /* released with the arena */
}

#include "diff/xdiff_table.h"
#endif
