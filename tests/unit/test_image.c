#include "unit.h"

#include "file/image.h"

static void
recognised(struct arena *arena)
{
	static const struct span rows[] = {
		LIT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1"),
		LIT("\x89PNG"),
		LIT("\xff\xd8\xff\xe0\0\x10JFIF\0"),
		LIT("\xff\xd8\xff"),
		LIT("GIF87a"),
		LIT("GIF89a"),
		/* The name is ignored, and so is what follows. */
		LIT("GIF89a is how this text begins\n"),
		LIT("RIFF\0\0\0\0WEBP"),
		LIT("RIFF1234WEBPVP8 "),
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(image_sniff(unit_exact(arena, rows[i])), "row %zu", i);
}

static void
not_recognised(struct arena *arena)
{
	static const struct span rows[] = {
		LIT(""),
		LIT("\xff"),
		LIT("\xff\xd8"),
		LIT("\x89PN"),
		LIT("PNG"),
		LIT("GIF8"),
		LIT("GIF88a"),
		LIT("gif89a"),
		LIT(" GIF89a"),
		LIT("RIFF"),
		LIT("RIFF1234WEB"),
		LIT("RIFF1234WAVE"),
		LIT("RIFFWEBP1234"),
		LIT("BM"),
		LIT("BMW is a maker of cars and motorcycles.\n"),
		LIT("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
		LIT("\xef\xbb\xbfGIF89a"),
		LIT("\0\0\1\0"),
		LIT("II*\0"),
		LIT("%PDF-1.7"),
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(!image_sniff(unit_exact(arena, rows[i])), "row %zu", i);
}

enum { FILE_SIZE = 2, PIXELS = 10, HEADER = 14, PLANES = 26, DEPTH = 28 };

/* A 1x1 bitmap as programs write it: header of 40 bytes, 24 bits. */
static void
make_bitmap(char bitmap[58])
{
	memset(bitmap, 0, 58);
	memcpy(bitmap, "BM", 2);
	bitmap[FILE_SIZE] = 58;
	bitmap[PIXELS] = 54;
	bitmap[HEADER] = 40;
	bitmap[18] = bitmap[22] = 1;
	bitmap[PLANES] = 1;
	bitmap[DEPTH] = 24;
}

static void
bitmaps(struct arena *arena)
{
	static const struct {
		size_t at;
		char byte;
		bool image;
	} rows[] = {
		{0, 'B', true}, /* as it is */
		{0, 'A', false},
		{1, 'N', false},
		{FILE_SIZE, 0, true}, /* a size of 0 is allowed */
		{FILE_SIZE, 25, false},
		{FILE_SIZE, 54, false}, /* no room for pixels */
		{FILE_SIZE, 55, true},
		{PIXELS, 53, false}, /* inside of the header */
		{HEADER, 39, false},
		{HEADER, 13, false},
		{PLANES, 0, false},
		{PLANES, 2, false},
		{PLANES + 1, 1, false},
		{DEPTH, 1, true},
		{DEPTH, 4, true},
		{DEPTH, 8, true},
		{DEPTH, 16, true},
		{DEPTH, 32, true},
		{DEPTH, 0, false},
		{DEPTH, 2, false},
		{DEPTH, 64, false},
		{DEPTH + 1, 1, false},
	};
	char bitmap[58];

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		make_bitmap(bitmap);
		bitmap[rows[i].at] = rows[i].byte;
		CHECK(image_sniff(unit_exact(arena, span_of(bitmap, 58))) ==
			rows[i].image,
		    "row %zu", i);
	}
}

/* The old header of 12 bytes has its fields elsewhere. */
static void
old_bitmaps(struct arena *arena)
{
	char bitmap[30] = "BM";

	bitmap[FILE_SIZE] = 30;
	bitmap[PIXELS] = 26;
	bitmap[HEADER] = 12;
	bitmap[22] = 1;  /* planes */
	bitmap[24] = 24; /* depth */
	assert_true(image_sniff(unit_exact(arena, span_of(bitmap, 30))));
	assert_true(image_sniff(unit_exact(arena, span_of(bitmap, 26))));
	assert_false(image_sniff(unit_exact(arena, span_of(bitmap, 25))));
	bitmap[22] = 0;
	assert_false(image_sniff(unit_exact(arena, span_of(bitmap, 30))));
}

/* However short it is, nothing behind its end is looked at. */
static void
cut_bitmaps(struct arena *arena)
{
	char bitmap[58];

	make_bitmap(bitmap);
	for (size_t n = 0; n <= 58; n++) {
		bool image = image_sniff(unit_exact(arena,
		    span_of(bitmap, n)));

		CHECK(image == (n >= 30), "%zu bytes", n);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(recognised),
		TEST(not_recognised),
		TEST(bitmaps),
		TEST(old_bitmaps),
		TEST(cut_bitmaps),
	};

	return RUN_TESTS(tests);
}
