#include "unit_json.h"

#include "json/canon.h"
#include "work/key/agent.h"
#include "work/key/key.h"

static const char *
hex_of(struct arena *arena, const struct digest *d)
{
	char *hex = arena_alloc(arena, DIGEST_HEX + 1);

	digest_hex(d, hex);
	return hex;
}

/* ---- keys of parts ---- */

/* The key of two parts. */
static struct digest
key_of(const char *domain, uint64_t version, const char *n1, struct span v1,
    const char *n2, struct span v2)
{
	struct key key;

	key_begin(&key, domain, version);
	key_add(&key, n1, v1);
	key_add(&key, n2, v2);
	return key_end(&key);
}

static void
no_two_alike(struct arena *arena)
{
	struct digest keys[] = {
	    key_of("stage", 1, "a", SPAN("bc"), "d", SPAN("e")),
	    key_of("stage", 1, "ab", SPAN("c"), "d", SPAN("e")),
	    key_of("stage", 1, "a", SPAN("b"), "cd", SPAN("e")),
	    key_of("stage", 1, "a", SPAN("bcd"), "", SPAN("e")),
	    key_of("stage", 1, "d", SPAN("e"), "a", SPAN("bc")),
	    key_of("stage", 2, "a", SPAN("bc"), "d", SPAN("e")),
	    key_of("stages", 1, "a", SPAN("bc"), "d", SPAN("e")),
	    key_of("stage", 1, "a", SPAN("bc"), "d", SPAN("e\0")),
	    key_of("stage", 1, "a", SPAN("bc"), "d", SPAN("")),
	};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		for (size_t j = 0; j < i; j++)
			CHECK(!digest_eq(&keys[i], &keys[j]),
			    "rows %zu and %zu have one key", i, j);
}

/* A value that looks like the frame of another part stays a value. */
static void
frames_cannot_be_forged(struct arena *arena)
{
	struct key whole, forged;
	struct digest a, b;
	struct span inner = SPAN("x\x01\0\0\0\0\0\0\0y\x01\0\0\0\0\0\0\0z");

	(void)arena;
	key_begin(&whole, "t", 1);
	key_add(&whole, "n", SPAN("x"));
	key_add(&whole, "y", SPAN("z"));
	a = key_end(&whole);
	key_begin(&forged, "t", 1);
	key_add(&forged, "n", inner);
	b = key_end(&forged);
	assert_false(digest_eq(&a, &b));
}

/* sha256 over the framing that SPEC.md writes down, made by hand. */
static void
framing_is_the_documented_one(struct arena *arena)
{
	struct span bytes =
	    SPAN("\x09\0\0\0\0\0\0\0readcache"
		 "\x01\0\0\0\0\0\0\0t"
		 "\x07\0\0\0\0\0\0\0"
		 "\x01\0\0\0\0\0\0\0n"
		 "\x02\0\0\0\0\0\0\0ab"
		 "\x01\0\0\0\0\0\0\0k"
		 "\x08\0\0\0\0\0\0\0"
		 "\x05\x01\0\0\0\0\0\0");
	struct digest want = digest_of(bytes), have;
	struct key key;

	key_begin(&key, "t", 7);
	key_add(&key, "n", SPAN("ab"));
	key_add_number(&key, "k", 0x105);
	have = key_end(&key);
	assert_string_equal(hex_of(arena, &have), hex_of(arena, &want));
}

/* ---- the agent's key ---- */

