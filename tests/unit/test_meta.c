#include "unit_json.h"

#include "json/json.h"
#include "json/tree.h"
#include "meta/meta.h"

/* sha256 of "a", "b" and "c", as sha256sum gives them. */
#define HASH_A \
	"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
#define HASH_B \
	"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
#define HASH_C_32 "2e7d2c03a9507ae265ecf5b5356885a5"

/* ---- out and in again ---- */

static const struct {
	const char *path, *name;
} files[] = {
	{"/w/a.txt", "/w/a.txt"},
	{"/w/a.txt", "/w/link"},
	{"/w/a b\"c\\d\n\t\x01\x7f", "/w/'`$"},
	{"/caf\xc3\xa9/\xf0\x9f\x98\x80", "/\xe2\x80\xa8"},
	{"/", "/x"},
};

static const struct scope scopes[] = {
	{SCOPE_FULL, 0, 0},
	{SCOPE_RANGE, 1, 1},
	{SCOPE_RANGE, 3, 70},
	{SCOPE_RANGE, 70, 70},
};

static void
check_round_trip(struct arena *arena, const struct meta *meta)
{
	struct buf out = buf_new(arena, 0);
	const struct event *in = &meta->read;
	struct meta back;
	cJSON *tree;

	meta_emit(&out, meta);
	assert_true(json_valid(arena, buf_span(&out)));
	assert_false(span_has(buf_span(&out), '\n'));
	tree = unit_json(buf_span(&out));
	unit_json_text(tree, "pathKey", in->path);
	unit_json_number(tree, "totalLines", (double)in->total);
	cJSON_Delete(tree);
	CHECK(meta_parse(arena, buf_span(&out), &back), "not valid: %.*s",
	    (int)out.n, out.p);
	assert_int_equal(back.read.kind, EVENT_READ);
	ASSERT_SPAN(back.read.path, in->path);
	ASSERT_SPAN(back.read.name, in->name);
	assert_true(scope_eq(back.read.scope, in->scope));
	assert_int_equal(back.read.mode, in->mode);
	assert_true(digest_eq(&back.read.served, &in->served));
	assert_int_equal(back.read.has_base, in->has_base);
	if (in->has_base)
		assert_true(digest_eq(&back.read.base, &in->base));
	assert_int_equal(back.read.bytes, in->bytes);
	assert_int_equal(back.read.total, in->total);
	/* These speak of the text that is delivered. */
	assert_true(back.read.has_text_bytes);
	assert_int_equal(back.read.text_bytes, 1);
	ASSERT_TEXT(back.text_hash, HASH_C_32);
}

static void
round_trip(struct arena *arena)
{
	for (size_t f = 0; f < COUNT_OF(files); f++)
	for (size_t s = 0; s < COUNT_OF(scopes); s++)
	for (int mode = 0; mode < MODE_PLAIN; mode++)
	for (int based = 0; based < 2; based++) {
		bool derived = mode != MODE_FULL && mode != MODE_FALLBACK;
		struct meta meta = {
		    .read =
			{
			    .kind = EVENT_READ,
			    .path = span_str(files[f].path),
			    .name = span_str(files[f].name),
			    .scope = scopes[s],
			    .mode = (enum mode)mode,
			    .has_base = based == 1 || derived,
			    .served = digest_of(SPAN("a")),
			    .base = digest_of(SPAN("b")),
			    .total = 70,
			    .bytes = NUMBER_MAX,
			},
		    .text_hash = SPAN(""),
		};

		event_delivers(&meta.read, SPAN("c"));
		check_round_trip(arena, &meta);
	}
}

