/*
 * naive_glob.h -- what SPEC 19.3 says about patterns, in the simplest way: all
 * is tried, however long it takes.  For small patterns in text of UTF-8.
 */
#ifndef READCACHE_TESTS_NAIVE_GLOB_H
#define READCACHE_TESTS_NAIVE_GLOB_H

#include "base/scope.h"
#include "fuzz.h"

/* ---- one name ---- */

static inline struct span
naive_char(struct span *s)
{
	struct span c = {s->p, 1};

	while (c.n < s->n && ((unsigned char)s->p[c.n] & 0xc0) == 0x80)
		c.n++;
	*s = span_from(*s, c.n);
	return c;
}

static inline struct span
naive_plain(struct span *s)
{
	if (s->n > 1 && s->p[0] == '\\')
		*s = span_from(*s, 1);
	return naive_char(s);
}

/* The set behind "[": is C in it?  Its end, or NULL if it has none. */
static inline const char *
naive_set(struct span p, struct span c, bool *in)
{
	bool negated = p.n > 0 && (p.p[0] == '!' || p.p[0] == '^');
	struct span rest = negated ? span_from(p, 1) : p, low, high;
	const char *start = rest.p;

	*in = negated;
	while (rest.n > 0 && (rest.p[0] != ']' || rest.p == start)) {
		low = high = naive_plain(&rest);
		if (rest.n > 1 && rest.p[0] == '-' && rest.p[1] != ']') {
			rest = span_from(rest, 1);
			high = naive_plain(&rest);
		}
		if (span_compare(c, low) >= 0 && span_compare(c, high) <= 0)
			*in = !negated;
	}
	return rest.n > 0 ? rest.p + 1 : NULL;
}

static inline bool
naive_match(struct span p, struct span name)
{
	struct span rest = name, c;
	const char *end;
	bool in;

	if (p.n == 0)
		return name.n == 0;
	if (p.p[0] == '*') {
		if (naive_match(span_from(p, 1), name))
			return true;
		if (name.n == 0)
			return false;
		(void)naive_char(&rest);
		return naive_match(p, rest);
	}
	if (name.n == 0)
		return false;
	c = naive_char(&rest);
	if (p.p[0] == '?')
		return naive_match(span_from(p, 1), rest);
	if (p.p[0] == '[' && (end = naive_set(span_from(p, 1), c, &in)) != NULL)
		return in &&
		       naive_match(span_from(p, (size_t)(end - p.p)), rest);
	return span_eq(naive_plain(&p), c) && naive_match(p, rest);
}

/* A leading dot is matched by one that is written. */
static inline bool
naive_name(struct span p, struct span name)
{
	struct span first = p;

	if (name.n > 0 && name.p[0] == '.' &&
	    (p.n == 0 || !span_eq(naive_plain(&first), SPAN("."))))
		return false;
	return naive_match(p, name);
}

/* ---- braces ---- */

typedef void naive_each(void *context, struct span pattern);

struct naive_braces {
	struct arena *arena;
	naive_each *each;
	void *context;
	size_t n, max; /* more than MAX are not told */
};

/* The next C at the level of FROM, or the end of TEXT. */
static inline size_t
naive_find(struct span text, size_t from, char c)
{
	size_t depth = 0, i = from;

	for (; i < text.n && !(depth == 0 && text.p[i] == c); i++)
		if (text.p[i] == '\\')
			i++;
		else if (text.p[i] == '{')
			depth++;
		else if (text.p[i] == '}' && depth-- == 0)
			return text.n;
	return i < text.n ? i : text.n;
}

static inline void naive_expand(
    struct naive_braces *b, struct span text, size_t from);

static inline void
naive_put(struct naive_braces *b, struct span text, size_t open, size_t close,
    struct span part)
{
	struct buf whole = buf_new(b->arena, text.n + part.n);

	buf_add(&whole, (struct span){text.p, open});
	buf_add(&whole, part);
	buf_add(&whole, span_from(text, close + 1));
	naive_expand(b, buf_span(&whole), open);
}

static inline bool
naive_range(struct naive_braces *b, struct span text, size_t open, size_t close)
{
	struct span inside = {text.p + open + 1, close - open - 1};
	const char *dots = memmem(inside.p, inside.n, "..", 2);
	uint64_t low, high;

	if (dots == NULL ||
	    !number_parse(
		(struct span){inside.p, (size_t)(dots - inside.p)}, &low) ||
	    !number_parse(
		span_from(inside, (size_t)(dots + 2 - inside.p)), &high) ||
	    low > high || high - low >= 4096)
		return false;
	for (; low <= high && b->n <= b->max; low++) {
		struct buf number = buf_new(b->arena, 24);

		buf_u64(&number, low);
		naive_put(b, text, open, close, buf_span(&number));
	}
	return true;
}

/* TEXT, whose braces before FROM stand for themselves. */
static inline void
naive_expand(struct naive_braces *b, struct span text, size_t from)
{
	for (size_t i = from; i < text.n && b->n <= b->max; i++) {
		size_t close, at, comma;

		if (text.p[i] == '\\') {
			i++;
			continue;
		}
		if (text.p[i] != '{')
			continue;
		close = naive_find(text, i + 1, '}');
		if (close == text.n)
			continue;
		comma = naive_find(text, i + 1, ',');
		if (comma > close) {
			if (naive_range(b, text, i, close))
				return;
			continue;
		}
		for (at = i + 1; at <= close; at = comma + 1) {
			comma = naive_find(text, at, ',');
			if (comma > close)
				comma = close;
			naive_put(b, text, i, close,
			    (struct span){text.p + at, comma - at});
		}
		return;
	}
	if (b->n++ < b->max)
		b->each(b->context, text);
}

#endif