static void
f1_vectors(struct arena *arena)
{
	static const struct {
		struct span agent, system, turns[2], model;
		size_t nturns;
		const char *hex;
	} rows[] = {
	    {LIT("ab"), LIT(""), {LIT("u"), LIT("")}, LIT("m"), 1,
		"20a298032e57c9db46d717a8957b1865"
		"df5ffcdf76e9717c374a33b68eb1f4a3"},
	    {LIT("a"), LIT("b"), {LIT("u"), LIT("")}, LIT("m"), 1,
		"bd13558e611cc666b1085c4fba7b9275"
		"694ef2350fd45f3a228f3d54d84579c7"},
	    {LIT("my-agent"), LIT("sys"), {LIT("p1"), LIT("p2")},
		LIT("llama3"), 2,
		"7d5ee459dc9242c9fadf9f409708c0ff"
		"c583506b0603ad8e83ad313e4b331842"},
	    {LIT(""), LIT(""), {LIT(""), LIT("")}, LIT(""), 0,
		"df3f619804a92fdb4057192dc43dd748"
		"ea778adc52bc498ce80524c014b81119"},
	    {LIT(""), LIT(""), {LIT(""), LIT("")}, LIT(""), 1,
		"df3f619804a92fdb4057192dc43dd748"
		"ea778adc52bc498ce80524c014b81119"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct agent_call call = {rows[i].agent, rows[i].system,
		    rows[i].model, rows[i].turns, rows[i].nturns};
		struct digest key;

		assert_null(agent_key(&call, &key));
		CHECK(strcmp(hex_of(arena, &key), rows[i].hex) == 0,
		    "row %zu: %s", i, hex_of(arena, &key));
	}
}

static void
f3_separators_are_refused(struct arena *arena)
{
	struct span plain = SPAN("u"), nul = SPAN("u\0v"), one = SPAN("\x01");
	struct agent_call calls[] = {
	    {SPAN("a\0b"), SPAN("s"), SPAN("m"), &plain, 1},
	    {SPAN("a"), SPAN("\0"), SPAN("m"), &plain, 1},
	    {SPAN("a"), SPAN("s"), SPAN("m\0"), &plain, 1},
	    {SPAN("a"), SPAN("s"), SPAN("m"), &nul, 1},
	    {SPAN("a"), SPAN("s"), SPAN("m"), &one, 1},
	};
	struct digest key;

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(calls); i++)
		CHECK(agent_key(&calls[i], &key) != NULL,
		    "row %zu is taken", i);
}

/* ---- JSON ---- */

static void
canonical_forms(struct arena *arena)
{
	static const struct {
		struct span text;
		const char *canonical;
	} rows[] = {
	    {LIT(" {\"b\" : 1,\n\"a\":[ true , null ]} "),
		"{\"a\":[true,null],\"b\":1}"},
	    {LIT("{\"a\\u0062\":\"\\u00e9\\/\"}"), "{\"ab\":\"\xc3\xa9/\"}"},
	    {LIT("{\"\\ud83d\\ude00\":{},\"\xef\xbf\xbf\":[]}"),
		"{\"\xef\xbf\xbf\":[],\"\xf0\x9f\x98\x80\":{}}"},
	    {LIT("[9007199254740993,9007199254740992,1e400,1.0,-0]"),
		"[9007199254740993,9007199254740992,1e400,1.0,-0]"},
	    {LIT("\"x\\ny\""), "\"x\\ny\""},
	    {LIT("{\"A\":1,\"a\":2}"), "{\"A\":1,\"a\":2}"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *fault;
		struct span canonical;

		fault = canon_json(arena, unit_exact(arena, rows[i].text),
		    &canonical);
		CHECK(fault == NULL, "row %zu: %s", i, fault);
		ASSERT_TEXT(canonical, rows[i].canonical);
		unit_is_json(canonical);
	}
}

static void
what_means_two_things_is_refused(struct arena *arena)
{
	static const struct span rows[] = {
	    LIT(""), LIT("{"), LIT("{} {}"), LIT("1 x"), LIT("[1,]"),
	    LIT("{\"a\":1,\"a\":1}"), LIT("{\"a\":1,\"\\u0061\":2}"),
	    LIT("[{\"b\":{\"a\":1,\"b\":2,\"a\":3}}]"),
	    LIT("\"x\\u0000y\""), LIT("{\"\\u0000\":1}"), LIT("\"a\0b\""),
	    LIT("\"\xff\""), LIT("\"\xed\xa0\x80\""), LIT("\"\\ud800\""),
	    LIT("{\"\\udc00\":1}"), LIT("01"), LIT("+1"), LIT("NaN"),
	};
	struct span deep, canonical;

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(canon_json(arena, unit_exact(arena, rows[i]),
			  &canonical) != NULL,
		    "row %zu is taken", i);
	deep = unit_join(arena, unit_repeat(arena, SPAN("["), 100000),
	    unit_repeat(arena, SPAN("]"), 100000));
	assert_non_null(canon_json(arena, deep, &canonical));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(no_two_alike),
	    TEST(frames_cannot_be_forged),
	    TEST(framing_is_the_documented_one),
	    TEST(f1_vectors),
	    TEST(f3_separators_are_refused),
	    TEST(canonical_forms),
	    TEST(what_means_two_things_is_refused),
	};

	return RUN_TESTS(tests);
}