/* The members that SPEC 4 names, and nothing that is not there. */
static void
emitted_members(struct arena *arena)
{
	static const char *const strings[][2] = {
		{"pathKey", "/w/a.txt"}, {"scopeKey", "r:3:7"},
		{"servedHash", HASH_A}, {"mode", "baseline_fallback"},
		{"textHash", HASH_C_32}};
	static const struct {
		const char *name;
		uint64_t number;
	} numbers[] = {{"v", 1}, {"totalLines", 70}, {"rangeStart", 3},
		{"rangeEnd", 7}, {"bytes", 55}, {"textBytes", 1}};
	struct meta meta = {
	    .read = {.path = SPAN("/w/a.txt"), .name = SPAN("/w/a.txt"),
		.scope = scope_range(3, 7), .mode = MODE_FALLBACK,
		.served = digest_of(SPAN("a")), .total = 70, .bytes = 55},
	};
	struct buf out = buf_new(arena, 0);
	struct tree *tree;
	struct span text;
	uint64_t number;

	event_delivers(&meta.read, SPAN("c"));
	meta_emit(&out, &meta);
	tree = tree_parse(arena, buf_span(&out));
	for (size_t i = 0; i < COUNT_OF(strings); i++) {
		CHECK(tree_string(tree_get(tree, strings[i][0]), &text), "%s",
		    strings[i][0]);
		ASSERT_TEXT(text, strings[i][1]);
	}
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		CHECK(tree_number(tree_get(tree, numbers[i].name), &number) &&
			number == numbers[i].number,
		    "%s", numbers[i].name);
	assert_null(tree_get(tree, "baseHash"));
	assert_null(tree_get(tree, "name")); /* it is the path */
}

static void
emitted_range_of_full(struct arena *arena)
{
	struct meta meta = {
	    .read = {.path = SPAN("/a"), .name = SPAN("/a"),
		.scope = scope_full(), .mode = MODE_FULL,
		.served = digest_of(SPAN("a")), .total = 12},
	};
	struct buf out = buf_new(arena, 0);
	struct tree *tree;
	uint64_t number;

	meta_emit(&out, &meta);
	tree = tree_parse(arena, buf_span(&out));
	assert_true(tree_number(tree_get(tree, "rangeStart"), &number));
	assert_int_equal(number, 1);
	assert_true(tree_number(tree_get(tree, "rangeEnd"), &number));
	assert_int_equal(number, 12);
}

/* ---- each field in turn ---- */

enum {
	V,
	PATH,
	NAME,
	SCOPE,
	SERVED,
	BASE,
	MODE,
	TOTAL,
	START,
	END,
	BYTES,
	TEXT_HASH,
	TEXT_BYTES,
	FIELDS
};

/* Valid metadata of a derived answer. */
static const char *const fields[FIELDS][2] = {
	[V] = {"v", "1"},
	[PATH] = {"pathKey", "\"/w/a.txt\""},
	[NAME] = {"name", "\"/w/link\""},
	[SCOPE] = {"scopeKey", "\"r:3:7\""},
	[SERVED] = {"servedHash", "\"" HASH_A "\""},
	[BASE] = {"baseHash", "\"" HASH_B "\""},
	[MODE] = {"mode", "\"unchanged_range\""},
	[TOTAL] = {"totalLines", "70"},
	[START] = {"rangeStart", "3"},
	[END] = {"rangeEnd", "7"},
	[BYTES] = {"bytes", "55"},
	[TEXT_HASH] = {"textHash", "\"" HASH_C_32 "\""},
	[TEXT_BYTES] = {"textBytes", "1"},
};

/* The fields as an object, some replaced; NULL leaves one out. */
struct change {
	int field; /* -1: none */
	const char *value;
};

static struct span
object_with(struct arena *arena, const struct change *changes, size_t n)
{
	struct buf out = buf_new(arena, 512);

	buf_char(&out, '{');
	for (int f = 0; f < FIELDS; f++) {
		const char *value = fields[f][1];

		for (size_t i = 0; i < n; i++)
			if (changes[i].field == f)
				value = changes[i].value;
		if (value == NULL)
			continue;
		if (out.n > 1)
			buf_char(&out, ',');
		buf_char(&out, '"');
		buf_str(&out, fields[f][0]);
		buf_str(&out, "\":");
		buf_str(&out, value);
	}
	buf_char(&out, '}');
	return buf_span(&out);
}

