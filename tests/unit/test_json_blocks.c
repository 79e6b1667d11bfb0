#include "unit.h"

#include "json/json_string.h"
#include "json/json_syntax.h"

json_blocks json_blocks_portable;

static bool
has_avx2(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_supports("avx2") != 0;
#else
	return false; /* then the wide one is the narrow one */
#endif
}

static const struct {
	const char *name;
	json_blocks *blocks;
} variants[] = {
	{"portable", json_blocks_portable},
	{"narrow", json_blocks_narrow},
	{"wide", json_blocks_wide},
};

/* What a string is, by the letter of the grammar: one byte after the other. */
struct truth {
	const char *behind; /* the closing quote; NULL: there is none */
	const char *wrong;  /* the first byte that may not stand there, or END */
};

static struct truth
judge_slowly(struct span text)
{
	const char *p = text.p, *end = text.p + text.n;

	while (p < end && *p != '"') {
		if ((unsigned char)*p < 0x20)
			return (struct truth){NULL, p};
		if (*p != '\\') {
			p++;
			continue;
		}
		if (end - p < 2)
			return (struct truth){NULL, p};
		if (p[1] == 'u' && hex4(p + 2, end) >= 0)
			p += 6;
		else if (p[1] != '\0' && strchr("\"\\/bfnrt", p[1]) != NULL)
			p += 2;
		else
			return (struct truth){NULL, p};
	}
	return (struct truth){p < end ? p + 1 : NULL, end};
}

/* Can AT be reached without stopping in an escape? */
static bool
between_escapes(struct span text, const char *at)
{
	const char *p = text.p;

	while (p < at)
		p += *p == '\\' ? 2 : 1;
	return p == at;
}

/* Where the first byte that breaks UTF-8 stands, or the end. */
static const char *
first_broken(struct span text)
{
	while (text.n > 0) {
		size_t n = utf8_character(text);

		if (n == 0)
			return text.p;
		text = span_from(text, n);
	}
	return text.p;
}

static void
check_blocks(const char *name, json_blocks *blocks, struct span text)
{
	struct truth truth = judge_slowly(text);
	struct json_letters letters = {.checked = text.p};
	const char *end = text.p + text.n, *p = text.p;
	const char *broken = first_broken(text);
	bool closed = blocks(&p, end, &letters);

	if (closed)
		CHECK(p == truth.behind, "%s: closed at %td, not %td: %.*s",
		    name, p - text.p, truth.behind - text.p, (int)text.n,
		    text.p);
	else
		CHECK(p <= truth.wrong &&
			(truth.behind == NULL || p < truth.behind) &&
			between_escapes(text, p),
		    "%s: went to %td: %.*s", name, p - text.p, (int)text.n,
		    text.p);
	/* What is behind P may have been looked at as well. */
	CHECK(!letters.broken || broken < end, "%s: UTF-8: %.*s", name,
	    (int)text.n, text.p);
	CHECK(letters.broken || broken >= p, "%s: no UTF-8: %.*s", name,
	    (int)text.n, text.p);
}

static void
check_all(struct arena *arena, struct span text)
{
	struct span exact = unit_exact(arena, text);
	struct truth truth = judge_slowly(exact);
	struct json_letters letters = {.checked = exact.p};
	const char *end = exact.p + exact.n;
	const char *behind = json_string_judge(exact.p, end, &letters);

	CHECK(behind == truth.behind, "%td, not %td: %.*s",
	    behind != NULL ? behind - exact.p : -1,
	    truth.behind != NULL ? truth.behind - exact.p : -1, (int)exact.n,
	    exact.p);
	CHECK(!letters.broken || first_broken(exact) < end, "UTF-8: %.*s",
	    (int)exact.n, exact.p);
	if (behind != NULL)
		CHECK(letters.broken || first_broken(exact) >= behind,
		    "no UTF-8: %.*s", (int)exact.n, exact.p);
	for (size_t i = 0; i < COUNT_OF(variants); i++)
		if (variants[i].blocks != json_blocks_wide || has_avx2())
			check_blocks(variants[i].name, variants[i].blocks,
			    exact);
}

