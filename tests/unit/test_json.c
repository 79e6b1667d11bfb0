#include "unit.h"

#include "base/digest.h"
#include "base/utf8.h"
#include "json/json.h"

/* ---- judging: what JSON.parse takes ---- */

static const struct span valid[] = {
	LIT("0"), LIT("-0"), LIT("1"), LIT("-1"), LIT("10"), LIT("0.5"),
	LIT("-0.5"), LIT("1.50"), LIT("1e5"), LIT("1E5"), LIT("1e+5"),
	LIT("1e-5"), LIT("0e0"), LIT("0.0e00"), LIT("1e400"),
	LIT("123456789012345678901234567890"), LIT("true"), LIT("false"),
	LIT("null"), LIT("\"\""), LIT("\"a\""), LIT("[]"), LIT("{}"),
	LIT("[ ]"), LIT("{ }"), LIT("[\n]"), LIT("{\t}"), LIT("[1]"),
	LIT("[1,2]"), LIT("[ 1 , 2 ]"), LIT("[[],{}]"), LIT("[[[]]]"),
	LIT("{\"a\":1}"), LIT("{ \"a\" : 1 , \"b\" : 2 }"),
	LIT("{\"a\":1,\"a\":2}"), LIT("{\"\":{}}"), LIT("{\"a\":[]}"),
	LIT("{\"a\":{\"b\":{}}}"), LIT("[{\"a\":1},{\"a\":1}]"),
	/* blanks around */
	LIT(" 1"), LIT("1 "), LIT("\t\n\r 1\r\n\t "), LIT("\n{}\n"),
	/* strings */
	LIT("\"\\\"\""), LIT("\"\\\\\""), LIT("\"\\/\""), LIT("\"/\""),
	LIT("\"\\b\\f\\n\\r\\t\""), LIT("\"\\u0041\""), LIT("\"\\u00e9\""),
	LIT("\"\\uABCD\\uabcd\""), LIT("\"\\u0000\""), LIT("\"\x7f\""),
	LIT("\"'\""), LIT("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""),
	LIT("\"\xe2\x80\xa8\xe2\x80\xa9\""), /* U+2028, U+2029 */
	LIT("\"\xef\xbb\xbf\""), LIT("\"\xc2\xa0\""),
	LIT("\"\\\\\\\\\\\"\""), LIT("\"[{,:}]\""), LIT("\"//\""),
	/* lone surrogates, as escapes */
	LIT("\"\\ud800\""), LIT("\"\\udc00\""), LIT("\"\\udc00\\ud800\""),
	LIT("\"\\ud800x\""), LIT("\"\\ud83d\\ude00\""),
	LIT("{\"\\ud800\":1}"),
	/* a text of many words */
	LIT("\"0123456789012345678901234567890123456789\\n0123456789\""),
};

static const struct span invalid[] = {
	LIT(""), LIT(" "), LIT("\n"),
	/* numbers */
	LIT("01"), LIT("-01"), LIT("00"), LIT("1."), LIT("-1."), LIT(".5"),
	LIT("-.5"), LIT("1e"), LIT("1e+"), LIT("1.e5"), LIT("1.5e"),
	LIT("+1"), LIT("-"), LIT("--1"), LIT("- 1"), LIT("1 2"), LIT("1_0"),
	LIT("0x10"), LIT("0b1"), LIT("1n"), LIT("1e5.5"), LIT("NaN"),
	LIT("Infinity"), LIT("-Infinity"), LIT("1a"), LIT("\xd9\xa1"),
	/* words */
	LIT("True"), LIT("TRUE"), LIT("tru"), LIT("truex"), LIT("true1"),
	LIT("nul"), LIT("nulll"), LIT("None"), LIT("undefined"), LIT("a"),
	LIT("truefalse"),
	/* strings */
	LIT("\""), LIT("\"a"), LIT("a\""), LIT("'a'"), LIT("`a`"),
	LIT("\"a\"\""), LIT("\"\\\""), LIT("\"\\"), LIT("\"\\x41\""),
	LIT("\"\\a\""), LIT("\"\\v\""), LIT("\"\\0\""), LIT("\"\\'\""),
	LIT("\"\\U0041\""), LIT("\"\\u\""), LIT("\"\\u0\""),
	LIT("\"\\u00\""), LIT("\"\\u004\""), LIT("\"\\u004g\""),
	LIT("\"\\u 041\""), LIT("\"\\u+041\""), LIT("\"\\u-001\""),
	LIT("\"\\u{41}\""), LIT("\"\\\n\""), LIT("\"\\\0\""),
	LIT("\"a\nb\""), LIT("\"a\tb\""), LIT("\"a\rb\""), LIT("\"a\0b\""),
	LIT("\"\x01\""), LIT("\"\x1f\""), LIT("\"01234567\x1f 01234567\""),
	LIT("\"0123456\n\""),
	/* arrays */
	LIT("["), LIT("]"), LIT("[1"), LIT("[1,"), LIT("[1,]"), LIT("[,1]"),
	LIT("[,]"), LIT("[1,,2]"), LIT("[1 2]"), LIT("[1:2]"), LIT("[1]]"),
	LIT("[1}"), LIT("[}"), LIT("[[]"), LIT("[\"a\""), LIT("[1;2]"),
	/* objects */
	LIT("{"), LIT("}"), LIT("{]"), LIT("{\"a\""), LIT("{\"a\":"),
	LIT("{\"a\":1"), LIT("{\"a\":1,"), LIT("{\"a\":1,}"),
	LIT("{,\"a\":1}"), LIT("{,}"), LIT("{\"a\"}"), LIT("{\"a\":}"),
	LIT("{\"a\" 1}"), LIT("{\"a\"=1}"), LIT("{\"a\"::1}"),
	LIT("{\"a\":1 \"b\":2}"), LIT("{\"a\":1;\"b\":2}"), LIT("{a:1}"),
	LIT("{'a':1}"), LIT("{1:1}"), LIT("{null:1}"), LIT("{[]:1}"),
	LIT("{\"a\":1]"), LIT("{\"a\":1}}"), LIT("{\"a\":1,1}"),
	LIT("{\"a\",1}"), LIT("{{}}"), LIT("{\"a\":1:2}"),
	/* more than one value, and what is no blank */
	LIT("{} {}"), LIT("[] 1"), LIT("null null"), LIT("{},"), LIT("1,"),
	LIT(",1"), LIT(":1"), LIT("{}x"), LIT("{}\0"), LIT("\0{}"),
	LIT("\f1"), LIT("\v1"), LIT("\b1"), LIT("1\f"),
	LIT("\xc2\xa0" "1"), LIT("1\xc2\xa0"), LIT("[1,\xc2\xa0" "2]"),
	LIT("\xe2\x80\xa8" "1"), LIT("\xe3\x80\x80{}"),
	LIT("\xef\xbb\xbf{}"), /* BOM */
	/* comments */
	LIT("// x\n1"), LIT("1 // x"), LIT("/* x */ 1"), LIT("1/**/"),
	LIT("[1,/**/2]"), LIT("# x\n1"),
	/* what is not UTF-8 */
	LIT("\"\xff\""), LIT("\"\xc3\""), LIT("\"\xc3(\""),
	LIT("\"\xc0\x80\""), LIT("\"\xe2\x82\""), LIT("\"\xed\xa0\x80\""),
	LIT("\"\xf0\x9f\x98\""), LIT("\"\xf4\x90\x80\x80\""),
	LIT("\"\xe9\""), LIT("{\"\xff\":1}"), LIT("\"0123456\xff\""),
	LIT("\"\x80\""),
};

static bool
judge_both(struct arena *arena, struct span text)
{
	struct json_doc doc;
	bool good = json_valid(arena, text);

	CHECK(json_judge(arena, text, &doc) == good,
	    "json_judge differs: %.*s", (int)text.n, text.p);
	return good;
}

static void
judging(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(valid); i++)
		CHECK(judge_both(arena, unit_exact(arena, valid[i])),
		    "refused: %s", valid[i].p);
	for (size_t i = 0; i < COUNT_OF(invalid); i++)
		CHECK(!judge_both(arena, unit_exact(arena, invalid[i])),
		    "taken: %s", invalid[i].p);
}

