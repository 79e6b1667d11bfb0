/*
 * Finding values where they lie.
 */
#include "wire/json.h"

#include "wire/json_syntax.h"

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

/* What changes the depth, or begins a string: the rest is passed over. */
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

/* P is at an opening bracket; the byte behind the closing one. */
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

/* P is at a value; the byte behind it. */
static const char *
pass_value(const struct json_doc *doc, const char *p, const char *end)
{
	if (*p == '"')
		return leap_string(p + 1, end);
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

bool
json_next(struct json_items *items, struct span *value)
{
	const char *p;

	if (items->p == NULL)
		return false;
	p = items->p;
	while (p < items->end && (is_blank(*p) || *p == ','))
		p++;
	if (p == items->end || *p == ']' || *p == '}')
		return false;
	items->p = pass_value(items->doc, p, items->end);
	*value = (struct span){p, (size_t)(items->p - p)};
	return items->p > p;
}

/* RAW, a name in its quotes, decoded: mostly it is what stands there. */
static struct span
member_name(struct arena *arena, struct span raw)
{
	struct span inside = {raw.p + 1, raw.n > 2 ? raw.n - 2 : 0};
	struct json_text text;

	if (span_has(inside, '\\') && json_text(arena, raw, &text))
		return text.text;
	return inside;
}

struct json_items
json_members(const struct json_doc *doc, struct span object)
{
	if (json_kind(object) != JSON_OBJECT)
		return (struct json_items){doc, NULL, NULL};
	return (struct json_items){doc, object.p + 1, object.p + object.n};
}

bool
json_member(struct json_items *members, struct span *name, struct span *value)
{
	struct span raw;

	if (!json_next(members, &raw))
		return false;
	members->p = skip_blanks(members->p, members->end);
	if (members->p == members->end || *members->p != ':')
		return false;
	members->p++;
	if (!json_next(members, value))
		return false;
	*name = member_name(members->doc->arena, raw);
	return true;
}

void
json_pick(const struct json_doc *doc, struct span object,
    struct json_field *fields, size_t n)
{
	struct json_items members = json_members(doc, object);
	struct span name, value;

	for (size_t i = 0; i < n; i++)
		fields[i].value = (struct span){NULL, 0};
	while (json_member(&members, &name, &value))
		for (size_t i = 0; i < n; i++)
			if (span_eq(name, fields[i].name))
				fields[i].value = value;
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
