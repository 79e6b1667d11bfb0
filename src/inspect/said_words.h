/*
 * said_words.h -- take words and numbers off the front of a text.  Only for the
 * files that implement said.h.
 */
#ifndef READCACHE_INSPECT_SAID_WORDS_H
#define READCACHE_INSPECT_SAID_WORDS_H

#include "base/scope.h"

/* Take LITERAL off the front of S, if it is there. */
static inline bool
take(struct span *s, struct span literal)
{
	if (!span_starts(*s, literal))
		return false;
	*s = span_from(*s, literal.n);
	return true;
}

/* Take a number as number_parse reads it. */
static inline bool
take_number(struct span *s, uint64_t *number)
{
	size_t n = 0;

	while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
		n++;
	if (!number_parse((struct span){s->p, n}, number))
		return false;
	*s = span_from(*s, n);
	return true;
}

/* Take the number of a line, which is not 0. */
static inline bool
take_line_number(struct span *s, uint64_t *line)
{
	return take_number(s, line) && *line > 0;
}

/* Take "5-9": two numbers of lines in their order. */
static inline bool
take_range(struct span *s, uint64_t *first, uint64_t *last)
{
	return take_line_number(s, first) && take(s, SPAN("-")) &&
	       take_line_number(s, last) && *first <= *last;
}

#endif