/* The same judgement, but for what the bytes of a string are. */
static void
judging_syntax_alone(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(valid); i++)
		CHECK(json_syntax(arena, unit_exact(arena, valid[i])),
		    "refused: %s", valid[i].p);
	for (size_t i = 0; i < COUNT_OF(invalid); i++) {
		bool in_string = invalid[i].n > 0 &&
		    (invalid[i].p[0] == '"' || invalid[i].p[0] == '{') &&
		    !utf8_valid(invalid[i]);

		CHECK(json_syntax(arena, unit_exact(arena, invalid[i])) ==
			in_string,
		    "%s", invalid[i].p);
	}
}

static void
trimming(struct arena *arena)
{
	static const struct {
		struct span text, trimmed;
	} rows[] = {
		{LIT(""), LIT("")},
		{LIT(" \t\r\n"), LIT("")},
		{LIT("a"), LIT("a")},
		{LIT(" \n a b \t\r"), LIT("a b")},
		/* NUL and the blanks of others are none here. */
		{LIT("\0a\0"), LIT("\0a\0")},
		{LIT("\f a \v"), LIT("\f a \v")},
		{LIT("\xc2\xa0" "a"), LIT("\xc2\xa0" "a")},
		{LIT("\xef\xbb\xbf" "a"), LIT("\xef\xbb\xbf" "a")},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		ASSERT_SPAN(json_trim(unit_exact(arena, rows[i].text)),
		    rows[i].trimmed);
}

/* Each in its turn at the end of an array and of an object. */
static void
judging_inside(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(valid); i++) {
		struct span array = unit_join(arena,
		    unit_join(arena, SPAN("[0,"), valid[i]), SPAN("]"));
		struct span object = unit_join(arena,
		    unit_join(arena, SPAN("{\"k\":"), valid[i]), SPAN("}"));

		CHECK(judge_both(arena, array), "refused: [0,%s]", valid[i].p);
		CHECK(judge_both(arena, object), "refused: {\"k\":%s}",
		    valid[i].p);
		/* No valid text is valid with one more value behind it. */
		assert_false(judge_both(arena,
		    unit_join(arena, array, valid[i])));
	}
}

/* The word-wise search must see an end at every place of a word. */
static void
judging_long_strings(struct arena *arena)
{
	static const struct {
		const char *piece;
		bool good;
	} rows[] = {
		{"\\n", true}, {"\\\\", true}, {"\\\"", true},
		{"\\u0041", true}, {"\x7f", true}, {"\xc3\xa9", true},
		{"!", true}, {"#", true}, {"[", true}, {"]", true},
		{"\n", false}, {"\x1f", false}, {"\x01", false},
		{"\\x", false}, {"\\u004", false}, {"\"", false},
		{"\xa2", false}, {"\xdc", false},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		for (size_t before = 0; before < 20; before++) {
			for (size_t after = 0; after < 12; after++) {
				struct buf text = buf_new(arena, 64);

				buf_char(&text, '"');
				buf_add(&text, unit_repeat(arena, SPAN("a"),
				    before));
				buf_str(&text, rows[i].piece);
				buf_add(&text, unit_repeat(arena, SPAN("z"),
				    after));
				buf_char(&text, '"');
				CHECK(judge_both(arena, unit_exact(arena,
					buf_span(&text))) == rows[i].good,
				    "row %zu, %zu before, %zu after", i,
				    before, after);
			}
		}
		arena_reset(arena);
	}
}