static bool
parses(struct arena *arena, const struct change *changes, size_t n)
{
	struct span object = object_with(arena, changes, n);
	struct meta meta;

	CHECK(json_valid(arena, object), "not JSON: %.*s", (int)object.n,
	    object.p);
	return meta_parse(arena, unit_exact(arena, object), &meta);
}

static void
as_it_is(struct arena *arena)
{
	struct meta meta;

	assert_true(meta_parse(arena, object_with(arena, NULL, 0), &meta));
	ASSERT_TEXT(meta.read.path, "/w/a.txt");
	ASSERT_TEXT(meta.read.name, "/w/link");
	assert_int_equal(meta.read.mode, MODE_UNCHANGED_RANGE);
	assert_true(scope_eq(meta.read.scope, scope_range(3, 7)));
	assert_int_equal(meta.read.total, 70);
	assert_int_equal(meta.read.bytes, 55);
}

/* Of any type that is not the field's own. */
static void
wrong_types(struct arena *arena)
{
	static const char *const values[] = {"null", "true", "[]", "{}",
	    "-1", "1.5", "1e400", "9007199254740992", "\"\"", "\"x\"",
	    "\"\\u0000\"", "\"\\ud800\"", "[1]", "\" 1\""};

	for (int f = 0; f < FIELDS; f++) {
		for (size_t i = 0; i < COUNT_OF(values); i++) {
			struct change change = {f, values[i]};

			CHECK(!parses(arena, &change, 1), "%s: %s",
			    fields[f][0], values[i]);
		}
	}
}

static void
missing_fields(struct arena *arena)
{
	for (int f = 0; f < FIELDS; f++) {
		struct change change = {f, NULL};
		/* Older sessions do not have these. */
		bool optional = f == NAME || f == TEXT_HASH ||
		    f == TEXT_BYTES;

		CHECK(parses(arena, &change, 1) == optional, "%s",
		    fields[f][0]);
	}
}

static void
missing_optional_fields(struct arena *arena)
{
	const struct change changes[] = {
		{NAME, NULL}, {TEXT_HASH, NULL}, {TEXT_BYTES, NULL}};
	struct meta meta;

	assert_true(meta_parse(arena, object_with(arena, changes, 3), &meta));
	ASSERT_TEXT(meta.read.name, "/w/a.txt"); /* the path itself */
	assert_int_equal(meta.text_hash.n, 0);
	assert_false(meta.read.has_text_bytes);
}

