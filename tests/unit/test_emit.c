#include "unit_json.h"

#include "json/emit.h"
#include "json/json.h"

static void
escapes(struct arena *arena)
{
	static const struct {
		struct span text;
		const char *json;
	} rows[] = {
		{LIT(""), "\"\""},
		{LIT("plain"), "\"plain\""},
		{LIT("\""), "\"\\\"\""},
		{LIT("\\"), "\"\\\\\""},
		{LIT("/"), "\"/\""},
		{LIT("\b\t\n\f\r"), "\"\\b\\t\\n\\f\\r\""},
		{LIT("\v"), "\"\\u000b\""},
		{LIT("\0"), "\"\\u0000\""},
		{LIT("a\0b"), "\"a\\u0000b\""},
		{LIT("\x1f\x1b"), "\"\\u001f\\u001b\""},
		{LIT("\x7f"), "\"\x7f\""},
		{LIT("caf\xc3\xa9 \xf0\x9f\x98\x80"),
		    "\"caf\xc3\xa9 \xf0\x9f\x98\x80\""},
		{LIT("\n\n"), "\"\\n\\n\""},
		{LIT("\"a\"b\""), "\"\\\"a\\\"b\\\"\""},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf out = buf_new(arena, 0);

		emit_string(&out, unit_exact(arena, rows[i].text));
		ASSERT_TEXT(buf_span(&out), rows[i].json);
	}
}

static void
is_read_as(struct span json, struct span text)
{
	cJSON *tree = unit_json(json);

	assert_true(cJSON_IsString(tree));
	ASSERT_SPAN(span_str(tree->valuestring), text);
	cJSON_Delete(tree);
}

/* Whatever the bytes below 0x80 are, they come back. */
static void
comes_back(struct arena *arena)
{
	struct chance chance = chance_new(14);

	for (int i = 0; i < 5000; i++) {
		char bytes[40];
		struct span text = {bytes, chance_below(&chance, 41)};
		struct buf out = buf_new(arena, 0);
		struct json_text back;

		for (size_t k = 0; k < text.n; k++)
			bytes[k] = (char)chance_below(&chance, 128);
		emit_string(&out, text);
		assert_true(json_valid(arena, buf_span(&out)));
		assert_false(span_has(buf_span(&out), '\n'));
		assert_true(json_text(arena, buf_span(&out), &back));
		ASSERT_SPAN(back.text, text);
		assert_true(json_text_is(buf_span(&out), text));
		if (!span_has(text, '\0'))
			is_read_as(buf_span(&out), text);
		arena_reset(arena);
	}
}

static void
members(struct arena *arena)
{
	struct buf out = buf_new(arena, 0);

	buf_char(&out, '{');
	emit_string_member(&out, "a", SPAN("x\"y"));
	emit_number_member(&out, "b", 9007199254740991);
	emit_name(&out, "c");
	buf_char(&out, '{');
	emit_number_member(&out, "d", 0);
	buf_str(&out, "}}");
	unit_is_json(buf_span(&out));
	ASSERT_TEXT(buf_span(&out),
	    "{\"a\":\"x\\\"y\",\"b\":9007199254740991,\"c\":{\"d\":0}}");
}

/* A value that ends with a brace is no beginning of an object. */
static void
commas(struct arena *arena)
{
	struct buf out = buf_new(arena, 0);

	buf_char(&out, '{');
	emit_string_member(&out, "a", SPAN("{"));
	emit_string_member(&out, "b", SPAN("}"));
	buf_char(&out, '}');
	unit_is_json(buf_span(&out));
	ASSERT_TEXT(buf_span(&out), "{\"a\":\"{\",\"b\":\"}\"}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(escapes),
		TEST(comes_back),
		TEST(members),
		TEST(commas),
	};

	return RUN_TESTS(tests);
}