static void
judging_depth(struct arena *arena)
{
	const size_t depth = 200000;
	struct span open = unit_repeat(arena, SPAN("["), depth);
	struct span close = unit_repeat(arena, SPAN("]"), depth);
	struct span keys = unit_repeat(arena, SPAN("{\"a\":"), depth);
	struct span ends = unit_repeat(arena, SPAN("}"), depth);
	struct span mixed = unit_repeat(arena, SPAN("[{\"a\":"), depth / 2);
	struct span mixed_ends = unit_repeat(arena, SPAN("}]"), depth / 2);

	assert_true(judge_both(arena, unit_join(arena, open, close)));
	assert_true(judge_both(arena, unit_join(arena,
	    unit_join(arena, keys, SPAN("1")), ends)));
	assert_true(judge_both(arena, unit_join(arena,
	    unit_join(arena, mixed, SPAN("null")), mixed_ends)));
	assert_false(judge_both(arena, open));
	assert_false(judge_both(arena, keys));
	assert_false(judge_both(arena, unit_join(arena, open,
	    span_of(close.p, depth - 1))));
	assert_false(judge_both(arena, unit_join(arena,
	    unit_join(arena, open, close), SPAN("]"))));
	assert_false(judge_both(arena, unit_join(arena, keys, ends)));
	/* One bracket of the wrong kind, deep inside. */
	assert_false(judge_both(arena, unit_join(arena,
	    unit_join(arena, open, SPAN("}")), close)));
	assert_false(judge_both(arena, unit_join(arena,
	    unit_join(arena, unit_join(arena, mixed, SPAN("1")),
		mixed_ends), SPAN("}"))));
}

/* ---- the grammar once more, by descent ---- */

struct naive {
	const char *p, *end;
};

static bool
naive_take(struct naive *n, char c)
{
	if (n->p == n->end || *n->p != c)
		return false;
	n->p++;
	return true;
}

static void
naive_blanks(struct naive *n)
{
	while (n->p < n->end && *n->p != '\0' && strchr(" \t\r\n", *n->p))
		n->p++;
}

static size_t
naive_run(struct naive *n, const char *set)
{
	size_t count = 0;

	while (n->p < n->end && *n->p != '\0' && strchr(set, *n->p)) {
		n->p++;
		count++;
	}
	return count;
}

static bool
naive_number(struct naive *n)
{
	(void)naive_take(n, '-');
	if (!naive_take(n, '0') && naive_run(n, "0123456789") == 0)
		return false;
	if (naive_take(n, '.') && naive_run(n, "0123456789") == 0)
		return false;
	if (naive_take(n, 'e') || naive_take(n, 'E')) {
		if (!naive_take(n, '+'))
			(void)naive_take(n, '-');
		return naive_run(n, "0123456789") > 0;
	}
	return true;
}

static bool
naive_string(struct naive *n)
{
	if (!naive_take(n, '"'))
		return false;
	while (n->p < n->end && *n->p != '"') {
		if ((unsigned char)*n->p < 0x20)
			return false;
		if (*n->p++ != '\\')
			continue;
		if (naive_take(n, 'u')) {
			for (int i = 0; i < 4; i++) {
				if (n->p == n->end || *n->p == '\0' ||
				    !strchr("0123456789abcdefABCDEF", *n->p))
					return false;
				n->p++;
			}
		} else if (n->p == n->end || *n->p == '\0' ||
		    !strchr("\"\\/bfnrt", *n->p++)) {
			return false;
		}
	}
	return naive_take(n, '"');
}

static bool naive_value(struct naive *n);

static bool
naive_container(struct naive *n, char close)
{
	n->p++;
	naive_blanks(n);
	if (naive_take(n, close))
		return true;
	for (;;) {
		naive_blanks(n);
		if (close == '}') {
			if (!naive_string(n))
				return false;
			naive_blanks(n);
			if (!naive_take(n, ':'))
				return false;
		}
		if (!naive_value(n))
			return false;
		if (naive_take(n, close))
			return true;
		if (!naive_take(n, ','))
			return false;
	}
}

static bool
naive_word(struct naive *n, const char *word)
{
	for (; *word != '\0'; word++)
		if (!naive_take(n, *word))
			return false;
	return true;
}

/* A value and the blanks around it. */
static bool
naive_value(struct naive *n)
{
	bool good;

	naive_blanks(n);
	if (n->p == n->end)
		return false;
	switch (*n->p) {
	case '{':
		good = naive_container(n, '}');
		break;
	case '[':
		good = naive_container(n, ']');
		break;
	case '"':
		good = naive_string(n);
		break;
	case 't':
		good = naive_word(n, "true");
		break;
	case 'f':
		good = naive_word(n, "false");
		break;
	case 'n':
		good = naive_word(n, "null");
		break;
	default:
		good = naive_number(n);
		break;
	}
	naive_blanks(n);
	return good;
}

static bool
naive_valid(struct span text)
{
	struct naive n = {text.p, text.p + text.n};

	return naive_value(&n) && n.p == n.end && utf8_valid(text);
}

