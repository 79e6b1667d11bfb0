/*
 * Is a text JSON?  Accepts exactly what JSON.parse accepts, without recursion.
 */
#include "base/buf.h"
#include "json/json.h"
#include "json/json_string.h"
#include "json/json_syntax.h"

/*
 * Extents are kept only for containers at the depths where entries, messages
 * and their parts are found.  Small containers get none: passing over them is
 * as fast as a look-up.
 */
enum { EXTENT_DEPTH = 8, EXTENT_BYTES = 64 };

/*
 * The open brackets, one bit each (1: object), so that depth costs almost no
 * memory.  The outer ones also have the number of their extent.
 */
struct nesting {
	struct json_doc *doc; /* NULL: extents are not wanted */
	struct buf bits;
	size_t depth;
	size_t extents[EXTENT_DEPTH];
	struct json_letters letters;
	struct span known; /* items to skip; empty once they were skipped */
};

static void
open_extent(struct nesting *nest, const char *p)
{
	struct json_doc *doc = nest->doc;

	if (doc == NULL || nest->depth >= EXTENT_DEPTH)
		return;
	doc->extents = arena_more(doc->arena, doc->extents, doc->n, &doc->room,
	    sizeof(*doc->extents));
	nest->extents[nest->depth] = doc->n;
	doc->extents[doc->n++].from = p;
}

/* P is the byte after the bracket that closes the container at nest->depth. */
static void
close_extent(struct nesting *nest, const char *p)
{
	struct json_doc *doc = nest->doc;
	struct json_extent *extent;

	if (doc == NULL || nest->depth >= EXTENT_DEPTH)
		return;
	extent = &doc->extents[nest->extents[nest->depth]];
	extent->to = p;
	/*
	 * Too small to keep.  So was everything inside it, so it is the last
	 * one in the list.
	 */
	if (p - extent->from < EXTENT_BYTES)
		doc->n--;
}

static void
nesting_push(struct nesting *nest, bool object, const char *p)
{
	size_t byte = nest->depth / 8;
	unsigned char bit = (unsigned char)(1u << nest->depth % 8);

	if (byte == nest->bits.n)
		*buf_grow(&nest->bits, 1) = 0;
	if (object)
		nest->bits.p[byte] = (char)(nest->bits.p[byte] | bit);
	else
		nest->bits.p[byte] = (char)(nest->bits.p[byte] & ~bit);
	open_extent(nest, p);
	nest->depth++;
}

static void
nesting_pop(struct nesting *nest, const char *p)
{
	nest->depth--;
	close_extent(nest, p);
}

static bool
nesting_in_object(const struct nesting *nest)
{
	size_t top = nest->depth - 1;

	return ((unsigned char)nest->bits.p[top / 8] >> top % 8 & 1) != 0;
}

/* Skip one or more digits from P on.  NULL if there are none. */
static const char *
judge_digits(const char *p, const char *end)
{
	if (p == end || !is_digit(*p))
		return NULL;
	while (p < end && is_digit(*p))
		p++;
	return p;
}

static const char *
judge_number(const char *p, const char *end)
{
	if (p < end && *p == '-')
		p++;
	if (p < end && *p == '0')
		p++;
	else
		p = judge_digits(p, end);
	if (p != NULL && p < end && *p == '.')
		p = judge_digits(p + 1, end);
	if (p != NULL && p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		p = judge_digits(p, end);
	}
	return p;
}

static const char *
judge_word(const char *p, const char *end, struct span word)
{
	struct span rest = {p, (size_t)(end - p)};

	return span_starts(rest, word) ? p + word.n : NULL;
}

/* A value that is neither an array nor an object. */
static const char *
judge_scalar(const char *p, const char *end, struct json_letters *letters)
{
	switch (*p) {
	case '"':
		return json_string_judge(p + 1, end, letters);
	case 't':
		return judge_word(p, end, SPAN("true"));
	case 'f':
		return judge_word(p, end, SPAN("false"));
	case 'n':
		return judge_word(p, end, SPAN("null"));
	default:
		return judge_number(p, end);
	}
}

/* A member's name and its colon; the value follows. */
static const char *
judge_name(const char *p, const char *end, struct json_letters *letters)
{
	p = skip_blanks(p, end);
	if (p == end || *p != '"')
		return NULL;
	p = json_string_judge(p + 1, end, letters);
	if (p == NULL)
		return NULL;
	p = skip_blanks(p, end);
	return p < end && *p == ':' ? p + 1 : NULL;
}

