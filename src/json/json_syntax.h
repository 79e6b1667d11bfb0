/*
 * json_syntax.h -- what the files that implement json.h share.
 */
#ifndef READCACHE_JSON_JSON_SYNTAX_H
#define READCACHE_JSON_JSON_SYNTAX_H

#include "base/hex.h"
#include "base/span.h"

/* Where a container begins, and the byte after it. */
struct json_extent {
	const char *from, *to;
};

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/* The value of four hexadecimal digits at P, or -1. */
static inline int
hex4(const char *p, const char *end)
{
	int value = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = hex_value(p[i]);

		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

/*
 * P is the byte after an opening quote.  Returns the byte after the closing
 * one, or NULL.
 */
static inline const char *
pass_string(const char *p, const char *end)
{
	for (;;) {
		const char *quote = memchr(p, '"', (size_t)(end - p));
		const char *back = quote;

		if (quote == NULL)
			return NULL;
		while (back > p && back[-1] == '\\')
			back--;
		if ((quote - back) % 2 == 0)
			return quote + 1;
		p = quote + 1;
	}
}

/*
 * P is the byte after an opening quote.  Returns the byte after the closing
 * one, or END if there is none: the text may not have been validated.
 */
static inline const char *
leap_string(const char *p, const char *end)
{
	const char *after = pass_string(p, end);

	return after != NULL ? after : end;
}

#endif