static const struct {
	struct change changes[4];
	bool valid;
} rows[] = {
	/* versions */
	{{{V, "0"}}, false},
	{{{V, "2"}}, false},
	{{{V, "1.0"}}, true}, /* the same number */
	{{{V, "\"1\""}}, false},
	/* paths */
	{{{PATH, "\"w/a.txt\""}}, false},
	{{{PATH, "\"/\""}}, true},
	{{{PATH, "\"/w/\\ud83d\\ude00\""}}, true},
	{{{PATH, "\"/w/\\u0000\""}}, false},
	{{{NAME, "\"link\""}}, false},
	{{{NAME, "\"/w/a.txt\""}}, true},
	/* scopes */
	{{{SCOPE, "\"r:3:8\""}}, false},
	{{{SCOPE, "\"r:2:7\""}}, false},
	{{{SCOPE, "\"full\""}}, false},
	{{{SCOPE, "\"r:03:7\""}}, false},
	{{{SCOPE, "\"r:3-7\""}}, false},
	{{{START, "4"}}, false},
	{{{END, "8"}}, false},
	{{{START, "7"}, {END, "3"}}, false},
	{{{SCOPE, "\"r:7:3\""}, {START, "7"}, {END, "3"}}, false},
	{{{SCOPE, "\"r:0:7\""}, {START, "0"}}, false},
	{{{TOTAL, "7"}}, true},
	{{{TOTAL, "6"}}, false}, /* the range ends behind the file */
	{{{TOTAL, "0"}}, false},
	{{{SCOPE, "\"full\""}, {START, "1"}, {END, "70"}}, true},
	{{{SCOPE, "\"full\""}, {START, "1"}, {END, "69"}}, false},
	{{{SCOPE, "\"full\""}, {START, "1"}, {END, "71"}}, false},
	{{{SCOPE, "\"full\""}, {START, "2"}, {END, "70"}}, false},
	{{{SCOPE, "\"full\""}, {START, "0"}, {END, "70"}}, false},
	{{{SCOPE, "\"full\""}, {START, "1"}, {END, "1"}, {TOTAL, "1"}},
	    true},
	/* hashes: hexadecimal and complete */
	{{{SERVED, "\"" HASH_A "0\""}}, false},
	{{{SERVED, "\"" HASH_C_32 "\""}}, false},
	{{{SERVED, "\"sha256-" HASH_A "\""}}, false},
	{{{SERVED, "\"../../../../../../../../../../../etc/passwd"
		   "/////////////////////////////////////////////\""}},
	    false},
	{{{BASE, "\"" HASH_B "0\""}}, false},
	{{{BASE, "\"" HASH_C_32 "\""}}, false},
	{{{BASE, "\"" HASH_A "\""}}, true}, /* base and served may be one */
	{{{TEXT_HASH, "\"" HASH_A "\""}}, false},
	{{{TEXT_HASH, "\"2e7d2c03a9507ae265ecf5b5356885a\""}}, false},
	{{{TEXT_HASH, "\"2e7d2c03a9507ae265ecf5b5356885ag\""}}, false},
	/* modes, and the base where it is required */
	{{{MODE, "\"plain\""}}, false},
	{{{MODE, "\"FULL\""}}, false},
	{{{MODE, "\"full\""}}, true},
	{{{MODE, "\"full\""}, {BASE, NULL}}, true},
	{{{MODE, "\"baseline_fallback\""}, {BASE, NULL}}, true},
	{{{MODE, "\"unchanged\""}, {BASE, NULL}}, false},
	{{{MODE, "\"unchanged_range\""}, {BASE, NULL}}, false},
	{{{MODE, "\"diff\""}, {BASE, NULL}}, false},
	{{{MODE, "\"full\""}, {BASE, "\"x\""}}, false},
	{{{MODE, "\"full\""}, {BASE, "5"}}, false},
	/* numbers */
	{{{BYTES, "0"}}, true},
	{{{BYTES, "9007199254740991"}}, true},
	{{{TEXT_BYTES, "0"}}, true},
};

static void
values(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct change *changes = rows[i].changes;
		size_t n = 1; /* the rest of the row may be zero: {V, NULL} */

		while (n < 4 && (changes[n].field != V || changes[n].value))
			n++;
		CHECK(parses(arena, changes, n) == rows[i].valid,
		    "row %zu: %s %s", i, fields[changes[0].field][0],
		    changes[0].value ? changes[0].value : "missing");
	}
}

static void
every_digit_of_a_hash_counts(struct arena *arena)
{
	static const int hashes[] = {SERVED, BASE, TEXT_HASH};

	for (size_t i = 0; i < COUNT_OF(hashes); i++) {
		const char *right = fields[hashes[i]][1];

		for (size_t k = 1; k < strlen(right) - 1; k++) {
			char *wrong = arena_cstr(arena, span_str(right));
			struct change change = {hashes[i], wrong};

			wrong[k] = 'g';
			CHECK(!parses(arena, &change, 1), "%s, digit %zu",
			    fields[hashes[i]][0], k);
		}
	}
}

static void
what_is_no_object(struct arena *arena)
{
	static const struct span texts[] = {LIT("null"), LIT("1"), LIT("[]"),
		LIT("\"v\""), LIT("{}"), LIT("true"), {NULL, 0}};
	struct meta meta;

	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_false(meta_parse(arena, texts[i], &meta));
}

