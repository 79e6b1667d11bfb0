/*
 * xdiff_abi.h -- the few types of xdiff that we use.
 *
 * xdiff's own header is not installed with the archives that contain it.  Only
 * unified.c and the check at configure time include this file.  That check runs
 * a diff, so a library with another ABI fails the build.
 */
#ifndef READCACHE_DIFF_XDIFF_ABI_H
#define READCACHE_DIFF_XDIFF_ABI_H

#include <stddef.h>

/* Newer versions of libgit2 add a prefix; the build finds out which it is. */
#ifndef XDIFF_ENTRY
#define XDIFF_ENTRY xdl_diff
#endif

struct xdiff_text {
	char *ptr;
	long size;
};

struct xdiff_how {
	unsigned long flags;
	void **ignore_regex;
	size_t ignore_regex_count;
	char **anchors;
	size_t anchors_count;
};

struct xdiff_out {
	void *context;
	int (*hunk)(void *, long old_first, long old_lines, long new_first,
	    long new_lines, const char *function, long function_size);
	int (*line)(void *, struct xdiff_text *pieces, int count);
};

struct xdiff_emit {
	long context_lines;
	long between_hunks;
	unsigned long flags;
	long (*find_function)(const char *line, long size, char *out,
	    long out_size, void *context);
	void *find_context;
	int (*hunk)(long, long, long, long, void *);
};

#define XDIFF_HISTOGRAM (1UL << 15)
#define XDIFF_INDENT_HEURISTIC (1UL << 23)
#define XDIFF_EMIT_FUNCTIONS (1UL << 0)

int XDIFF_ENTRY(struct xdiff_text *old_text, struct xdiff_text *new_text,
    const struct xdiff_how *how, const struct xdiff_emit *emit,
    struct xdiff_out *out);

#endif