/* ---- random texts ---- */

static const char *const scalars[] = {"0", "-1.5e3", "true", "false", "null",
	"\"\"", "\"abc\"", "\"\\n\\\"\\\\\"", "\"\\u00e9\\ud83d\\ude00\"",
	"\"\\ud800\"", "\"{[,:]}\"", "\"\xc3\xa9\xf0\x9f\x98\x80\"",
	"\"a long text that fills more than one word of memory\"",
	"\"\\u0000\"", "\"\\\\\"", "12345678901234567890"};

static const char *const blanks[] = {"", "", "", " ", "\n", "\t ", "\r\n"};

static void
add_blank(struct buf *buf, struct chance *chance)
{
	buf_str(buf, blanks[chance_below(chance, COUNT_OF(blanks))]);
}

static void
add_value(struct buf *buf, struct chance *chance, int depth)
{
	size_t kind = chance_below(chance, depth > 0 ? 4 : 2);
	size_t members = chance_below(chance, 5);

	if (kind < 2) {
		buf_str(buf, scalars[chance_below(chance, COUNT_OF(scalars))]);
		return;
	}
	buf_char(buf, kind == 2 ? '[' : '{');
	for (size_t i = 0; i < members; i++) {
		add_blank(buf, chance);
		if (kind == 3) {
			buf_str(buf, "\"k");
			buf_u64(buf, chance_below(chance, 4));
			buf_char(buf, '"');
			add_blank(buf, chance);
			buf_char(buf, ':');
			add_blank(buf, chance);
		}
		add_value(buf, chance, depth - 1);
		add_blank(buf, chance);
		if (i + 1 < members)
			buf_char(buf, ',');
	}
	add_blank(buf, chance);
	buf_char(buf, kind == 2 ? ']' : '}');
}

static struct span
random_value(struct arena *arena, struct chance *chance, int depth)
{
	struct buf buf = buf_new(arena, 256);

	add_value(&buf, chance, depth);
	return buf_span(&buf);
}

/* TEXT with some bytes changed, taken away or put in. */
static struct span
mutated(struct arena *arena, struct chance *chance, struct span text)
{
	static const char bytes[] = "{}[]\",:\\ue0-19tn \n\t\0\xff\xc3";
	struct buf buf = buf_new(arena, text.n);
	size_t rate = 1 + text.n / (1 + chance_below(chance, 3));

	for (size_t i = 0; i < text.n; i++) {
		size_t luck = chance_below(chance, rate + 1);

		if (luck == 0)
			buf_char(&buf,
			    bytes[chance_below(chance, sizeof(bytes) - 1)]);
		else if (luck > 1 || chance_below(chance, 2) == 0)
			buf_char(&buf, text.p[i]);
	}
	return buf_span(&buf);
}

static void
judging_at_random(struct arena *arena)
{
	struct chance chance = chance_new(9);
	int good = 0, rounds = 20000;

	for (int i = 0; i < rounds; i++) {
		struct span text = random_value(arena, &chance, 6);
		bool expected;

		if (i % 4 != 0)
			text = mutated(arena, &chance, text);
		text = unit_exact(arena, text);
		expected = naive_valid(text);
		CHECK(judge_both(arena, text) == expected, "%d: %.*s",
		    expected, (int)text.n, text.p);
		CHECK(i % 4 != 0 || expected, "made: %.*s", (int)text.n,
		    text.p);
		good += expected;
		if (i % 100 == 0)
			arena_reset(arena);
	}
	/* Both answers must have been asked for. */
	assert_true(good > rounds / 4 && good < rounds * 3 / 4);
}

/* ---- looking ---- */

static void
kinds(struct arena *arena)
{
	static const struct {
		struct span value;
		enum json_kind kind;
	} rows[] = {
		{LIT("null"), JSON_NULL},
		{LIT("true"), JSON_TRUE},
		{LIT("false"), JSON_FALSE},
		{LIT("0"), JSON_NUMBER},
		{LIT("-1"), JSON_NUMBER},
		{LIT("\"null\""), JSON_STRING},
		{LIT("[]"), JSON_ARRAY},
		{LIT("{}"), JSON_OBJECT},
		{{NULL, 0}, JSON_ABSENT},
	};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(json_kind(rows[i].value) == rows[i].kind, "row %zu", i);
}