/* Order and unknown members do not matter; the last of two counts. */
static void
shape_of_the_object(struct arena *arena)
{
	struct span good = object_with(arena, NULL, 0);
	struct span body = span_of(good.p + 1, good.n - 2);
	struct buf out = buf_new(arena, 0);
	struct meta meta;

	buf_str(&out, "{\"new\":{\"v\":5},\"v\":7,\"V\":8,\"\\u0076\":9,");
	buf_add(&out, body);
	buf_str(&out, ",\"pathkey\":1,\"SCOPEKEY\":[]}");
	assert_true(meta_parse(arena, buf_span(&out), &meta));
	ASSERT_TEXT(meta.read.path, "/w/a.txt");

	out.n = 0;
	buf_char(&out, '{');
	buf_add(&out, body);
	buf_str(&out, ",\"\\u0076\":2}");
	assert_false(meta_parse(arena, buf_span(&out), &meta));

	out.n = 0;
	buf_str(&out, " { \n");
	buf_add(&out, body);
	buf_str(&out, "\t} ");
	assert_true(meta_parse(arena, span_from(buf_span(&out), 1), &meta));
}

/* ---- invalidations ---- */

#define INVALIDATE "{\"v\":1,\"kind\":\"invalidate\","

static const struct {
	struct span data;
	bool is_one;
	enum event_kind kind;
} invalidations[] = {
	{LIT(INVALIDATE "\"pathKey\":\"/a\",\"scopeKey\":\"full\",\"at\":5}"),
	    true, EVENT_INVALIDATE},
	{LIT(INVALIDATE "\"pathKey\":\"/a\",\"scopeKey\":\"r:2:9\",\"at\":5}"),
	    true, EVENT_INVALIDATE},
	{LIT("{\"at\":5,\"scopeKey\":\"full\",\"pathKey\":\"/a\","
	     "\"kind\":\"invalidate\",\"v\":1,\"more\":[]}"),
	    true, EVENT_INVALIDATE},
	{LIT("{\"kind\":\"x\",\"v\":1,\"kind\":\"invalidate\","
	     "\"pathKey\":\"/a\",\"scopeKey\":\"full\",\"at\":5}"),
	    true, EVENT_INVALIDATE},
	{LIT("{\"\\u006bind\":\"inv\\u0061lidate\",\"v\":1,"
	     "\"pathKey\":\"/a\",\"scopeKey\":\"full\",\"at\":5}"),
	    true, EVENT_INVALIDATE},
	/* It says so, but cannot be understood: all is void. */
	{LIT("{\"kind\":\"invalidate\"}"), true, EVENT_FORGET},
	{LIT("{\"kind\":\"invalidate\",\"pathKey\":\"/a\","
	     "\"scopeKey\":\"full\",\"at\":5}"),
	    true, EVENT_FORGET},
	{LIT("{\"v\":2,\"kind\":\"invalidate\",\"pathKey\":\"/a\","
	     "\"scopeKey\":\"full\",\"at\":5}"),
	    true, EVENT_FORGET},
	{LIT("{\"v\":\"1\",\"kind\":\"invalidate\",\"pathKey\":\"/a\","
	     "\"scopeKey\":\"full\",\"at\":5}"),
	    true, EVENT_FORGET},
	{LIT(INVALIDATE "\"scopeKey\":\"full\",\"at\":5}"), true,
	    EVENT_FORGET},
	{LIT(INVALIDATE "\"pathKey\":\"a\",\"scopeKey\":\"full\",\"at\":5}"),
	    true, EVENT_FORGET},
	{LIT(INVALIDATE "\"pathKey\":\"\",\"scopeKey\":\"full\",\"at\":5}"),
	    true, EVENT_FORGET},
	{LIT(INVALIDATE "\"pathKey\":[\"/a\"],\"scopeKey\":\"full\"}"), true,
	    EVENT_FORGET},
	{LIT(INVALIDATE "\"pathKey\":\"/a\",\"at\":5}"), true, EVENT_FORGET},
	{LIT(INVALIDATE "\"pathKey\":\"/a\",\"scopeKey\":\"r:9:2\"}"), true,
	    EVENT_FORGET},
	{LIT(INVALIDATE "\"pathKey\":\"/a\",\"scopeKey\":\"\"}"), true,
	    EVENT_FORGET},
	{LIT(INVALIDATE "\"pathKey\":\"/a\",\"scopeKey\":null}"), true,
	    EVENT_FORGET},
	/* What cannot be told may have been one. */
	{LIT(INVALIDATE "\"pathKey\":\"/a\\u0000\",\"scopeKey\":\"full\"}"),
	    true, EVENT_FORGET},
	{LIT(INVALIDATE "\"pathKey\":\"/\\ud800\",\"scopeKey\":\"full\"}"),
	    true, EVENT_FORGET},
	/* Something else. */
	{LIT("{}"), false, EVENT_FORGET},
	{LIT("{\"v\":1,\"kind\":\"note\"}"), false, EVENT_FORGET},
	{LIT("{\"v\":1,\"kind\":\"Invalidate\"}"), false, EVENT_FORGET},
	{LIT("{\"v\":1,\"kind\":\"invalidate \"}"), false, EVENT_FORGET},
	{LIT("{\"v\":1,\"kind\":[\"invalidate\"]}"), false, EVENT_FORGET},
	{LIT("{\"v\":1,\"Kind\":\"invalidate\"}"), false, EVENT_FORGET},
	{LIT("{\"kind\":\"invalidate\",\"kind\":\"note\"}"), false,
	    EVENT_FORGET},
	{LIT("\"invalidate\""), false, EVENT_FORGET},
	{LIT("[\"kind\",\"invalidate\"]"), false, EVENT_FORGET},
	{LIT("null"), false, EVENT_FORGET},
	{LIT("1"), false, EVENT_FORGET},
	{{NULL, 0}, false, EVENT_FORGET},
};

