/*
 * Looking into JSON: with what was learned by judging, and without; as it is,
 * and without its blanks.  (What is JSON is asked of Node: json.mjs.)
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "json/json.h"
#include "json/tree.h"

static const struct span names[] = {
    {"", 0}, {"a", 1}, {"id", 2}, {"type", 4}, {"message", 7}};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

static bool
same(struct span a, struct span b)
{
	return a.p == b.p && a.n == b.n;
}

static void
check_text(struct arena *arena, struct span value)
{
	struct json_text text;
	struct span string;

	if (!json_text(arena, value, &text))
		return;
	EXPECT(text.text.n <= value.n);
	EXPECT(utf8_valid(text.text));
	EXPECT(json_text_is(value, text.text) == !text.lone);
	if (tree_string(tree_parse(arena, value), &string))
		EXPECT(span_eq(string, text.text) && !text.lone &&
		       !span_has(string, '\0'));
	else
		EXPECT(text.lone || span_has(text.text, '\0'));
}

/* Both ways see the same members and items at the same places. */
static void
check_inside(const struct json_doc *judged, struct span value)
{
	const struct json_doc plain = json_doc(judged->arena);
	struct json_field a[NAMES], b[NAMES];
	struct json_items x = json_items(judged, value);
	struct json_items y = json_items(&plain, value);
	struct span one, other;

	for (size_t i = 0; i < NAMES; i++)
		a[i].name = b[i].name = names[i];
	json_pick(judged, value, a, NAMES);
	json_pick(&plain, value, b, NAMES);
	for (size_t i = 0; i < NAMES; i++) {
		EXPECT(same(a[i].value, b[i].value));
		if (a[i].value.p == NULL)
			continue;
		EXPECT(json_valid(judged->arena, a[i].value));
		check_text(judged->arena, a[i].value);
	}
	while (json_next(&x, &one)) {
		EXPECT(json_next(&y, &other) && same(one, other));
		EXPECT(json_valid(judged->arena, one));
		check_text(judged->arena, one);
	}
	EXPECT(!json_next(&y, &other));
}

/* Text that was not judged: nothing is promised but to come back. */
static void
look_into(struct arena *arena, struct span value)
{
	const struct json_doc doc = json_doc(arena);
	struct json_items items = json_items(&doc, value);
	struct json_field fields[NAMES];
	struct json_text text;
	struct span item;

	for (size_t i = 0; i < NAMES; i++)
		fields[i].name = names[i];
	json_pick(&doc, value, fields, NAMES);
	while (json_next(&items, &item))
		(void)json_text(arena, item, &text);
	(void)json_text(arena, value, &text);
	(void)json_text_is(value, SPAN("text"));
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span value = json_trim(input), compact;
	bool valid = json_valid(arena, input);
	struct json_doc doc;

	EXPECT(json_judge(arena, input, &doc) == valid);
	EXPECT(valid == (json_syntax(arena, input) && utf8_valid(input)));
	look_into(arena, value);
	if (!valid)
		return;
	check_text(arena, value);
	check_inside(&doc, value);
	compact = json_compact(arena, value);
	EXPECT(json_valid(arena, compact));
	EXPECT(!span_has(compact, '\n'));
	EXPECT(span_eq(json_compact(arena, compact), compact));
}