/* What is found under "id" in an object, or NULL if nothing is. */
static const struct {
	struct span object;
	const char *value;
} picks[] = {
	{LIT("{}"), NULL},
	{LIT("{\"id\":1}"), "1"},
	{LIT("{ \"id\" : 1 }"), "1"},
	{LIT("{\n\t\"id\"\r\n:\n1\n,\"x\":2}"), "1"},
	{LIT("{\"x\":0,\"id\":1,\"y\":2}"), "1"},
	{LIT("{\"id\":null}"), "null"},
	{LIT("{\"id\":\"\"}"), "\"\""},
	{LIT("{\"id\":[1,{\"a\":2}],\"x\":3}"), "[1,{\"a\":2}]"},
	{LIT("{\"id\":{}}"), "{}"},
	{LIT("{\"id\":-1.5e3}"), "-1.5e3"},
	/* the last one counts */
	{LIT("{\"id\":1,\"id\":2}"), "2"},
	{LIT("{\"id\":1,\"x\":3,\"id\":null}"), "null"},
	{LIT("{\"id\":1,\"\\u0069d\":2}"), "2"},
	{LIT("{\"\\u0069d\":1,\"id\":2}"), "2"},
	/* names are compared after decoding */
	{LIT("{\"\\u0069d\":1}"), "1"},
	{LIT("{\"\\u0069\\u0064\":1}"), "1"},
	{LIT("{\"i\\u0064\":1}"), "1"},
	{LIT("{\"\\\\u0069d\":1}"), NULL},
	/* every letter counts */
	{LIT("{\"ID\":1}"), NULL},
	{LIT("{\"Id\":1}"), NULL},
	{LIT("{\"id \":1}"), NULL},
	{LIT("{\" id\":1}"), NULL},
	{LIT("{\"i\":1,\"idx\":2,\"xid\":3}"), NULL},
	{LIT("{\"id\\u0000\":1}"), NULL},
	{LIT("{\"\":1}"), NULL},
	/* look-alikes inside of values and names */
	{LIT("{\"x\":{\"id\":1}}"), NULL},
	{LIT("{\"x\":[\"id\",1]}"), NULL},
	{LIT("{\"x\":\"\\\"id\\\":1\"}"), NULL},
	{LIT("{\"x\":\"id\",\"id\":1}"), "1"},
	{LIT("{\"x\":{\"id\":1},\"id\":2,\"y\":{\"id\":3}}"), "2"},
	{LIT("{\"x\":\"}\",\"id\":1}"), "1"},
	{LIT("{\"x\":\"{[\",\"id\":1}"), "1"},
	{LIT("{\"x\":[\"]}\"],\"id\":1}"), "1"},
	{LIT("{\"x\":\"\\\"\",\"id\":1}"), "1"},
	{LIT("{\"x\":\"\\\\\",\"id\":1}"), "1"},
	{LIT("{\"x\":\"\\\\\\\"\",\"id\":1}"), "1"},
	{LIT("{\"x\":\"\\\\\\\\\",\"id\":1}"), "1"},
	{LIT("{\"\\\\\":0,\"id\":1}"), "1"},
	{LIT("{\"\\\"id\":0,\"id\\\"\":2}"), NULL},
	{LIT("{\"x\":{\"y\":\"\\\\\"},\"id\":1}"), "1"},
	/* what is no object */
	{LIT("[\"id\",1]"), NULL},
	{LIT("\"id\""), NULL},
	{LIT("\"{\\\"id\\\":1}\""), NULL},
	{LIT("null"), NULL},
	{LIT("1"), NULL},
	{{NULL, 0}, NULL},
};

static void
check_pick(const struct json_doc *doc, struct span object, const char *value)
{
	/* Left-overs of an earlier call must not be taken for finds. */
	struct json_field field = {SPAN("id"), SPAN("old")};

	json_pick(doc, object, &field, 1);
	if (value == NULL) {
		CHECK(field.value.p == NULL &&
			json_kind(field.value) == JSON_ABSENT,
		    "found in %.*s", (int)object.n, object.p);
		return;
	}
	CHECK(field.value.p != NULL, "not found in %.*s", (int)object.n,
	    object.p);
	ASSERT_TEXT(field.value, value);
}

static void
picking(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(picks); i++) {
		struct json_doc doc = json_doc(arena);
		struct span object = picks[i].object;

		check_pick(&doc, object, picks[i].value);
		if (object.p == NULL)
			continue;
		object = unit_exact(arena, object);
		assert_true(json_judge(arena, object, &doc));
		check_pick(&doc, object, picks[i].value);
	}
}

static void
picking_several(struct arena *arena)
{
	struct json_field f[] = {{.name = SPAN("a")}, {.name = SPAN("b")},
	    {.name = SPAN("c")}, {.name = SPAN("a")}};
	struct json_doc doc = json_doc(arena);

	json_pick(&doc, SPAN("{\"b\":[2],\"a\":1,\"d\":4}"), f, 4);
	ASSERT_TEXT(f[0].value, "1");
	ASSERT_TEXT(f[1].value, "[2]");
	assert_null(f[2].value.p);
	ASSERT_TEXT(f[3].value, "1");
	json_pick(&doc, SPAN("{}"), f, 4);
	for (size_t i = 0; i < COUNT_OF(f); i++)
		assert_null(f[i].value.p);
	json_pick(&doc, SPAN("{\"a\":1}"), f, 0);
}

static void
going_through_objects(struct arena *arena)
{
	struct span text =
	    SPAN("{\"a\":1, \"\\u0062\" :[2,{\"c\":3}],\"a\":{}}");
	static const char *const names[] = {"a", "b", "a"};
	static const char *const values[] = {"1", "[2,{\"c\":3}]", "{}"};
	struct json_items members;
	struct json_doc doc;
	struct span name, value;

	assert_true(json_judge(arena, text, &doc));
	members = json_members(&doc, text);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_true(json_member(&members, &name, &value));
		ASSERT_TEXT(name, names[i]);
		ASSERT_TEXT(value, values[i]);
	}
	assert_false(json_member(&members, &name, &value));

	members = json_members(&doc, SPAN("[1]"));
	assert_false(json_member(&members, &name, &value));
	members = json_members(&doc, SPAN("{}"));
	assert_false(json_member(&members, &name, &value));
}

