#include "unit.h"

#include "host/pi/own.h"
#include "json/json.h"

/* The change as a text: "old>new;" for each edit, or the content. */
static struct span
told(struct arena *arena, const struct own_change *own)
{
	struct buf text = buf_new(arena, 64);

	if (own == NULL)
		return SPAN("nothing");
	if (own->kind == OWN_WRITE) {
		buf_str(&text, "content ");
		buf_add(&text, own->content);
		return buf_span(&text);
	}
	for (size_t i = 0; i < own->n; i++) {
		buf_add(&text, own->list[i].old_text);
		buf_char(&text, '>');
		buf_add(&text, own->list[i].new_text);
		buf_char(&text, ';');
	}
	return buf_span(&text);
}

#define A_B "{\"oldText\":\"a\",\"newText\":\"b\"}"
#define C_D "{\"newText\":\"d\",\"oldText\":\"c\"}"
#define OLDER "\"oldText\":\"e\",\"newText\":\"f\""

static const struct {
	const char *tool, *arguments, *change;
} calls[] = {
	{"write", "{\"path\":\"p\",\"content\":\"x\\ny\\n\"}",
	    "content x\ny\n"},
	{"write", "{\"content\":\"\"}", "content "},
	{"write", "{\"content\":\"a\",\"content\":\"b\"}", "content b"},
	{"write", "{\"content\":\"\\ud83d\\ude00\"}",
	    "content \xf0\x9f\x98\x80"},
	{"write", "{}", "nothing"},
	{"write", "{\"content\":null}", "nothing"},
	{"write", "{\"content\":1}", "nothing"},
	{"write", "{\"content\":[\"a\"]}", "nothing"},
	{"write", "{\"Content\":\"a\"}", "nothing"},
	{"write", "{\"content\":\"\\ud83d\"}", "nothing"},
	{"write", "\"content\"", "nothing"},
	{"write", "{\"edits\":[" A_B "]}", "nothing"},

	{"edit", "{\"edits\":[" A_B "]}", "a>b;"},
	{"edit", "{\"edits\":[" A_B "," C_D "]}", "a>b;c>d;"},
	{"edit", "{\"edits\":[{\"oldText\":\"a\\n\",\"newText\":\"\"}]}",
	    "a\n>;"},
	{"edit", "{\"edits\":[{\"oldText\":\"\",\"newText\":\"\"}]}", ">;"},
	{"edit", "{\"edits\":[{\"oldText\":\"a\",\"newText\":\"b\",\"x\":1}]}",
	    "a>b;"},
	{"edit", "{\"edits\":[]}", "nothing"},
	{"edit", "{}", "nothing"},
	{"edit", "[]", "nothing"},
	{"edit", "null", "nothing"},
	{"edit", "{\"edits\":[1]}", "nothing"},
	{"edit", "{\"edits\":[" A_B ",{\"oldText\":\"c\"}]}", "nothing"},
	{"edit", "{\"edits\":[" A_B ",{\"newText\":\"c\"}]}", "nothing"},
	{"edit", "{\"edits\":[" A_B ",{\"oldText\":\"c\",\"newText\":null}]}",
	    "nothing"},
	{"edit", "{\"edits\":[{\"oldText\":1,\"newText\":\"b\"}]}", "nothing"},
	{"edit", "{\"edits\":[{\"oldText\":\"\\udc00\",\"newText\":\"b\"}]}",
	    "nothing"},
	{"edit", "{\"edits\":[{\"oldText\":\"a\",\"newText\":\"\\ud800\"}]}",
	    "nothing"},
	{"edit", "{\"content\":\"a\"}", "nothing"},

	/* One edit, without its array. */
	{"edit", "{\"edits\":" A_B "}", "a>b;"},
	{"edit", "{\"edits\":{\"oldText\":\"a\"}}", "nothing"},

	/* JSON in a string. */
	{"edit",
	    "{\"edits\":\"[{\\\"oldText\\\":\\\"a\\\\n\\\","
	    "\\\"newText\\\":\\\"b\\\"}]\"}",
	    "a\n>b;"},
	{"edit",
	    "{\"edits\":\" [{\\\"oldText\\\":\\\"a\\\","
	    "\\\"newText\\\":\\\"b\\\"},{\\\"oldText\\\":\\\"c\\\","
	    "\\\"newText\\\":\\\"\\\"}]\\n\"}",
	    "a>b;c>;"},
	{"edit",
	    "{\"edits\":\"{\\\"oldText\\\":\\\"a\\\","
	    "\\\"newText\\\":\\\"b\\\"}\"}",
	    "a>b;"},
	{"edit", "{\"edits\":\"[{\\\"oldText\\\":\\\"a\\\"}]\"}", "nothing"},
	{"edit", "{\"edits\":\"[\"}", "nothing"},
	{"edit", "{\"edits\":\"\"}", "nothing"},
	{"edit", "{\"edits\":\"[]\"}", "nothing"},
	{"edit", "{\"edits\":\"\\\"[]\\\"\"}", "nothing"},
	{"edit", "{\"edits\":\"\\ud800\"}", "nothing"},

	/* As it once was. */
	{"edit", "{" OLDER "}", "e>f;"},
	{"edit", "{\"path\":\"p\"," OLDER ",\"edits\":[" A_B "]}", "a>b;e>f;"},
	{"edit", "{" OLDER ",\"edits\":" A_B "}", "a>b;e>f;"},
	{"edit",
	    "{" OLDER ",\"edits\":\"[{\\\"oldText\\\":\\\"a\\\","
	    "\\\"newText\\\":\\\"b\\\"}]\"}",
	    "a>b;e>f;"},
	{"edit", "{" OLDER ",\"edits\":[]}", "e>f;"},
	{"edit", "{" OLDER ",\"edits\":null}", "e>f;"},
	{"edit", "{" OLDER ",\"edits\":\"\"}", "e>f;"},
	{"edit", "{" OLDER ",\"edits\":{\"oldText\":\"a\"}}", "e>f;"},
	{"edit", "{" OLDER ",\"edits\":[{}]}", "nothing"},
	{"edit", "{\"oldText\":\"e\"}", "nothing"},
	{"edit", "{\"oldText\":\"e\",\"edits\":[" A_B "]}", "a>b;"},
	{"edit", "{\"oldText\":\"e\",\"newText\":\"\\ud800\"}", "nothing"},

	/* Other tools. */
	{"read", "{\"content\":\"a\",\"edits\":[" A_B "]}", "nothing"},
	{"Edit", "{\"edits\":[" A_B "]}", "nothing"},
	{"", "{\"content\":\"a\"}", "nothing"},
};