static void
reading_invalidations(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(invalidations); i++) {
		struct event event;
		bool is_one = invalidation_parse(arena, invalidations[i].data,
		    &event);

		CHECK(is_one == invalidations[i].is_one, "%s",
		    invalidations[i].data.p);
		if (!is_one)
			continue;
		CHECK(event.kind == invalidations[i].kind, "%s: kind %d",
		    invalidations[i].data.p, event.kind);
		if (event.kind == EVENT_INVALIDATE)
			ASSERT_TEXT(event.path, "/a");
	}
}

static void
scope_of_an_invalidation(struct arena *arena)
{
	struct event event;

	assert_true(invalidation_parse(arena, invalidations[0].data, &event));
	assert_true(scope_eq(event.scope, scope_full()));
	assert_true(invalidation_parse(arena, invalidations[1].data, &event));
	assert_true(scope_eq(event.scope, scope_range(2, 9)));
}

/* SPEC 2.3, letter by letter. */
static void
writing_invalidations(struct arena *arena)
{
	struct buf out = buf_new(arena, 0);
	struct json_field data = {.name = SPAN("data")};
	struct json_doc doc = json_doc(arena);
	struct event event;

	invalidation_emit(&out, SPAN("/w/a \"b\".txt"), scope_range(3, 9),
	    1763251200123);
	ASSERT_TEXT(buf_span(&out),
	    "{\"customType\":\"pi-readcache\",\"data\":{\"v\":1,"
	    "\"kind\":\"invalidate\",\"pathKey\":\"/w/a \\\"b\\\".txt\","
	    "\"scopeKey\":\"r:3:9\",\"at\":1763251200123}}");
	json_pick(&doc, buf_span(&out), &data, 1);
	assert_true(invalidation_parse(arena, data.value, &event));
	assert_int_equal(event.kind, EVENT_INVALIDATE);
	ASSERT_TEXT(event.path, "/w/a \"b\".txt");
	assert_true(scope_eq(event.scope, scope_range(3, 9)));
}

/* ---- answers in pieces ---- */

#define ID_A "ca978112ca1bbdcafac231b39a23dc4d"
#define ID_B "3e23e8160039594a33894f6564e1b134"

