#include "host/pi/own.h"

#include "json/json.h"

/* No more edits in one call than diff/replace.h tries. */
enum { EDITS_MAX = 1000 };

struct edits {
	struct arena *arena;
	const struct json_doc *doc;
	struct replacement *list;
	size_t n, room;
	size_t left; /* bytes that may still come */
};

/* The string VALUE.  False if it is none, or has half of a pair. */
static bool
get_text(struct arena *arena, struct span value, size_t *left,
    struct span *text)
{
	struct json_text decoded;

	/* Decoded it is not longer. */
	if (json_kind(value) != JSON_STRING || value.n > 6 * *left + 2 ||
	    !json_text(arena, value, &decoded) || decoded.lone ||
	    decoded.text.n > *left)
		return false;
	*left -= decoded.text.n;
	*text = decoded.text;
	return true;
}

/* Are both texts of an edit in OBJECT?  Then they are in F. */
static bool
pick_edit(const struct json_doc *doc, struct span object,
    struct json_field f[2])
{
	f[0] = (struct json_field){.name = SPAN("oldText")};
	f[1] = (struct json_field){.name = SPAN("newText")};
	json_pick(doc, object, f, 2);
	return json_kind(f[0].value) == JSON_STRING &&
	    json_kind(f[1].value) == JSON_STRING;
}

/* Add the edit in OBJECT.  False if it is not whole, or too much. */
static bool
add_edit(struct edits *edits, struct span object)
{
	struct replacement edit;
	struct json_field f[2];

	if (edits->n == EDITS_MAX || !pick_edit(edits->doc, object, f) ||
	    !get_text(edits->arena, f[0].value, &edits->left,
		&edit.old_text) ||
	    !get_text(edits->arena, f[1].value, &edits->left, &edit.new_text))
		return false;
	edits->list = arena_more(edits->arena, edits->list, edits->n,
	    &edits->room, sizeof(*edits->list));
	edits->list[edits->n++] = edit;
	return true;
}

/*
 * Add what VALUE, the argument `edits`, says: an array of edits, or one.
 * Anything else adds nothing.  False if an edit in it is not whole.
 */
static bool
add_edits(struct edits *edits, struct span value)
{
	struct json_items items;
	struct json_field f[2];
	struct span item;

	if (json_kind(value) == JSON_OBJECT)
		return !pick_edit(edits->doc, value, f) ||
		    add_edit(edits, value);
	if (json_kind(value) != JSON_ARRAY)
		return true;
	items = json_items(edits->doc, value);
	while (json_next(&items, &item))
		if (!add_edit(edits, item))
			return false;
	return true;
}

/* The same of a string that has the JSON of it. */
static bool
add_edits_in_text(struct edits *edits, struct span value)
{
	const struct json_doc *outer = edits->doc;
	size_t left = 6 * edits->left; /* it may be full of escapes */
	struct json_doc doc;
	struct span text;
	bool done;

	if (!get_text(edits->arena, value, &left, &text))
		return false;
	if (!json_judge(edits->arena, text, &doc))
		return true;
	edits->doc = &doc;
	done = add_edits(edits, json_trim(text));
	edits->doc = outer;
	return done;
}

static bool
read_edit(struct edits *edits, struct span arguments)
{
	struct json_field all = {.name = SPAN("edits")}, f[2];
	bool done;

	json_pick(edits->doc, arguments, &all, 1);
	done = json_kind(all.value) == JSON_STRING
	    ? add_edits_in_text(edits, all.value)
	    : add_edits(edits, all.value);
	/* As older models do it; pi takes them last. */
	if (done && pick_edit(edits->doc, arguments, f))
		done = add_edit(edits, arguments);
	return done && edits->n > 0;
}

static bool
read_write(struct arena *arena, const struct json_doc *doc,
    struct span arguments, struct span *content)
{
	struct json_field f = {.name = SPAN("content")};
	size_t left = OWN_MAX_BYTES;

	json_pick(doc, arguments, &f, 1);
	return get_text(arena, f.value, &left, content);
}

const struct own_change *
own_of_call(struct arena *arena, struct span tool, struct span arguments,
    struct span call_id)
{
	struct json_doc doc = json_doc(arena);
	struct own_change own = {.call_id = call_id, .content = SPAN("")};
	struct edits edits = {.arena = arena, .doc = &doc,
	    .left = OWN_MAX_BYTES};
	struct own_change *kept;

	if (span_eq(tool, SPAN("write"))) {
		own.kind = OWN_WRITE;
		if (!read_write(arena, &doc, arguments, &own.content))
			return NULL;
	} else if (span_eq(tool, SPAN("edit"))) {
		own.kind = OWN_EDITS;
		if (!read_edit(&edits, arguments))
			return NULL;
		own.list = edits.list;
		own.n = edits.n;
	} else {
		return NULL;
	}
	kept = arena_alloc(arena, sizeof(*kept));
	*kept = own;
	return kept;
}
