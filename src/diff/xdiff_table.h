/*
 * xdiff_table.h -- what libgit2's copy of xdiff needs from the rest of libgit2.
 *
 * That is git__allocator, a table of memory functions, and a few functions
 * around it.  All of them are defined here, so nothing but xdiff is taken from
 * the archive.  The table differs between versions of libgit2: the older one
 * has members for arrays, the newer one has separate functions for them.  The
 * build finds out which it is (XDIFF_ALLOCATOR_ARRAYS).
 *
 * Include it once in a program (xdiff_memory.c does, and the check at configure
 * time), after the definition of
 *
 *	static void *take(size_t n, const char *file, int line);
 *	static void *resize(void *old, size_t n, const char *file, int line);
 *	static void leave(void *p);
 */
#ifndef READCACHE_DIFF_XDIFF_TABLE_H
#define READCACHE_DIFF_XDIFF_TABLE_H

#include <git2/sys/alloc.h>
#include <stdint.h>
#include <string.h>

void *git__mallocarray(size_t count, size_t size);
void *git__reallocarray(void *old, size_t count, size_t size);
void *git__calloc(size_t count, size_t size);
void git_error_set(int class, const char *format, ...);
void git_error_set_oom(void);

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
resize_array(void *old, size_t count, size_t size, const char *file, int line)
{
	if (size != 0 && count > SIZE_MAX / size)
		return NULL;
	return resize(old, count * size, file, line);
}

/* xdiff makes no strings, so the members for strings stay empty. */
git_allocator git__allocator = {
	.gmalloc = take,
	.grealloc = resize,
	.gfree = leave,
#ifdef XDIFF_ALLOCATOR_ARRAYS
	.gcalloc = take_cleared,
	.greallocarray = resize_array,
	.gmallocarray = take_array,
#endif
};

void *
git__mallocarray(size_t count, size_t size)
{
	return take_array(count, size, "", 0);
}

void *
git__reallocarray(void *old, size_t count, size_t size)
{
	return resize_array(old, count, size, "", 0);
}

void *
git__calloc(size_t count, size_t size)
{
	return take_cleared(count, size, "", 0);
}

/* Not needed: xdiff's return value says that something failed. */
void
git_error_set(int class, const char *format, ...)
{
	(void)class, (void)format;
}

void
git_error_set_oom(void)
{
}

#endif