/* Pieces that are rare in random bytes and common in sessions. */
static const struct span pieces[] = {
	LIT("\\n"), LIT("\\\""), LIT("\\\\"), LIT("\\"), LIT("\\t"),
	LIT("\\r"), LIT("\\f"), LIT("\\b"), LIT("\\/"), LIT("\\u001b"),
	LIT("\\u00zz"), LIT("\\x"), LIT("a"), LIT("nrt\"'/"),
	LIT("abcdefghijklmnopqrstuvwxyz"), LIT("\xc3\xb6"),
	LIT("\xe2\x86\x92"), LIT("\xf0\x9f\x9a\x80"), LIT("\xe0\xa4\x85"),
	LIT("\xed\x9f\xbf"), LIT("\xed\xa0\x80"), LIT("\xc0\x80"),
	LIT("\xc1\xbf"), LIT("\xe0\x9f\xbf"), LIT("\xf0\x8f\xbf\xbf"),
	LIT("\xf5\x80\x80\x80"),
	LIT("\xc2"), LIT("\x80"), LIT("\xe2\x86"), LIT("\xf4\x90\x80\x80"),
	LIT("\x1f"), LIT("\n"), LIT("\""), LIT("\x7f"), LIT("\xff"),
};

enum { ROUNDS = 60000 };

static void
random_strings(struct arena *arena)
{
	struct chance chance = chance_new(1);

	for (int round = 0; round < ROUNDS; round++) {
		struct buf text = buf_new(arena, 512);
		size_t length = chance_below(&chance, 300);
		/* Few kinds at a time: else all strings end soon. */
		size_t kinds[4];

		for (size_t i = 0; i < COUNT_OF(kinds); i++)
			kinds[i] = chance_below(&chance, COUNT_OF(pieces));
		while (text.n < length) {
			size_t plain = chance_below(&chance, 40);

			buf_add(&text, unit_repeat(arena, SPAN("x"), plain));
			buf_add(&text, pieces[kinds[chance_below(&chance, 4)]]);
		}
		if (chance_below(&chance, 2) == 0)
			buf_str(&text, "\",\"more\":\"of it\"}");
		check_all(arena, buf_span(&text));
		arena_reset(arena);
	}
}

/* Every piece and every pair of them at every place of two blocks. */
static void
pairs_at_every_place(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(pieces); i++)
		for (size_t k = 0; k < COUNT_OF(pieces); k++)
			for (size_t at = 40; at < 2 * JSON_BLOCK + 4; at++) {
				struct buf text = buf_new(arena, 512);

				buf_add(&text,
				    unit_repeat(arena, SPAN("x"), at));
				buf_add(&text, pieces[i]);
				buf_add(&text, pieces[k]);
				buf_add(&text,
				    unit_repeat(arena, SPAN("y"), 150 - at));
				buf_str(&text, "\": 1}");
				check_all(arena, buf_span(&text));
				arena_reset(arena);
			}
}

/* Backslashes in a row, of every length, from every place on. */
static void
runs_of_backslashes(struct arena *arena)
{
	for (size_t at = 0; at < JSON_BLOCK; at++)
		for (size_t n = 1; n < 3 * JSON_BLOCK; n++) {
			struct buf text = buf_new(arena, 512);

			buf_add(&text, unit_repeat(arena, SPAN("x"), at));
			buf_add(&text, unit_repeat(arena, SPAN("\\"), n));
			buf_str(&text, "\"nothing\"");
			buf_add(&text, unit_repeat(arena, SPAN("z"), 80));
			check_all(arena, buf_span(&text));
			arena_reset(arena);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_strings),
		TEST(pairs_at_every_place),
		TEST(runs_of_backslashes),
	};

	return RUN_TESTS(tests);
}
