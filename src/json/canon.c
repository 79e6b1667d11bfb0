#include "json/canon.h"

#include <stdlib.h>

#include "base/buf.h"
#include "json/emit.h"
#include "json/json.h"

/* Deep enough for anything that is written by hand or by a program. */
enum { DEPTH_MAX = 512 };

struct canon {
	struct arena *arena;
	struct json_doc doc;
	struct buf out;
	unsigned depth;
	const char *fault; /* the first one found */
};

struct canon_member {
	struct span name, value;
};

static void canon_value(struct canon *canon, struct span value);

static void
canon_string(struct canon *canon, struct span value)
{
	struct json_text text;

	if (json_text(canon->arena, value, &text))
		emit_string(&canon->out, text.text);
}

static void
canon_array(struct canon *canon, struct span value)
{
	struct json_items items = json_items(&canon->doc, value);
	struct span item;
	bool first = true;

	buf_char(&canon->out, '[');
	while (canon->fault == NULL && json_next(&items, &item)) {
		if (!first)
			buf_char(&canon->out, ',');
		first = false;
		canon_value(canon, item);
	}
	buf_char(&canon->out, ']');
}

static int
by_name(const void *a, const void *b)
{
	return span_compare(((const struct canon_member *)a)->name,
	    ((const struct canon_member *)b)->name);
}

/* The members of OBJECT, sorted; *N of them. */
static struct canon_member *
sorted_members(struct canon *canon, struct span object, size_t *n)
{
	struct json_items items = json_members(&canon->doc, object);
	struct canon_member *members;
	struct span name, value;
	size_t room = 0;

	while (json_member(&items, &name, &value))
		room++;
	members = arena_array(canon->arena, room, sizeof(*members));
	items = json_members(&canon->doc, object);
	for (*n = 0; *n < room && json_member(&items, &name, &value); ++*n)
		members[*n] = (struct canon_member){name, value};
	qsort(members, *n, sizeof(*members), by_name);
	return members;
}

static void
canon_object(struct canon *canon, struct span value)
{
	size_t n;
	struct canon_member *members = sorted_members(canon, value, &n);

	buf_char(&canon->out, '{');
	for (size_t i = 0; i < n && canon->fault == NULL; i++) {
		if (i > 0 && span_eq(members[i].name, members[i - 1].name)) {
			canon->fault = "an object in it has a name twice.";
			break;
		}
		if (i > 0)
			buf_char(&canon->out, ',');
		emit_string(&canon->out, members[i].name);
		buf_char(&canon->out, ':');
		canon_value(canon, members[i].value);
	}
	buf_char(&canon->out, '}');
}

static void
canon_value(struct canon *canon, struct span value)
{
	if (canon->depth == DEPTH_MAX) {
		canon->fault = "it is nested more than 512 deep.";
		return;
	}
	canon->depth++;
	switch (json_kind(value)) {
	case JSON_STRING:
		canon_string(canon, value);
		break;
	case JSON_ARRAY:
		canon_array(canon, value);
		break;
	case JSON_OBJECT:
		canon_object(canon, value);
		break;
	case JSON_ABSENT:
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
	case JSON_NUMBER:
		buf_add(&canon->out, value);
		break;
	}
	canon->depth--;
}

const char *
canon_json(struct arena *arena, struct span text, struct span *canonical)
{
	struct canon canon = {.arena = arena};

	if (!json_judge(arena, text, &canon.doc))
		return "it is not valid JSON in UTF-8, or something stands "
		       "after it.";
	if (json_ambiguous(arena, text))
		return "a string in it holds a NUL or half a surrogate pair.";
	canon.out = buf_new(arena, text.n + 16);
	canon_value(&canon, json_trim(text));
	*canonical = buf_span(&canon.out);
	return canon.fault;
}