static void
the_arguments_say_what_changes(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		struct span arguments = unit_exact(arena,
		    span_str(calls[i].arguments));
		const struct own_change *own;
		struct span change;

		CHECK(json_valid(arena, arguments), "no JSON: %s",
		    calls[i].arguments);
		own = own_of_call(arena, span_str(calls[i].tool), arguments,
		    SPAN("id"));
		change = told(arena, own);
		CHECK(span_eq(change, span_str(calls[i].change)),
		    "%s: %.*s", calls[i].arguments, (int)change.n, change.p);
		if (own != NULL)
			ASSERT_TEXT(own->call_id, "id");
	}
}

static void
arguments_that_are_not_there(struct arena *arena)
{
	const struct span absent = {NULL, 0};

	assert_null(own_of_call(arena, SPAN("edit"), absent, SPAN("id")));
	assert_null(own_of_call(arena, SPAN("write"), absent, SPAN("id")));
}

static void
nul_is_text(struct arena *arena)
{
	const struct own_change *own = own_of_call(arena, SPAN("write"),
	    SPAN("{\"content\":\"a\\u0000b\"}"), SPAN("id"));

	assert_non_null(own);
	ASSERT_SPAN(own->content, SPAN("a\0b"));
}

/* ---- limits ---- */

static const struct own_change *
write_of(struct arena *arena, struct span unit, size_t times)
{
	struct buf text = buf_new(arena, 64);

	buf_str(&text, "{\"content\":\"");
	buf_add(&text, unit_repeat(arena, unit, times));
	buf_str(&text, "\"}");
	return own_of_call(arena, SPAN("write"), buf_span(&text), SPAN("id"));
}

/* An edit of OLD_BYTES and NEW_BYTES, as it stands in an array. */
static struct span
edit_of(struct arena *arena, size_t old_bytes, size_t new_bytes)
{
	struct buf text = buf_new(arena, 64);

	buf_str(&text, "{\"oldText\":\"");
	buf_add(&text, unit_repeat(arena, SPAN("x"), old_bytes));
	buf_str(&text, "\",\"newText\":\"");
	buf_add(&text, unit_repeat(arena, SPAN("x"), new_bytes));
	buf_str(&text, "\"}");
	return buf_span(&text);
}

static const struct own_change *
edits_of(struct arena *arena, struct span edit, size_t times)
{
	struct buf text = buf_new(arena, 64);

	buf_str(&text, "{\"edits\":[");
	for (size_t i = 0; i < times; i++) {
		buf_str(&text, i > 0 ? "," : "");
		buf_add(&text, edit);
	}
	buf_str(&text, "]}");
	return own_of_call(arena, SPAN("edit"), buf_span(&text), SPAN("id"));
}

static void
what_is_too_large_is_nothing(struct arena *arena)
{
	const size_t half = OWN_MAX_BYTES / 2, quarter = half / 2;

	assert_non_null(write_of(arena, SPAN("x"), OWN_MAX_BYTES));
	assert_null(write_of(arena, SPAN("x"), OWN_MAX_BYTES + 1));
	/* The text counts, not how it is written. */
	assert_non_null(write_of(arena, SPAN("\\u0001"), OWN_MAX_BYTES));
	assert_null(write_of(arena, SPAN("\\u0001"), OWN_MAX_BYTES + 1));

	assert_non_null(edits_of(arena, edit_of(arena, half, half), 1));
	assert_null(edits_of(arena, edit_of(arena, half, half + 1), 1));
	assert_null(edits_of(arena, edit_of(arena, half + 1, half), 1));
	assert_non_null(edits_of(arena, edit_of(arena, quarter, quarter), 2));
	assert_null(edits_of(arena, edit_of(arena, quarter, quarter + 1), 2));
}

static void
many_edits(struct arena *arena)
{
	const struct own_change *own = edits_of(arena, SPAN(A_B), 1000);

	assert_non_null(own);
	assert_int_equal(own->n, 1000);
	assert_null(edits_of(arena, SPAN(A_B), 1001));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_arguments_say_what_changes),
		TEST(arguments_that_are_not_there),
		TEST(nul_is_text),
		TEST(what_is_too_large_is_nothing),
		TEST(many_edits),
	};

	return RUN_TESTS(tests);
}
