#include "work/workflow/strings.h"

#include "os/bytes.h"
#include "json/emit.h"

/* ---- going through ---- */

struct strings_walk {
	struct arena *arena;
	struct json_doc doc;
	strings_visit *visit;
	void *context;
};

/* The depth is limited: json/canon.h has refused deeper nesting. */
static void
walk_value(struct strings_walk *walk, struct span value)
{
	struct json_items items;
	struct json_text text;
	struct span name, item;

	if (json_text(walk->arena, value, &text)) {
		walk->visit(walk->context, text.text);
		return;
	}
	items = json_items(&walk->doc, value);
	while (json_next(&items, &item))
		walk_value(walk, item);
	items = json_members(&walk->doc, value);
	while (json_member(&items, &name, &item))
		walk_value(walk, item);
}

void
strings_each(
    struct arena *arena, struct span value, strings_visit *visit, void *context)
{
	struct strings_walk walk = {arena, json_doc(arena), visit, context};

	if (value.n > 0)
		walk_value(&walk, value);
}

/* ---- replacing ---- */

struct rewriting {
	struct arena *arena;
	struct json_doc doc;
	strings_map *map;
	void *context;
	struct buf *out;
};

static bool replace_value(struct rewriting *r, struct span value);

static bool
replace_items(struct rewriting *r, struct span array)
{
	struct json_items items = json_items(&r->doc, array);
	struct span item;
	bool first = true;

	buf_char(r->out, '[');
	while (json_next(&items, &item)) {
		if (!first)
			buf_char(r->out, ',');
		first = false;
		if (!replace_value(r, item))
			return false;
	}
	buf_char(r->out, ']');
	return true;
}

static bool
replace_members(struct rewriting *r, struct span object)
{
	struct json_items members = json_members(&r->doc, object);
	struct span name, value;
	bool first = true;

	buf_char(r->out, '{');
	while (json_member(&members, &name, &value)) {
		if (!first)
			buf_char(r->out, ',');
		first = false;
		emit_string(r->out, name);
		buf_char(r->out, ':');
		if (!replace_value(r, value))
			return false;
	}
	buf_char(r->out, '}');
	return true;
}

static bool
replace_value(struct rewriting *r, struct span value)
{
	struct json_text text;

	if (json_text(r->arena, value, &text))
		return r->map(r->context, text.text, r->out);
	if (json_kind(value) == JSON_ARRAY)
		return replace_items(r, value);
	if (json_kind(value) == JSON_OBJECT)
		return replace_members(r, value);
	buf_add(r->out, value);
	return true;
}

bool
strings_replace(struct arena *arena, struct span value, strings_map *map,
    void *context, struct buf *out)
{
	struct rewriting r = {arena, json_doc(arena), map, context, out};

	return replace_value(&r, value);
}

/* ---- references ---- */

static void
collect(void *context, struct span text)
{
	struct references *found = context;
	struct template t = template_of(text);
	struct template_piece piece;

	if (bytes_find(text.p, text.n, "${", 2) == NULL)
		return;
	while (template_next(&t, &piece)) {
		if (piece.kind != PIECE_REFERENCE)
			continue;
		if (found->n == found->room) {
			struct template_piece *more;

			found->room = found->room * 2 + 1;
			more = arena_array(
			    found->arena, found->room, sizeof(*more));
			if (found->n > 0)
				memcpy(
				    more, found->at, found->n * sizeof(*more));
			found->at = more;
		}
		found->at[found->n++] = piece;
	}
}

struct references
references_of(struct arena *arena, const struct node *node)
{
	struct references found = {NULL, 0, 0, arena};

	for (size_t i = 0; i < node->run.n; i++)
		collect(&found, node->run.at[i]);
	collect(&found, node->input);
	strings_each(arena, node->params, collect, &found);
	strings_each(arena, node->batch, collect, &found);
	return found;
}