static void
going_through_arrays(struct arena *arena)
{
	static const struct {
		struct span array;
		const char *items[6];
	} rows[] = {
		{LIT("[]"), {NULL}},
		{LIT("[ ]"), {NULL}},
		{LIT("[1]"), {"1"}},
		{LIT("[1,2,3]"), {"1", "2", "3"}},
		{LIT("[ 1 ,\n2\t, 3 ]"), {"1", "2", "3"}},
		{LIT("[[],{},[[]]]"), {"[]", "{}", "[[]]"}},
		{LIT("[[1,2],{\"a\":[3]},\"x\"]"),
		    {"[1,2]", "{\"a\":[3]}", "\"x\""}},
		{LIT("[\"a,b\",\"]\",\"\\\"\",\"\\\\\"]"),
		    {"\"a,b\"", "\"]\"", "\"\\\"\"", "\"\\\\\""}},
		{LIT("[null,true,false,-1.5e+3,\"\"]"),
		    {"null", "true", "false", "-1.5e+3", "\"\""}},
		{LIT("{\"a\":1}"), {NULL}},
		{LIT("\"[1]\""), {NULL}},
		{LIT("null"), {NULL}},
		{{NULL, 0}, {NULL}},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct json_doc doc = json_doc(arena);
		struct json_items items = json_items(&doc, rows[i].array);
		struct span value;
		size_t n = 0;

		for (; json_next(&items, &value); n++) {
			CHECK(rows[i].items[n] != NULL, "row %zu: too many",
			    i);
			ASSERT_TEXT(value, rows[i].items[n]);
		}
		CHECK(rows[i].items[n] == NULL, "row %zu: %zu items", i, n);
	}
}

/* ---- strings ---- */

static const struct {
	struct span value, text;
	bool lone;
} texts[] = {
	{LIT("\"\""), LIT(""), false},
	{LIT("\"abc\""), LIT("abc"), false},
	{LIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), LIT("\"\\/\b\f\n\r\t"),
	    false},
	{LIT("\"/\""), LIT("/"), false},
	{LIT("\"a\\nb\""), LIT("a\nb"), false},
	{LIT("\"\\\\n\""), LIT("\\n"), false},
	{LIT("\"\\\\\\\\\""), LIT("\\\\"), false},
	{LIT("\"\\u0041\\u005a\""), LIT("AZ"), false},
	{LIT("\"\\u0000\""), LIT("\0"), false},
	{LIT("\"a\\u0000b\""), LIT("a\0b"), false},
	{LIT("\"\\u007f\""), LIT("\x7f"), false},
	{LIT("\"\\u0080\""), LIT("\xc2\x80"), false},
	{LIT("\"\\u00e9\\u00E9\""), LIT("\xc3\xa9\xc3\xa9"), false},
	{LIT("\"\\u07ff\\u0800\""), LIT("\xdf\xbf\xe0\xa0\x80"), false},
	{LIT("\"\\ud7ff\\ue000\""), LIT("\xed\x9f\xbf\xee\x80\x80"), false},
	{LIT("\"\\uffff\\ufeff\\ufffd\""),
	    LIT("\xef\xbf\xbf\xef\xbb\xbf\xef\xbf\xbd"), false},
	{LIT("\"\xc3\xa9\xf0\x9f\x98\x80\""), LIT("\xc3\xa9\xf0\x9f\x98\x80"),
	    false},
	/* pairs */
	{LIT("\"\\ud83d\\ude00\""), LIT("\xf0\x9f\x98\x80"), false},
	{LIT("\"\\uD83D\\uDE00\""), LIT("\xf0\x9f\x98\x80"), false},
	{LIT("\"\\ud800\\udc00\""), LIT("\xf0\x90\x80\x80"), false},
	{LIT("\"\\udbff\\udfff\""), LIT("\xf4\x8f\xbf\xbf"), false},
	{LIT("\"\\ud83d\\ude00\\ud83d\\ude00\""),
	    LIT("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"), false},
	/* halves */
	{LIT("\"\\ud800\""), LIT("\xef\xbf\xbd"), true},
	{LIT("\"\\udfff\""), LIT("\xef\xbf\xbd"), true},
	{LIT("\"\\ud800x\""), LIT("\xef\xbf\xbdx"), true},
	{LIT("\"x\\udc00\""), LIT("x\xef\xbf\xbd"), true},
	{LIT("\"\\udc00\\ud800\""), LIT("\xef\xbf\xbd\xef\xbf\xbd"), true},
	{LIT("\"\\udc00\\udc00\""), LIT("\xef\xbf\xbd\xef\xbf\xbd"), true},
	{LIT("\"\\ud800\\ud800\\udc00\""),
	    LIT("\xef\xbf\xbd\xf0\x90\x80\x80"), true},
	{LIT("\"\\ud800\\u0041\""), LIT("\xef\xbf\xbd" "A"), true},
	{LIT("\"\\ud800\\n\""), LIT("\xef\xbf\xbd\n"), true},
	{LIT("\"\\ud800\\\\udc00\""), LIT("\xef\xbf\xbd\\udc00"), true},
	{LIT("\"\\ud800\xed\xb0\x80\""), LIT("\xef\xbf\xbd\xed\xb0\x80"),
	    true},
};

static void
decoding(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct json_text text;

		assert_true(json_text(arena, unit_exact(arena, texts[i].value),
		    &text));
		ASSERT_SPAN(text.text, texts[i].text);
		CHECK(text.lone == texts[i].lone, "%s", texts[i].value.p);
	}
}

static void
decoding_what_is_no_string(struct arena *arena)
{
	static const struct span values[] = {LIT("null"), LIT("1"),
		LIT("[\"a\"]"), LIT("{\"a\":1}"), LIT("true"), {NULL, 0}};

	for (size_t i = 0; i < COUNT_OF(values); i++) {
		struct json_text text;

		CHECK(!json_text(arena, values[i], &text), "row %zu", i);
		CHECK(!json_text_is(values[i], SPAN("")), "row %zu", i);
	}
}

static void
plain_strings_are_not_copied(struct arena *arena)
{
	struct span value = SPAN("\"caf\xc3\xa9\"");
	struct json_text text;

	assert_true(json_text(arena, value, &text));
	assert_ptr_equal(text.text.p, value.p + 1);
}

