/*
 * Find values in a text.
 */
#include "json/json.h"

#include "json/json_block.h"
#include "json/json_syntax.h"

enum json_kind
json_kind(struct span value)
{
	if (value.p == NULL || value.n == 0)
		return JSON_ABSENT;
	switch (value.p[0]) {
	case 'n':
		return JSON_NULL;
	case 'f':
		return JSON_FALSE;
	case 't':
		return JSON_TRUE;
	case '"':
		return JSON_STRING;
	case '[':
		return JSON_ARRAY;
	case '{':
		return JSON_OBJECT;
	default:
		return JSON_NUMBER;
	}
}

bool
json_missing(struct span value)
{
	enum json_kind kind = json_kind(value);

	return kind == JSON_ABSENT || kind == JSON_NULL;
}

/* What changes the depth or begins a string.  Everything else is skipped. */
static const unsigned char marks[256] = {
    ['"'] = 1, ['{'] = 1, ['['] = 1, ['}'] = 1, [']'] = 1};

/* The extent that begins at P, or NULL. */
static const struct json_extent *
find_extent(const struct json_doc *doc, const char *p)
{
	size_t low = 0, high = doc->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (doc->extents[middle].from < p)
			low = middle + 1;
		else
			high = middle;
	}
	return low < doc->n && doc->extents[low].from == p ? &doc->extents[low]
							   : NULL;
}

/* P is at an opening bracket.  Returns the byte after the closing one. */
static const char *
pass_container(const struct json_doc *doc, const char *p, const char *end)
{
	const struct json_extent *extent = find_extent(doc, p);
	size_t depth = 0;

	if (extent != NULL)
		return extent->to;
	while (p < end) {
		char c = *p++;

		if (!marks[(unsigned char)c])
			continue;
		if (c == '"')
			p = leap_string(p, end);
		else if (c == '{' || c == '[')
			depth++;
		else if (--depth == 0)
			return p;
	}
	return end;
}

/* P is at a value.  Returns the byte after it. */
static inline const char *
pass_value(const struct json_doc *doc, const char *p, const char *end)
{
	if (*p == '"') {
		if (end - p > JSON_NEAR) {
			int near = json_block_near(p + 1);

			if (near < JSON_NEAR)
				return p + near + 2;
		}
		return leap_string(p + 1, end);
	}
	if (*p == '{' || *p == '[')
		return pass_container(doc, p, end);
	while (p < end && *p != ',' && *p != ':' && *p != '}' && *p != ']' &&
	       !is_blank(*p))
		p++;
	return p;
}

struct json_items
json_items(const struct json_doc *doc, struct span array)
{
	if (json_kind(array) != JSON_ARRAY)
		return (struct json_items){doc, NULL, NULL};
	return (struct json_items){doc, array.p + 1, array.p + array.n};
}

/* The first byte of the next item from P on, or END if there is none. */
static inline const char *
skip_to_item(const char *p, const char *end)
{
	while (p < end && (is_blank(*p) || *p == ','))
		p++;
	return p < end && (*p == ']' || *p == '}') ? end : p;
}

bool
json_next(struct json_items *items, struct span *value)
{
	const char *p;

	if (items->p == NULL)
		return false;
	p = skip_to_item(items->p, items->end);
	if (p == items->end)
		return false;
	items->p = pass_value(items->doc, p, items->end);
	*value = (struct span){p, (size_t)(items->p - p)};
	return items->p > p;
}

struct json_items
json_members(const struct json_doc *doc, struct span object)
{
	if (json_kind(object) != JSON_OBJECT)
		return (struct json_items){doc, NULL, NULL};
	return (struct json_items){doc, object.p + 1, object.p + object.n};
}

/*
 * P is at the quote that opens a name.  Returns the byte after the closing
 * quote.  Most names are short and have no escapes.
 */
static inline const char *
take_name(const struct json_items *members, const char *p, struct span *name)
{
	struct json_text text;
	const char *after;

	if (members->end - p > JSON_NEAR) {
		int near = json_block_near(p + 1);

		*name = (struct span){p + 1, (size_t)near};
		if (near < JSON_NEAR)
			return p + near + 2;
	}
	after = leap_string(p + 1, members->end);
	*name = (struct span){p, (size_t)(after - p)};
	*name = json_text(members->doc->arena, *name, &text) ? text.text
							     : SPAN("");
	return after;
}

/* The body of json_member, inline for loops. */
static inline bool
next_member(struct json_items *members, struct span *name, struct span *value)
{
	const char *p = members->p, *end = members->end;

	if (p == NULL)
		return false;
	p = skip_to_item(p, end);
	if (p == end || *p != '"')
		return false;
	p = skip_blanks(take_name(members, p, name), end);
	if (p == end || *p != ':')
		return false;
	p = skip_to_item(p + 1, end);
	if (p == end)
		return false;
	members->p = pass_value(members->doc, p, end);
	*value = (struct span){p, (size_t)(members->p - p)};
	return members->p > p;
}

bool
json_member(struct json_items *members, struct span *name, struct span *value)
{
	return next_member(members, name, value);
}

void
json_pick(const struct json_doc *doc, struct span object,
    struct json_field *fields, size_t n)
{
	struct json_items members = json_members(doc, object);
	struct span name, value;
	uint64_t lengths = 0; /* of the wanted names, one bit each */

	for (size_t i = 0; i < n; i++) {
		fields[i].value = (struct span){NULL, 0};
		lengths |= UINT64_C(1) << fields[i].name.n % 64;
	}
	while (next_member(&members, &name, &value)) {
		if ((lengths >> name.n % 64 & 1) == 0)
			continue;
		for (size_t i = 0; i < n; i++)
			if (span_eq(name, fields[i].name))
				fields[i].value = value;
	}
}

struct span
json_compact(struct arena *arena, struct span value)
{
	const char *p = value.p, *end = value.p + value.n;
	char *copy = arena_alloc(arena, value.n), *to = copy;

	while (p < end) {
		const char *from = p;

		if (is_blank(*p)) {
			p++;
			continue;
		}
		p = *p == '"' ? leap_string(p + 1, end) : p + 1;
		memcpy(to, from, (size_t)(p - from));
		to += p - from;
	}
	return (struct span){copy, (size_t)(to - copy)};
}
