/*
 * json_driver -- tells what the engine makes of texts, for json.mjs.
 *
 * In: texts, framed as frames.h says.  Out: an answer for each: V (JSON), S
 * (JSON but for its UTF-8) or I (neither); behind a V the value, as json.mjs
 * writes it, too.
 */
#include <stdlib.h>

#include "../lib/frames.h"
#include "base/buf.h"
#include "json/json.h"
#include "json/tree.h"

enum { DEPTH_MAX = 100 };

struct dump {
	struct arena *arena;
	const struct json_doc *doc;
	struct buf out;
};

static void
put_hex(struct buf *out, struct span bytes)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < bytes.n; i++) {
		unsigned char c = (unsigned char)bytes.p[i];

		buf_char(out, digits[c >> 4]);
		buf_char(out, digits[c & 15]);
	}
}

/* As a double, and as the whole number that the engine would use. */
static void
put_number(struct dump *dump, struct span value)
{
	double number = strtod(arena_cstr(dump->arena, value), NULL);
	char bytes[sizeof(number)];
	uint64_t bits, whole;

	memcpy(&bits, &number, sizeof(bits));
	for (size_t i = 0; i < sizeof(bytes); i++, bits >>= 8)
		bytes[i] = (char)(bits & 0xff); /* the lowest first */
	put_hex(&dump->out, (struct span){bytes, sizeof(bytes)});
	if (tree_number(tree_parse(dump->arena, value), &whole)) {
		buf_char(&dump->out, '=');
		buf_u64(&dump->out, whole);
	}
}

static int
by_bytes(const void *a, const void *b)
{
	return span_compare(*(const struct span *)a, *(const struct span *)b);
}

/* The names of OBJECT's members, sorted; equal ones stand side by side. */
static struct span *
sorted_names(struct dump *dump, struct span object, size_t *n)
{
	struct json_items members = json_members(dump->doc, object);
	struct span *names, name, value;
	size_t count = 0;

	while (json_member(&members, &name, &value))
		count++;
	names = arena_array(dump->arena, count + 1, sizeof(*names));
	members = json_members(dump->doc, object);
	*n = 0;
	while (*n < count && json_member(&members, &name, &value))
		names[(*n)++] = name;
	qsort(names, *n, sizeof(*names), by_bytes);
	return names;
}

static void put_value(struct dump *dump, struct span value, int depth);

static void
put_object(struct dump *dump, struct span object, int depth)
{
	struct json_field field;
	struct span *names;
	size_t n;

	names = sorted_names(dump, object, &n);
	buf_char(&dump->out, '{');
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && span_eq(names[i], names[i - 1]))
			continue;
		field.name = names[i];
		json_pick(dump->doc, object, &field, 1);
		put_hex(&dump->out, names[i]);
		buf_char(&dump->out, ':');
		put_value(dump, field.value, depth + 1);
		buf_char(&dump->out, ',');
	}
	buf_char(&dump->out, '}');
}

static void
put_array(struct dump *dump, struct span array, int depth)
{
	struct json_items items = json_items(dump->doc, array);
	struct span item;

	buf_char(&dump->out, '[');
	while (json_next(&items, &item)) {
		put_value(dump, item, depth + 1);
		buf_char(&dump->out, ',');
	}
	buf_char(&dump->out, ']');
}

static void
put_value(struct dump *dump, struct span value, int depth)
{
	struct json_text text;

	if (depth > DEPTH_MAX) {
		buf_char(&dump->out, '~');
		return;
	}
	switch (json_kind(value)) {
	case JSON_ABSENT:
		buf_char(&dump->out, '?');
		break;
	case JSON_NULL:
		buf_char(&dump->out, 'n');
		break;
	case JSON_FALSE:
		buf_char(&dump->out, 'f');
		break;
	case JSON_TRUE:
		buf_char(&dump->out, 't');
		break;
	case JSON_NUMBER:
		put_number(dump, value);
		break;
	case JSON_STRING:
		buf_char(&dump->out, '"');
		if (json_text(dump->arena, value, &text))
			put_hex(&dump->out, text.text);
		break;
	case JSON_ARRAY:
		put_array(dump, value, depth);
		break;
	case JSON_OBJECT:
		put_object(dump, value, depth);
		break;
	}
}

static struct span
answer(struct arena *arena, struct span text)
{
	struct json_doc doc;
	struct dump dump = {arena, &doc, buf_new(arena, 256)};

	if (json_judge(arena, text, &doc)) {
		buf_char(&dump.out, 'V');
		put_value(&dump, json_trim(text), 0);
	} else {
		buf_char(&dump.out, json_syntax(arena, text) ? 'S' : 'I');
	}
	return buf_span(&dump.out);
}

/* Outside of main, whose locals a longjmp may lose. */
static void
serve(struct arena *arena)
{
	struct span text;

	while (frame_read(arena, &text)) {
		frame_write(answer(arena, text));
		arena_reset(arena);
	}
}

int
main(void)
{
	struct arena *arena = arena_new((size_t)1024 * 1024 * 1024);

	if (arena == NULL || setjmp(*arena_guard(arena)) != 0)
		return 1;
	serve(arena);
	arena_free(arena);
	return 0;
}
