#include "unit.h"

#include "base/lines.h"
#include "base/utf8.h"
#include "file/measure.h"

/* TEXT in pieces of random sizes, up to MOST bytes, each time elsewhere. */
static struct measure
in_pieces(struct arena *arena, struct chance *chance, struct span text,
    size_t most)
{
	struct measure measure = MEASURE_NOTHING;
	size_t n = 0;

	while (n < text.n) {
		n += 1 + chance_below(chance, most);
		if (n > text.n)
			n = text.n;
		measure_more(&measure,
		    unit_exact(arena, span_of(text.p, n)));
	}
	measure_end(&measure, unit_exact(arena, text));
	return measure;
}

static void
check(struct arena *arena, struct chance *chance, struct span text)
{
	for (size_t most = 1; most < 12; most += 2) {
		struct measure found = in_pieces(arena, chance, text, most);

		CHECK(found.broken == !utf8_valid(text),
		    "UTF-8 or not, in pieces of %zu: %.*s", most,
		    (int)text.n, text.p);
		CHECK(found.broken || found.lines == lines_count(text),
		    "%llu lines in pieces of %zu: %.*s",
		    (unsigned long long)found.lines, most, (int)text.n,
		    text.p);
	}
	arena_reset(arena);
}

static void
by_hand(struct arena *arena)
{
	static const struct span texts[] = {
		LIT(""), LIT("\n"), LIT("a"), LIT("a\n"), LIT("a\nb"),
		LIT("\n\n\n"), LIT("a\0b\n"), LIT("\xc3\xb6"), LIT("\xc3"),
		LIT("\xb6"), LIT("\xe2\x86\x92\n"), LIT("\xe2\x86"),
		LIT("\xe2\n"), LIT("\xf0\x9f\x9a\x80"),
		LIT("\xf0\x9f\x9a"), LIT("\xf0\x9f\x9a\x80\x80"),
		LIT("a\x80\x80\x80\x80\x80"), LIT("\xed\xa0\x80"),
		LIT("\xff"), LIT("\xc0\x80"), LIT("\xc3\xc3\xb6"),
		LIT("\xf4\x90\x80\x80"), LIT("x\xe2\x86\x92\xe2\x86\x92"),
	};
	struct chance chance = chance_new(1);

	for (size_t i = 0; i < COUNT_OF(texts); i++)
		check(arena, &chance, texts[i]);
}

static void
at_random(struct arena *arena)
{
	static const struct span pieces[] = {
		LIT("a"), LIT("\n"), LIT("bc\r\n"), LIT("\xc3\xb6"),
		LIT("\xe2\x86\x92"), LIT("\xf0\x9f\x9a\x80"),
		LIT("\xc3"), LIT("\x80"), LIT("\xe2\x86"),
	};
	struct chance chance = chance_new(2);

	for (int round = 0; round < 20000; round++) {
		char text[64];
		size_t n = 0, length = chance_below(&chance, 50);
		/* Mostly without the broken ones. */
		size_t kinds = chance_below(&chance, 3) == 0
		    ? COUNT_OF(pieces)
		    : COUNT_OF(pieces) - 3;

		while (n < length) {
			struct span piece =
			    pieces[chance_below(&chance, kinds)];

			memcpy(text + n, piece.p, piece.n);
			n += piece.n;
		}
		check(arena, &chance, span_of(text, n));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(by_hand),
		TEST(at_random),
	};

	return RUN_TESTS(tests);
}
