#include "unit.h"

#include "base/utf8.h"

/*
 * The table "Well-Formed UTF-8 Byte Sequences" of the Unicode standard, row
 * by row: for a first byte, the range of the second one and the length.
 */
static const struct {
	unsigned char first_low, first_high, second_low, second_high;
	size_t length;
} forms[] = {
	{0x00, 0x7f, 0x00, 0x00, 1},
	{0xc2, 0xdf, 0x80, 0xbf, 2},
	{0xe0, 0xe0, 0xa0, 0xbf, 3},
	{0xe1, 0xec, 0x80, 0xbf, 3},
	{0xed, 0xed, 0x80, 0x9f, 3},
	{0xee, 0xef, 0x80, 0xbf, 3},
	{0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4},
	{0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* The length of the character at the front of the N bytes at P, or 0. */
static size_t
character_length(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		size_t length = forms[i].length;

		if (p[0] < forms[i].first_low || p[0] > forms[i].first_high)
			continue;
		if (length > n ||
		    (length > 1 && (p[1] < forms[i].second_low ||
				       p[1] > forms[i].second_high)))
			return 0;
		for (size_t k = 2; k < length; k++)
			if (p[k] < 0x80 || p[k] > 0xbf)
				return 0;
		return length;
	}
	return 0;
}

static bool
naive_valid(const unsigned char *p, size_t n)
{
	while (n > 0) {
		size_t length = character_length(p, n);

		if (length == 0)
			return false;
		p += length;
		n -= length;
	}
	return true;
}

enum { BEFORE = 8, AFTER = 9, LONGEST = 4 };

/* SEQUENCE at every place within words of ASCII, and at the very end. */
static void
check_everywhere(const unsigned char *sequence, size_t n)
{
	bool valid = naive_valid(sequence, n);
	char text[BEFORE + LONGEST + AFTER];

	for (size_t at = 0; at < BEFORE; at++) {
		memset(text, 'a', sizeof(text));
		memcpy(text + at, sequence, n);
		CHECK(utf8_valid(span_of(text, at + n)) == valid,
		    "%02x %02x %02x %02x (%zu bytes) at the end, %zu before",
		    sequence[0], sequence[1], sequence[2], sequence[3], n, at);
		CHECK(utf8_valid(span_of(text, at + n + AFTER)) == valid,
		    "%02x %02x %02x %02x (%zu bytes) inside, %zu before",
		    sequence[0], sequence[1], sequence[2], sequence[3], n, at);
	}
}

static void
all_of_one_and_two_bytes(struct arena *arena)
{
	unsigned char s[LONGEST] = {0};

	(void)arena;
	assert_true(utf8_valid(SPAN("")));
	for (unsigned a = 0; a < 256; a++) {
		s[0] = (unsigned char)a;
		s[1] = 0;
		check_everywhere(s, 1);
		for (unsigned b = 0; b < 256; b++) {
			s[1] = (unsigned char)b;
			check_everywhere(s, 2);
		}
	}
}

/*
 * Every sequence of three bytes that does not begin with ASCII (those are
 * two bytes behind a letter, see above), each at one of the eight places: at
 * all of them it would take minutes.
 */
static void
all_of_three_bytes(struct arena *arena)
{
	char text[BEFORE + 3 + AFTER];

	(void)arena;
	memset(text, 'a', sizeof(text));
	for (uint32_t code = 0x800000; code < 1u << 24; code++) {
		const unsigned char s[3] = {(unsigned char)(code >> 16),
		    (unsigned char)(code >> 8), (unsigned char)code};
		uint32_t place = code * UINT32_C(2654435761) >> 28;
		size_t at = place % BEFORE;
		size_t n = at + 3 + (place < 8 ? 0 : AFTER);

		memcpy(text + at, s, 3);
		if (utf8_valid(span_of(text, n)) != naive_valid(s, 3))
			unit_fail(__FILE__, __LINE__,
			    "%02x %02x %02x, %zu before, %zu bytes", s[0],
			    s[1], s[2], at, n);
		memcpy(text + at, "aaa", 3);
	}
}

/* The bytes at which a rule begins or ends. */
static const unsigned char edges[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90,
	0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
	0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xfe, 0xff};

static void
edges_of_three_bytes_everywhere(struct arena *arena)
{
	const size_t n = COUNT_OF(edges);

	(void)arena;
	for (size_t i = 0; i < n * n * n; i++) {
		unsigned char s[LONGEST] = {edges[i / n / n],
		    edges[i / n % n], edges[i % n], 0};

		check_everywhere(s, 3);
	}
}

static void
edges_of_four_bytes_everywhere(struct arena *arena)
{
	static const unsigned char last[] = {0x41, 0x7f, 0x80, 0xbf, 0xc0};
	const size_t n = COUNT_OF(edges);

	(void)arena;
	for (size_t i = 0; i < n * n * n; i++) {
		for (size_t k = 0; k < COUNT_OF(last); k++) {
			unsigned char s[LONGEST] = {edges[i / n / n],
			    edges[i / n % n], edges[i % n], last[k]};

			check_everywhere(s, 4);
		}
	}
}

static void
named_cases(struct arena *arena)
{
	static const struct {
		struct span text;
		bool valid;
		const char *why;
	} rows[] = {
		{LIT("\xef\xbb\xbftext"), true, "BOM"},
		{LIT("a\0b"), true, "NUL"},
		{LIT("\xef\xbf\xbe\xef\xbf\xbf"), true, "U+FFFE, U+FFFF"},
		{LIT("\xf4\x8f\xbf\xbf"), true, "U+10FFFF"},
		{LIT("\xf4\x90\x80\x80"), false, "U+110000"},
		{LIT("\xed\x9f\xbf"), true, "U+D7FF"},
		{LIT("\xed\xa0\x80"), false, "U+D800"},
		{LIT("\xed\xa0\xbd\xed\xb8\x80"), false, "CESU pair"},
		{LIT("\xc0\x80"), false, "overlong NUL"},
		{LIT("\xe0\x80\xaf"), false, "overlong slash"},
		{LIT("\xf0\x80\x80\xaf"), false, "overlong slash"},
		{LIT("\xf8\x88\x80\x80\x80"), false, "five bytes"},
		{LIT("caf\xe9"), false, "Latin-1"},
		{LIT("\xff\xfe" "a\0"), false, "UTF-16"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(utf8_valid(unit_exact(arena, rows[i].text)) ==
			rows[i].valid,
		    "%s", rows[i].why);
}

/* What is cut off at the end of the memory must not be looked for. */
static void
cut_sequences_at_the_end(struct arena *arena)
{
	const struct span whole = SPAN("12345678\xf0\x9f\x98\x80");

	for (size_t n = 9; n < whole.n; n++)
		assert_false(utf8_valid(unit_exact(arena,
		    span_of(whole.p, n))));
	assert_true(utf8_valid(unit_exact(arena, whole)));
}

static void
random_texts(struct arena *arena)
{
	static const char *const parts[] = {"a", "bcdefghi", "\xc3\xa9",
	    "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\n", "0123456789abcdef"};
	struct chance chance = chance_new(3);

	for (int round = 0; round < 20000; round++) {
		unsigned char text[128];
		size_t n = 0;

		while (n < 100) {
			const char *part =
			    parts[chance_below(&chance, COUNT_OF(parts))];

			memcpy(text + n, part, strlen(part));
			n += strlen(part);
		}
		if (round % 2 == 1) /* one byte is damaged */
			text[chance_below(&chance, n)] =
			    (unsigned char)chance_below(&chance, 256);
		CHECK(utf8_valid(span_of((char *)text, n)) ==
			naive_valid(text, n),
		    "round %d", round);
		arena_reset(arena);
	}
}

static void
cuts_between_characters(struct arena *arena)
{
	const struct span s = SPAN("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
	/* Characters begin at 0, 1, 3, 6 and 10; there are 11 bytes. */
	static const size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11,
	    11, 11};

	for (size_t n = 0; n < COUNT_OF(cuts); n++)
		assert_int_equal(utf8_cut(unit_exact(arena, s), n), cuts[n]);
	assert_int_equal(utf8_cut(SPAN(""), 0), 0);
	assert_int_equal(utf8_cut(SPAN(""), 5), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_of_one_and_two_bytes),
		TEST(all_of_three_bytes),
		TEST(edges_of_three_bytes_everywhere),
		TEST(edges_of_four_bytes_everywhere),
		TEST(named_cases),
		TEST(cut_sequences_at_the_end),
		TEST(random_texts),
		TEST(cuts_between_characters),
	};

	return RUN_TESTS(tests);
}
