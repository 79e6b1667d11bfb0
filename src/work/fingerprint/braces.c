/* Expand the braces of a glob. */
#include "base/buf.h"
#include "base/scope.h"
#include "os/bytes.h"
#include "work/fingerprint/pattern.h"

enum {
	PATTERNS_MAX = 4096,
	DEPTH_MAX = 32,
	PATTERN_BYTES = 4096, /* of one expanded pattern */
	BYTES_MAX = 65536     /* of the pattern before */
};

struct list {
	struct arena *arena;
	struct span *items;
	size_t n, room;
	const char *fault;
};

static void
list_add(struct list *list, struct span item)
{
	if (list->n == PATTERNS_MAX)
		list->fault = "its braces stand for more than 4096 patterns.";
	if (item.n > PATTERN_BYTES)
		list->fault = "it is longer than 4096 bytes.";
	if (list->fault != NULL)
		return;
	list->items = arena_more(list->arena, list->items, list->n,
	    &list->room, sizeof(*list->items));
	list->items[list->n++] = item;
}

/*
 * Find the brace that closes the one at FROM, and whether there is a comma
 * between them on the same level.  False if nothing closes it.
 */
static bool
find_close(struct span text, size_t from, size_t *close, bool *comma)
{
	size_t depth = 0;

	*comma = false;
	for (size_t i = from; i < text.n; i++) {
		if (text.p[i] == '\\')
			i++;
		else if (text.p[i] == '{')
			depth++;
		else if (text.p[i] == ',' && depth == 1)
			*comma = true;
		else if (text.p[i] == '}' && --depth == 0) {
			*close = i;
			return true;
		}
	}
	return false;
}

/* How deep braces are nested, including those that nothing closes. */
static size_t
deepest(struct span text)
{
	size_t depth = 0, most = 0;

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\\')
			i++;
		else if (text.p[i] == '{' && ++depth > most)
			most = depth;
		else if (text.p[i] == '}' && depth > 0)
			depth--;
	}
	return most;
}

/* "1..3": both ends, small numbers without a sign. */
static bool
parse_range(struct span inside, uint64_t *low, uint64_t *high)
{
	const char *dots = bytes_find(inside.p, inside.n, "..", 2);
	struct span left, right;

	if (dots == NULL)
		return false;
	left = (struct span){inside.p, (size_t)(dots - inside.p)};
	right = span_from(inside, left.n + 2);
	return number_parse(left, low) && number_parse(right, high) &&
	       *low <= *high && *high - *low < PATTERNS_MAX;
}

static struct span
join(struct arena *arena, struct span before, struct span middle,
    struct span after)
{
	struct buf buf = buf_new(arena, before.n + middle.n + after.n);

	buf_add(&buf, before);
	buf_add(&buf, middle);
	buf_add(&buf, after);
	return buf_span(&buf);
}

static void expand(struct list *list, struct span text, size_t from);

/*
 * Expand each part of INSIDE, which are separated by commas, between BEFORE
 * and AFTER.  The parts may have braces of their own.
 */
static void
expand_parts(struct list *list, struct span before, struct span inside,
    struct span after)
{
	size_t depth = 0, from = 0;

	for (size_t i = 0; i <= inside.n && list->fault == NULL; i++) {
		char c = i < inside.n ? inside.p[i] : ',';

		if (c == '\\') {
			i++;
		} else if (c == '{') {
			depth++;
		} else if (c == '}') {
			depth--;
		} else if (c == ',' && depth == 0) {
			struct span part = {inside.p + from, i - from};

			expand(list, join(list->arena, before, part, after),
			    before.n);
			from = i + 1;
		}
	}
}

static void
expand_range(struct list *list, struct span before, uint64_t low, uint64_t high,
    struct span after)
{
	for (; low <= high && list->fault == NULL; low++) {
		struct buf number = buf_new(list->arena, 20);

		buf_u64(&number, low);
		expand(list,
		    join(list->arena, before, buf_span(&number), after),
		    before.n);
	}
}

/* Expand the braces of TEXT from FROM on; there are none left before it. */
static void
expand(struct list *list, struct span text, size_t from)
{
	for (size_t i = from; i < text.n && list->fault == NULL; i++) {
		struct span before = {text.p, i}, inside, after;
		uint64_t low, high;
		size_t close;
		bool comma;

		if (text.p[i] == '\\') {
			i++;
			continue;
		}
		if (text.p[i] != '{' || !find_close(text, i, &close, &comma))
			continue;
		inside = (struct span){text.p + i + 1, close - i - 1};
		after = span_from(text, close + 1);
		if (comma) {
			expand_parts(list, before, inside, after);
			return;
		}
		if (parse_range(inside, &low, &high)) {
			expand_range(list, before, low, high, after);
			return;
		}
	}
	list_add(list, text);
}

const char *
pattern_braces(struct arena *arena, struct span pattern,
    struct span **patterns, size_t *n)
{
	struct list list = {.arena = arena};

	if (pattern.n > BYTES_MAX)
		list.fault = "it is longer than 64 KiB.";
	else if (deepest(pattern) > DEPTH_MAX)
		list.fault = "its braces are nested more than 32 deep.";
	else
		expand(&list, pattern, 0);
	*patterns = list.items;
	*n = list.n;
	return list.fault;
}