/* Every code unit by itself: what UTF-8 has for it, or U+FFFD. */
static void
decoding_every_unit(struct arena *arena)
{
	for (unsigned unit = 0; unit < 0x10000; unit++) {
		bool half = unit >= 0xd800 && unit < 0xe000;
		unsigned point = half ? 0xfffd : unit;
		char value[16], want[3];
		size_t n = point < 0x80 ? 1 : point < 0x800 ? 2 : 3;
		struct json_text text;

		(void)snprintf(value, sizeof(value), "\"\\u%04x\"", unit);
		want[0] = (char)(n == 1 ? point
			: n == 2	? 0xc0 + point / 64
					: 0xe0 + point / 4096);
		want[n - 1] = (char)(n == 1 ? point : 0x80 + point % 64);
		if (n == 3)
			want[1] = (char)(0x80 + point / 64 % 64);
		assert_true(json_text(arena, span_str(value), &text));
		CHECK(text.lone == half, "%s", value);
		ASSERT_SPAN(text.text, span_of(want, n));
		if (unit % 1000 == 0)
			arena_reset(arena);
	}
}

static void
comparing(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct span value = unit_exact(arena, texts[i].value);

		for (size_t k = 0; k < COUNT_OF(texts); k++) {
			bool same = !texts[i].lone &&
			    span_eq(texts[i].text, texts[k].text);

			CHECK(json_text_is(value,
				  unit_exact(arena, texts[k].text)) == same,
			    "%s against row %zu", texts[i].value.p, k);
		}
		/* One byte more, one byte less. */
		assert_false(json_text_is(value,
		    unit_join(arena, texts[i].text, SPAN("x"))));
		if (texts[i].text.n > 0)
			assert_false(json_text_is(value, unit_exact(arena,
			    span_of(texts[i].text.p, texts[i].text.n - 1))));
	}
}