/* What the metadata says of pieces; NULL leaves a field out. */
static bool
parse_pieced(struct arena *arena, const char *mode, const char *pieces,
    const char *rests, const char *calls, struct meta *meta)
{
	struct change change = {MODE, mode};
	struct span object = object_with(arena, &change, 1);
	struct buf out = buf_new(arena, 4096);

	buf_add(&out, (struct span){object.p, object.n - 1});
	if (pieces != NULL) {
		buf_str(&out, ",\"pieces\":");
		buf_str(&out, pieces);
	}
	if (rests != NULL) {
		buf_str(&out, ",\"rests\":");
		buf_str(&out, rests);
	}
	if (calls != NULL) {
		buf_str(&out, ",\"calls\":");
		buf_str(&out, calls);
	}
	buf_char(&out, '}');
	CHECK(json_valid(arena, buf_span(&out)), "not JSON: %.*s",
	    (int)out.n, out.p);
	return meta_parse(arena, unit_exact(arena, buf_span(&out)), meta);
}

#define RANGE "\"unchanged_range\""

static void
pieces_as_they_are(struct arena *arena)
{
	struct meta meta;

	assert_true(parse_pieced(arena, RANGE, "3",
	    "[\"" ID_A "\",\"" ID_B "\"]", "[\"e1\",\"e\\u0032\"]", &meta));
	assert_int_equal(meta.read.pieces, 3);
	assert_int_equal(meta.read.rests->n, 2);
	assert_int_equal(meta.read.rests->ids[0].bytes[0], 0xca);
	assert_int_equal(meta.read.rests->ids[0].bytes[15], 0x4d);
	assert_int_equal(meta.read.rests->ids[1].bytes[0], 0x3e);
	assert_int_equal(meta.read.ncalls, 2);
	ASSERT_TEXT(meta.read.calls[0], "e1");
	ASSERT_TEXT(meta.read.calls[1], "e2");
	/* None is absent, or an empty list. */
	assert_true(parse_pieced(arena, RANGE, "1", "[]", NULL, &meta));
	assert_int_equal(meta.read.pieces, 1);
	assert_int_equal(meta.read.rests->n, 0);
	assert_int_equal(meta.read.ncalls, 0);
	assert_true(parse_pieced(arena, RANGE, "1", "[]", "[]", &meta));
	assert_int_equal(meta.read.ncalls, 0);
	/* Of any other answer they do not matter, and are not read. */
	assert_true(parse_pieced(arena, RANGE, NULL, "7", "7", &meta));
	assert_int_equal(meta.read.pieces, 0);
	assert_null(meta.read.rests);
	assert_int_equal(meta.read.ncalls, 0);
}

static void
pieces_that_are_wrong(struct arena *arena)
{
	static const char *const bad[][4] = {
	    {RANGE, "0", "[]", NULL},
	    {RANGE, "-1", "[]", NULL},
	    {RANGE, "1.5", "[]", NULL},
	    {RANGE, "\"1\"", "[]", NULL},
	    {RANGE, "null", "[]", NULL},
	    {"\"full\"", "1", "[]", NULL},
	    {"\"full_fallback\"", "1", "[]", NULL},
	    {RANGE, "1", NULL, NULL},
	    {RANGE, "1", "null", NULL},
	    {RANGE, "1", "{}", NULL},
	    {RANGE, "1", "\"" ID_A "\"", NULL},
	    {RANGE, "1", "[1]", NULL},
	    {RANGE, "1", "[\"" ID_A "\",1]", NULL},
	    {RANGE, "1", "[\"" ID_A "0\"]", NULL},
	    {RANGE, "1", "[\"\"]", NULL},
	    {RANGE, "1", "[\"" HASH_A "\"]", NULL},
	    {RANGE, "1", "[\"Ca978112ca1bbdcafac231b39a23dc4d\"]", NULL},
	    {RANGE, "1", "[]", "null"},
	    {RANGE, "1", "[]", "{}"},
	    {RANGE, "1", "[]", "\"e1\""},
	    {RANGE, "1", "[]", "[1]"},
	    {RANGE, "1", "[]", "[\"e1\",null]"},
	    {RANGE, "1", "[]", "[\"\"]"},
	};
	struct meta meta;

	for (size_t i = 0; i < COUNT_OF(bad); i++)
		CHECK(!parse_pieced(arena, bad[i][0], bad[i][1], bad[i][2],
			  bad[i][3], &meta),
		    "row %zu is valid", i);
}

