#include "work/fingerprint/pattern.h"

#include "base/utf8.h"

/* ---- characters ---- */

/* How many bytes the first character of S has.  S is not empty. */
static size_t
character(struct span s)
{
	size_t n = 1;

	while (n < s.n && n < 4 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n++;
	return utf8_valid((struct span){s.p, n}) ? n : 1;
}

static struct span
take(struct span *s)
{
	struct span c = {s->p, character(*s)};

	*s = span_from(*s, c.n);
	return c;
}

/* Take the next character of a pattern, without a backslash before it. */
static struct span
take_escaped(struct span *s)
{
	if (s->n > 1 && s->p[0] == '\\')
		*s = span_from(*s, 1);
	return take(s);
}

/* ---- sets ---- */

/*
 * Is C in the set at the front of PATTERN?  *REST is the pattern after it.
 * False if there is no set: the bracket is then plain text.
 */
static bool
match_set(struct span pattern, struct span c, struct span *rest, bool *in)
{
	struct span p = span_from(pattern, 1);
	bool negated = p.n > 0 && (p.p[0] == '!' || p.p[0] == '^');
	bool first = true;

	if (negated)
		p = span_from(p, 1);
	for (*in = false; p.n > 0; first = false) {
		struct span low, high;

		if (p.p[0] == ']' && !first) {
			*rest = span_from(p, 1);
			*in = *in != negated;
			return true;
		}
		low = high = take_escaped(&p);
		if (p.n > 1 && p.p[0] == '-' && p.p[1] != ']') {
			p = span_from(p, 1);
			high = take_escaped(&p);
		}
		/* UTF-8's bytes sort like the characters. */
		if (span_compare(low, c) <= 0 && span_compare(c, high) <= 0)
			*in = true;
	}
	return false;
}

/* ---- components ---- */

/* Match one character by anything but a star.  False if it does not match. */
static bool
match_one(struct span *pattern, struct span *name)
{
	struct span c, rest;
	bool in;

	if (pattern->n == 0 || name->n == 0)
		return false;
	if (pattern->p[0] == '?') {
		*pattern = span_from(*pattern, 1);
		(void)take(name);
		return true;
	}
	c = take(name);
	if (pattern->p[0] == '[' && match_set(*pattern, c, &rest, &in)) {
		*pattern = rest;
		return in;
	}
	return span_eq(take_escaped(pattern), c);
}

/*
 * Only the last star is tried again: it can take whatever an earlier one
 * could.
 */
static bool
match(struct span pattern, struct span name)
{
	struct span after = pattern, tried = name;
	bool starred = false;

	while (name.n > 0) {
		if (pattern.n > 0 && pattern.p[0] == '*') {
			after = pattern = span_from(pattern, 1);
			tried = name;
			starred = true;
			continue;
		}
		if (match_one(&pattern, &name))
			continue;
		if (!starred)
			return false;
		(void)take(&tried);
		name = tried;
		pattern = after;
	}
	while (pattern.n > 0 && pattern.p[0] == '*')
		pattern = span_from(pattern, 1);
	return pattern.n == 0;
}

bool
pattern_match_name(struct span component, struct span name)
{
	bool dotted =
	    component.n > 0 && (component.p[0] == '.' ||
				   (component.n > 1 && component.p[0] == '\\' &&
				       component.p[1] == '.'));

	if (name.n > 0 && name.p[0] == '.' && !dotted)
		return false;
	return match(component, name);
}

bool
pattern_is_magic(struct span component)
{
	for (size_t i = 0; i < component.n; i++) {
		if (component.p[i] == '\\')
			i++;
		else if (component.p[i] == '*' || component.p[i] == '?' ||
			 component.p[i] == '[')
			return true;
	}
	return false;
}

struct span
pattern_literal(struct arena *arena, struct span component)
{
	char *name = arena_alloc(arena, component.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < component.n; i++) {
		if (component.p[i] == '\\' && i + 1 < component.n)
			i++;
		name[n++] = component.p[i];
	}
	return (struct span){name, n};
}