static void
compacting(struct arena *arena)
{
	static const char *const rows[][2] = {
		{"1", "1"},
		{" 1 ", "1"},
		{"[ 1 ,\n2 ]", "[1,2]"},
		{"{ \"a b\" : \"c  d\" }", "{\"a b\":\"c  d\"}"},
		{"{\r\n\t\"a\" : [ ] , \"b\" : { } }", "{\"a\":[],\"b\":{}}"},
		{"\" \\\" \" ", "\" \\\" \""},
		{"[ \"\\\\\" , \" \" ]", "[\"\\\\\",\" \"]"},
		{"\" \\n \"", "\" \\n \""},
		{"[true , null]", "[true,null]"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		ASSERT_TEXT(json_compact(arena,
				unit_exact(arena, span_str(rows[i][0]))),
		    rows[i][1]);
}

/* Compact text is the same value, and one line. */
static void
compacting_at_random(struct arena *arena)
{
	struct chance chance = chance_new(10);

	for (int i = 0; i < 2000; i++) {
		struct span text = random_value(arena, &chance, 5);
		struct span compact = json_compact(arena, text);

		assert_true(json_valid(arena, compact));
		assert_false(span_has(compact, '\n'));
		assert_false(span_has(compact, '\t'));
		assert_true(compact.n <= text.n);
		ASSERT_SPAN(json_compact(arena, compact), compact);
		if (i % 100 == 0)
			arena_reset(arena);
	}
}

/* ---- leaping must not change what is found ---- */

/* All that can be found in VALUE, written down in order. */
static void
describe(const struct json_doc *doc, struct span value, struct buf *out)
{
	struct json_field f[] = {{.name = SPAN("k0")}, {.name = SPAN("k1")},
	    {.name = SPAN("k2")}, {.name = SPAN("k3")}};
	struct json_items items = json_items(doc, value);
	struct span item;

	buf_add(out, value);
	buf_char(out, '\n');
	while (json_next(&items, &item))
		describe(doc, item, out);
	json_pick(doc, value, f, COUNT_OF(f));
	for (size_t i = 0; i < COUNT_OF(f); i++)
		if (f[i].value.p != NULL)
			describe(doc, f[i].value, out);
}

static void
judged_and_unjudged_find_the_same(struct arena *arena)
{
	struct chance chance = chance_new(11);

	for (int i = 0; i < 1500; i++) {
		struct span text = random_value(arena, &chance, 12);
		struct json_doc plain = json_doc(arena), judged;
		struct buf a = buf_new(arena, 64), b = buf_new(arena, 64);

		assert_true(json_judge(arena, text, &judged));
		describe(&plain, text, &a);
		describe(&judged, text, &b);
		ASSERT_SPAN(buf_span(&b), buf_span(&a));
		if (i % 20 == 0)
			arena_reset(arena);
	}
}

/* ---- text that was not judged: safe, but tells nothing ---- */

static void
look_everywhere(struct arena *arena, struct span text, int depth)
{
	struct json_doc doc = json_doc(arena);
	struct json_field f[] = {{.name = SPAN("k0")}, {.name = SPAN("id")},
	    {.name = SPAN("")}};
	struct json_items items = json_items(&doc, text);
	struct json_text decoded;
	struct span value;
	size_t n = 0;

	(void)json_kind(text);
	if (json_text(arena, text, &decoded)) {
		/* What was decoded can be looked at. */
		(void)digest_of(decoded.text);
		(void)json_text_is(text, decoded.text);
	}
	(void)json_text_is(text, SPAN("some text"));
	(void)digest_of(json_compact(arena, text));
	json_pick(&doc, text, f, COUNT_OF(f));
	for (size_t i = 0; i < COUNT_OF(f); i++)
		if (f[i].value.p != NULL && depth > 0)
			look_everywhere(arena, f[i].value, depth - 1);
	while (json_next(&items, &value)) {
		CHECK(n++ <= text.n, "there is no end of items");
		if (depth > 0)
			look_everywhere(arena, value, depth - 1);
	}
}

static void
random_bytes_are_safe(struct arena *arena)
{
	static const char likely[] = "{}[]\",:\\u0e-1tnf \n";
	struct chance chance = chance_new(12);

	for (int i = 0; i < 30000; i++) {
		char bytes[64];
		struct span text = {bytes, chance_below(&chance, 65)};

		for (size_t k = 0; k < text.n; k++)
			bytes[k] = chance_below(&chance, 3) == 0
			    ? (char)chance_below(&chance, 256)
			    : likely[chance_below(&chance, sizeof(likely) - 1)];
		if (text.n > 0 && i % 3 > 0)
			bytes[0] = "{[\""[chance_below(&chance, 3)];
		look_everywhere(arena, unit_exact(arena, text), 2);
		if (i % 100 == 0)
			arena_reset(arena);
	}
}

static void
damaged_texts_are_safe(struct arena *arena)
{
	struct chance chance = chance_new(13);

	for (int i = 0; i < 4000; i++) {
		struct span text = random_value(arena, &chance, 5);

		if (i % 2 == 0)
			text = mutated(arena, &chance, text);
		else
			text.n = chance_below(&chance, text.n + 1);
		look_everywhere(arena, unit_exact(arena, text), 3);
		if (i % 50 == 0)
			arena_reset(arena);
	}
}

/* An escape that is cut off must not be written behind the copy's end. */
static void
cut_escapes_are_safe(struct arena *arena)
{
	static const char *const ends[] = {"\\", "\\u", "\\u1", "\\u12",
	    "\\u123", "\\ud800", "\\ud800\\", "\\ud800\\u", "\\ud800\\udc0",
	    "\\ud800\\u\\u"};

	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		for (size_t before = 0; before < 40; before++) {
			struct buf value = buf_new(arena, 64);

			buf_char(&value, '"');
			buf_add(&value, unit_repeat(arena, SPAN("a"),
			    before));
			buf_str(&value, ends[i]);
			buf_char(&value, '"');
			look_everywhere(arena, unit_exact(arena,
			    buf_span(&value)), 0);
		}
	}
}

/* Unclosed brackets and strings, to the end of the memory. */
static void
unclosed_texts_are_safe(struct arena *arena)
{
	struct span deep = unit_repeat(arena, SPAN("[{\"k0\":"), 20000);
	struct span slashes = unit_join(arena, SPAN("\""),
	    unit_repeat(arena, SPAN("\\"), 100001));
	struct span quotes = unit_join(arena, SPAN("[\""),
	    unit_repeat(arena, SPAN("\\\""), 50000));

	look_everywhere(arena, unit_exact(arena, deep), 1);
	look_everywhere(arena, unit_exact(arena, slashes), 1);
	look_everywhere(arena, unit_exact(arena, quotes), 1);
	look_everywhere(arena, SPAN(""), 1);
	look_everywhere(arena, unit_exact(arena, SPAN("{")), 1);
	look_everywhere(arena, unit_exact(arena, SPAN("{\"id\"")), 1);
	look_everywhere(arena, unit_exact(arena, SPAN("{\"id\":")), 1);
	look_everywhere(arena, unit_exact(arena, SPAN("\"")), 1);
}

/* In what was not judged a name is a string, or there is nothing more. */
static void
names_are_strings(struct arena *arena)
{
	static const struct {
		struct span text;
		bool found;
	} rows[] = {
		{LIT("{\"a\":1,\"id\":\"x\"}"), true},
		{LIT("{\"a\":1,\"i\\u0064\":\"x\"}"), true},
		{LIT("{\"a\":1,\"id\":\"x\",}"), true},
		{LIT("{:1,\"id\":\"x\"}"), false},
		{LIT("{1:1,\"id\":\"x\"}"), false},
		{LIT("{id:\"x\"}"), false},
		{LIT("{'id':\"x\"}"), false},
		{LIT("{[id]:\"x\"}"), false},
		{LIT("{\"id\"=\"x\"}"), false},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct json_doc doc = json_doc(arena);
		struct json_field f = {.name = SPAN("id")};

		json_pick(&doc, unit_exact(arena, rows[i].text), &f, 1);
		CHECK((f.value.p != NULL &&
			  span_eq(f.value, SPAN("\"x\""))) == rows[i].found,
		    "row %zu", i);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(judging),
		TEST(judging_syntax_alone),
		TEST(trimming),
		TEST(judging_inside),
		TEST(judging_long_strings),
		TEST(judging_depth),
		TEST(judging_at_random),
		TEST(kinds),
		TEST(picking),
		TEST(picking_several),
		TEST(going_through_arrays),
		TEST(going_through_objects),
		TEST(decoding),
		TEST(decoding_what_is_no_string),
		TEST(plain_strings_are_not_copied),
		TEST(decoding_every_unit),
		TEST(comparing),
		TEST(compacting),
		TEST(compacting_at_random),
		TEST(judged_and_unjudged_find_the_same),
		TEST(random_bytes_are_safe),
		TEST(damaged_texts_are_safe),
		TEST(cut_escapes_are_safe),
		TEST(unclosed_texts_are_safe),
		TEST(names_are_strings),
	};

	return RUN_TESTS(tests);
}
