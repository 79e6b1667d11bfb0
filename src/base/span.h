/*
 * span.h -- bytes that somebody else owns.
 *
 * A span may contain NUL and is not terminated.  The pointer of an empty span
 * is valid, so that it can be given to memcpy and the like.
 */
#ifndef READCACHE_BASE_SPAN_H
#define READCACHE_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
	const char *p;
	size_t n;
};

/* A span over a string literal. */
#define SPAN(literal) ((struct span){"" literal, sizeof(literal) - 1})

static inline struct span
span_str(const char *s)
{
	return (struct span){s, strlen(s)};
}

static inline bool
span_eq(struct span a, struct span b)
{
	return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* As memcmp; if one is the beginning of the other, it comes first. */
static inline int
span_compare(struct span a, struct span b)
{
	int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

static inline bool
span_starts(struct span s, struct span prefix)
{
	return s.n >= prefix.n && memcmp(s.p, prefix.p, prefix.n) == 0;
}

/* S without its first N bytes; N must not exceed its length. */
static inline struct span
span_from(struct span s, size_t n)
{
	return (struct span){s.p + n, s.n - n};
}

static inline bool
span_has(struct span s, char c)
{
	return memchr(s.p, c, s.n) != NULL;
}

#endif
