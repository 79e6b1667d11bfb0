#include "json/tree.h"

#include <stdlib.h>

#include "base/scope.h"
#include "json/json.h"

struct tree {
	struct arena *arena;
	struct span value;
	struct span name;     /* of a member */
	struct tree *members; /* last one first: the last of equals counts */
	struct tree *before;  /* the member before this one */
	bool opened;          /* members are known */
};

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
	if (json_kind(value) == JSON_ABSENT || json_ambiguous(arena, value))
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
tree_is_number(struct arena *arena, struct span value, uint64_t *number)
{
	double read;

	if (json_kind(value) != JSON_NUMBER)
		return false;
	if (number_parse(value, number))
		return true;
	/* A fraction, an exponent or a sign: read it as JavaScript does. */
	read = strtod(arena_cstr(arena, value), NULL);
	if (!(read >= 0) || read > (double)NUMBER_MAX)
		return false;
	*number = (uint64_t)read;
	return (double)*number == read;
}

bool
tree_number(const struct tree *item, uint64_t *number)
{
	return item != NULL && tree_is_number(item->arena, item->value, number);
}