/*
 * P is the byte after a value.  Close the containers that end here.  Then
 * either all are closed (*MORE is false), or a comma was passed and a value
 * follows.  NULL: the text is not JSON.
 */
static const char *
judge_after(struct nesting *nest, const char *p, const char *end, bool *more)
{
	for (;;) {
		p = skip_blanks(p, end);
		*more = nest->depth > 0;
		if (!*more)
			return p;
		if (p == end)
			return NULL;
		if (*p == ',') {
			p++;
			return nesting_in_object(nest)
				   ? judge_name(p, end, &nest->letters)
				   : p;
		}
		if (*p != (nesting_in_object(nest) ? '}' : ']'))
			return NULL;
		p++;
		nesting_pop(nest, p);
	}
}

/* The entries are this deep: {"session":{"entries":[ */
enum { KNOWN_DEPTH = 2 };

/*
 * P is the byte after an opening bracket.  Returns the byte after the known
 * items, or NULL if they are not here.
 */
static const char *
leap_known(struct nesting *nest, const char *p, const char *end)
{
	struct span rest = {p, (size_t)(end - p)};

	if (nest->known.n == 0 || nest->depth != KNOWN_DEPTH ||
	    rest.n <= nest->known.n ||
	    (p[nest->known.n] != ',' && p[nest->known.n] != ']') ||
	    !span_starts(rest, nest->known))
		return NULL;
	nest->doc->leapt = p + nest->known.n;
	nest->known.n = 0;
	return nest->doc->leapt;
}

enum judged { JUDGED_BAD, JUDGED_SYNTAX /* not UTF-8 */, JUDGED_TEXT };

static enum judged
judge(struct arena *arena, struct span text, struct span known,
    struct json_doc *doc)
{
	struct nesting nest = {
	    .doc = doc, .bits = buf_new(arena, 64), .known = known,
	    .letters = {.checked = text.p}};
	const char *p = text.p, *end = text.p + text.n;
	bool more = true;

	while (p != NULL && more) {
		p = skip_blanks(p, end);
		if (p == end)
			return JUDGED_BAD;
		if (*p == '{' || *p == '[') {
			bool object = *p == '{';
			const char *leapt =
			    object ? NULL : leap_known(&nest, p + 1, end);
			const char *inside = skip_blanks(p + 1, end);

			if (inside == end)
				return JUDGED_BAD;
			if (*inside == (object ? '}' : ']')) {
				p = judge_after(&nest, inside + 1, end, &more);
				continue;
			}
			nesting_push(&nest, object, p);
			if (leapt != NULL) {
				p = judge_after(&nest, leapt, end, &more);
				continue;
			}
			p = object ? judge_name(inside, end, &nest.letters)
				   : inside;
			continue;
		}
		p = judge_scalar(p, end, &nest.letters);
		if (p != NULL)
			p = judge_after(&nest, p, end, &more);
	}
	if (p != end)
		return JUDGED_BAD;
	return nest.letters.broken ? JUDGED_SYNTAX : JUDGED_TEXT;
}

static bool
judge_text(struct arena *arena, struct span text, struct span known,
    struct json_doc *doc)
{
	return judge(arena, text, known, doc) == JUDGED_TEXT;
}

bool
json_syntax(struct arena *arena, struct span text)
{
	return judge(arena, text, SPAN(""), NULL) != JUDGED_BAD;
}

bool
json_valid(struct arena *arena, struct span text)
{
	return judge_text(arena, text, SPAN(""), NULL);
}

struct span
json_trim(struct span text)
{
	while (text.n > 0 && is_blank(text.p[0]))
		text = span_from(text, 1);
	while (text.n > 0 && is_blank(text.p[text.n - 1]))
		text.n--;
	return text;
}

struct json_doc
json_doc(struct arena *arena)
{
	return (struct json_doc){.arena = arena};
}

bool
json_judge_known(struct arena *arena, struct span text, struct span known,
    struct json_doc *doc)
{
	*doc = json_doc(arena);
	return judge_text(arena, text, known, doc);
}

bool
json_judge(struct arena *arena, struct span text, struct json_doc *doc)
{
	return json_judge_known(arena, text, SPAN(""), doc);
}
