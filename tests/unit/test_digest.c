#include "unit.h"

#include "base/digest.h"

/* FIPS 180-4 examples and NIST's short message vectors. */
static void
known_vectors(struct arena *arena)
{
	static const struct {
		struct span text;
		size_t times;
		const char *hex;
	} rows[] = {
		{LIT(""), 1,
		    "e3b0c44298fc1c149afbf4c8996fb924"
		    "27ae41e4649b934ca495991b7852b855"},
		{LIT("abc"), 1,
		    "ba7816bf8f01cfea414140de5dae2223"
		    "b00361a396177a9cb410ff61f20015ad"},
		{LIT("abcdbcdecdefdefgefghfghighijhijk"
		     "ijkljklmklmnlmnomnopnopq"),
		    1,
		    "248d6a61d20638b8e5c026930c3e6039"
		    "a33ce45964ff2167f6ecedd419db06c1"},
		{LIT("\xd3"), 1,
		    "28969cdfa74a12c82f3bad960b0b000a"
		    "ca2ac329deea5c2328ebc6f2ba9802c1"},
		{LIT("\0"), 1,
		    "6e340b9cffb37a989ca544e6bb780a2c"
		    "78901d3fb33738768511a30617afa01d"},
		{LIT("a"), 1000000,
		    "cdc76e5c9914fb9281a1c7e284d73e67"
		    "f1809a48a497200e046d39ccc7112cd0"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct digest d = digest_of(unit_repeat(arena, rows[i].text,
		    rows[i].times));
		char hex[DIGEST_HEX + 1];

		memset(hex, '?', sizeof(hex));
		digest_hex(&d, hex);
		CHECK(strcmp(hex, rows[i].hex) == 0, "row %zu: %s", i, hex);
	}
}

static void
equality(struct arena *arena)
{
	struct digest a = digest_of(SPAN("a")), same = digest_of(SPAN("a"));

	(void)arena;
	assert_true(digest_eq(&a, &same));
	for (size_t i = 0; i < DIGEST_BYTES; i++) {
		struct digest other = a;

		other.bytes[i] ^= 1;
		CHECK(!digest_eq(&a, &other), "byte %zu is not looked at", i);
	}
}

static const char hex_of_abc[] = "ba7816bf8f01cfea414140de5dae2223"
				 "b00361a396177a9cb410ff61f20015ad";

static void
parse_reads_what_hex_writes(struct arena *arena)
{
	struct digest abc = digest_of(SPAN("abc")), read;

	assert_true(digest_parse(unit_exact(arena, span_str(hex_of_abc)),
	    &read));
	assert_true(digest_eq(&read, &abc));
}

/* T3: 64 hex digits or nothing. */
static void
parse_refuses_the_rest(struct arena *arena)
{
	static const char wrong[] = "gGAF/:@`x -+.\n\0\xff";
	struct digest d;

	for (size_t n = 0; n < DIGEST_HEX; n++)
		CHECK(!digest_parse(unit_exact(arena,
			span_of(hex_of_abc, n)), &d),
		    "%zu digits were taken", n);
	assert_false(digest_parse(
	    unit_join(arena, span_str(hex_of_abc), SPAN("0")), &d));
	assert_false(digest_parse(
	    unit_join(arena, span_str(hex_of_abc), SPAN("\0")), &d));
	for (size_t i = 0; i < DIGEST_HEX; i++) {
		for (size_t k = 0; k < sizeof(wrong) - 1; k++) {
			char text[DIGEST_HEX];

			memcpy(text, hex_of_abc, DIGEST_HEX);
			text[i] = wrong[k];
			CHECK(!digest_parse(span_of(text, DIGEST_HEX), &d),
			    "byte %d was taken at %zu", wrong[k], i);
		}
	}
}

static void
is_hex_wants_exactly_n(struct arena *arena)
{
	(void)arena;
	assert_true(digest_is_hex(SPAN("0123456789abcdef"), 16));
	assert_true(digest_is_hex(SPAN(""), 0));
	assert_false(digest_is_hex(SPAN("0123"), 3));
	assert_false(digest_is_hex(SPAN("0123"), 5));
	assert_false(digest_is_hex(SPAN("012g"), 4));
	assert_false(digest_is_hex(SPAN("0x12"), 4));
	assert_false(digest_is_hex(SPAN("01 2"), 4));
	assert_false(digest_is_hex(SPAN("012A"), 4));
}

static void
begins_compares_digit_by_digit(struct arena *arena)
{
	struct digest abc = digest_of(SPAN("abc"));
	char text[DIGEST_HEX];

	for (size_t n = 0; n <= DIGEST_HEX; n++)
		CHECK(digest_begins(&abc, unit_exact(arena,
			span_of(hex_of_abc, n))),
		    "the first %zu digits", n);
	for (size_t i = 0; i < DIGEST_HEX; i++) {
		memcpy(text, hex_of_abc, DIGEST_HEX);
		text[i] = text[i] == '0' ? '1' : '0';
		CHECK(!digest_begins(&abc, span_of(text, i + 1)),
		    "digit %zu is not looked at", i);
		text[i] = 'x';
		CHECK(!digest_begins(&abc, span_of(text, i + 1)),
		    "digit %zu may be none", i);
	}
	assert_false(digest_begins(&abc,
	    unit_join(arena, span_str(hex_of_abc), SPAN("0"))));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(known_vectors),
		TEST(equality),
		TEST(parse_reads_what_hex_writes),
		TEST(parse_refuses_the_rest),
		TEST(is_hex_wants_exactly_n),
		TEST(begins_compares_digit_by_digit),
	};

	return RUN_TESTS(tests);
}
