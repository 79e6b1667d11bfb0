#include "diff/xdiff_memory.h"

#include <stdalign.h>
#include <stdint.h>

static struct arena *current;

void
xdiff_memory_use(struct arena *arena)
{
	current = arena;
}

#ifdef XDIFF_FROM_LIBGIT2
#include <git2/sys/alloc.h>

/* Before each piece stands its size, for the sake of realloc. */
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
take_array(size_t count, size_t size, const char *file, int line)
{
	if (size != 0 && count > SIZE_MAX / size)
		return NULL;
	return take(count * size, file, line);
}

static void *
take_cleared(size_t count, size_t size, const char *file, int line)
{
	void *p = take_array(count, size, file, line);

	return p != NULL ? memset(p, 0, count * size) : NULL;
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

static void *
resize_array(void *old, size_t count, size_t size, const char *file, int line)
{
	if (size != 0 && count > SIZE_MAX / size)
		return NULL;
	return resize(old, count * size, file, line);
}

static void
leave(void *p)
{
	(void)p; /* dies with the arena */
}

/* xdiff makes no strings: those members stay empty. */
git_allocator git__allocator = {
	.gmalloc = take,
	.gcalloc = take_cleared,
	.grealloc = resize,
	.greallocarray = resize_array,
	.gmallocarray = take_array,
	.gfree = leave,
};
#endif
