#include "wire/tree.h"

#include <stdlib.h>

#include "base/scope.h"
#include "wire/json.h"
#include "wire/json_syntax.h"

struct tree {
	struct arena *arena;
	struct span value;
	struct span name;     /* of a member */
	struct tree *members; /* the last one first, so that it is found */
	struct tree *before;  /* the member before this one */
	bool opened;          /* members are known */
};

/*
 * True if some string in VALUE holds NUL or a lone surrogate.  Every string,
 * name or value, begins at a quote outside of strings.
 */
static bool
unfaithful(struct arena *arena, struct span value)
{
	const char *p = value.p, *end = value.p + value.n;

	if (memmem(value.p, value.n, "\\u", 2) == NULL)
		return false;
	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		const char *from = p;
		struct json_text text;

		p = pass_string(from + 1, end);
		if (p == NULL ||
		    !json_text(arena, (struct span){from, (size_t)(p - from)},
			&text) ||
		    text.lone || span_has(text.text, '\0'))
			return true;
	}
	return false;
}

static struct tree *
make(struct arena *arena, struct span value)
{
	struct tree *tree = arena_array(arena, 1, sizeof(*tree));

	tree->arena = arena;
	tree->value = value;
	return tree;
}

struct tree *
tree_parse(struct arena *arena, struct span value)
{
	if (json_kind(value) == JSON_ABSENT || unfaithful(arena, value))
		return NULL;
	return make(arena, value);
}

static void
open_object(struct tree *object)
{
	struct json_doc doc = json_doc(object->arena);
	struct json_items members = json_members(&doc, object->value);
	struct span name, value;

	object->opened = true;
	while (json_member(&members, &name, &value)) {
		struct tree *member = make(object->arena, value);

		member->name = name;
		member->before = object->members;
		object->members = member;
	}
}

struct tree *
tree_get(struct tree *object, const char *name)
{
	struct span wanted = span_str(name);
	struct tree *member;

	if (object == NULL || json_kind(object->value) != JSON_OBJECT)
		return NULL;
	if (!object->opened)
		open_object(object);
	member = object->members;
	while (member != NULL && !span_eq(member->name, wanted))
		member = member->before;
	return member;
}

bool
tree_string(const struct tree *item, struct span *text)
{
	struct json_text decoded;

	if (item == NULL || !json_text(item->arena, item->value, &decoded))
		return false;
	*text = decoded.text;
	return true;
}

bool
tree_number(const struct tree *item, uint64_t *number)
{
	double value;

	if (item == NULL || json_kind(item->value) != JSON_NUMBER)
		return false;
	if (number_parse(item->value, number))
		return true;
	/* A fraction, an exponent, a sign: what JavaScript makes of it. */
	value = strtod(arena_cstr(item->arena, item->value), NULL);
	if (!(value >= 0) || value > (double)NUMBER_MAX)
		return false;
	*number = (uint64_t)value;
	return (double)*number == value;
}