/* N times ITEM as a list. */
static const char *
list_of(struct arena *arena, const char *item, size_t n)
{
	struct buf out = buf_new(arena, 4096);

	buf_char(&out, '[');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_char(&out, ',');
		buf_str(&out, item);
	}
	buf_char(&out, ']');
	buf_char(&out, '\0');
	return buf_span(&out).p;
}

/* More than can be listed is not what anybody has written. */
static void
pieces_that_rest_on_too_much(struct arena *arena)
{
	const char *id = "\"" ID_A "\"";
	struct meta meta;

	assert_true(parse_pieced(arena, RANGE, "1", list_of(arena, id, 32),
	    list_of(arena, "\"e1\"", 32), &meta));
	assert_int_equal(meta.read.rests->n, 32);
	assert_int_equal(meta.read.ncalls, 32);
	ASSERT_TEXT(meta.read.calls[31], "e1");
	assert_false(parse_pieced(arena, RANGE, "1", list_of(arena, id, 33),
	    NULL, &meta));
	assert_false(parse_pieced(arena, RANGE, "1", "[]",
	    list_of(arena, "\"e1\"", 33), &meta));
}

static bool
bytes_of(struct span text, const char *what)
{
	for (; text.n > 0; text = span_from(text, 1))
		if (span_starts(text, span_str(what)))
			return true;
	return false;
}

/* Out and in again, with the fields that others do not have. */
static void
pieces_out_and_in(struct arena *arena)
{
	struct span calls[] = {SPAN("e1"), SPAN("\"\xc3\xa9\n")};
	struct rests rests = {.n = 2};
	struct meta meta, back;
	struct buf out;

	assert_true(meta_parse(arena, object_with(arena, NULL, 0), &meta));
	rests.ids[0].bytes[0] = 0x12;
	rests.ids[1].bytes[15] = 0xef;
	for (size_t n = 0; n <= 2; n++) {
		rests.n = n;
		meta.rests = &rests;
		meta.read.pieces = (uint16_t)(n + 1);
		meta.read.calls = calls;
		meta.read.ncalls = (uint8_t)n;
		out = buf_new(arena, 0);
		meta_emit(&out, &meta);
		assert_true(meta_parse(arena, buf_span(&out), &back));
		assert_int_equal(back.read.pieces, n + 1);
		assert_int_equal(back.read.rests->n, n);
		assert_memory_equal(back.read.rests->ids, rests.ids,
		    n * sizeof(rests.ids[0]));
		assert_int_equal(back.read.ncalls, n);
		for (size_t i = 0; i < n; i++)
			ASSERT_SPAN(back.read.calls[i], calls[i]);
		assert_int_equal(
		    n > 0, bytes_of(buf_span(&out), "\"calls\""));
	}
	/* Of an answer without pieces no call is told, nor an empty list. */
	rests.n = 0;
	meta.read.pieces = 0;
	out = buf_new(arena, 0);
	meta_emit(&out, &meta);
	assert_false(bytes_of(buf_span(&out), "\"calls\""));
	assert_false(bytes_of(buf_span(&out), "\"pieces\""));
	assert_false(bytes_of(buf_span(&out), "\"rests\""));
	rests.n = 1;
	out = buf_new(arena, 0);
	meta_emit(&out, &meta);
	assert_true(bytes_of(buf_span(&out), "\"rests\""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(round_trip),
		TEST(emitted_members),
		TEST(emitted_range_of_full),
		TEST(as_it_is),
		TEST(wrong_types),
		TEST(missing_fields),
		TEST(missing_optional_fields),
		TEST(values),
		TEST(every_digit_of_a_hash_counts),
		TEST(what_is_no_object),
		TEST(shape_of_the_object),
		TEST(reading_invalidations),
		TEST(scope_of_an_invalidation),
		TEST(writing_invalidations),
		TEST(pieces_as_they_are),
		TEST(pieces_that_are_wrong),
		TEST(pieces_that_rest_on_too_much),
		TEST(pieces_out_and_in),
	};

	return RUN_TESTS(tests);
}
