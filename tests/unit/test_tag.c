#include "unit.h"

#include "base/tag.h"

/*
 * Of N bytes 00 01 02 ..., by the key 00 01 ... 0f, as another program has it:
 * openssl mac -macopt hexkey:... -macopt size:16 SIPHASH
 */
static const struct tag_row {
	size_t n;
	uint64_t low, high;
} rows[] = {
    {0, UINT64_C(0xe6a825ba047f81a3), UINT64_C(0x930255c71472f66d)},
    {1, UINT64_C(0x44af996bd8c187da), UINT64_C(0x45fc229b11597634)},
    {7, UINT64_C(0x53c1dbd8beebf1a1), UINT64_C(0x3982f01fa64ab8c0)},
    {8, UINT64_C(0x61f55862baa9623b), UINT64_C(0xb49714f364e2830f)},
    {9, UINT64_C(0xabbad90a06994426), UINT64_C(0xed716dbb028b7fc4)},
    {15, UINT64_C(0x11a8b03399e99354), UINT64_C(0xd9c3cf970fec087e)},
    {16, UINT64_C(0xbb54b067caa4e26e), UINT64_C(0x77052385bf1533fd)},
    {17, UINT64_C(0x98b88d73e8063d47), UINT64_C(0x4077e47ac466c054)},
    {31, UINT64_C(0xfcfa233218b03929), UINT64_C(0x353dc4524fde2317)},
    {63, UINT64_C(0x4a83502f77d15051), UINT64_C(0x7cbd3f979a063e50)},
    {64, UINT64_C(0x3fcdd4c07d07af1e), UINT64_C(0x4ba75836384dad8c)},
    {200, UINT64_C(0x9dff12edf453587c), UINT64_C(0x2d024740bc796a83)},
};

static void
tags_as_others_have_them(struct arena *arena)
{
	const struct tag key = {
	    UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
	char bytes[200];

	(void)arena;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)i;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct tag tag = tag_of(key, span_of(bytes, rows[i].n));

		CHECK(tag.low == rows[i].low && tag.high == rows[i].high,
		    "%zu bytes", rows[i].n);
	}
}

static void
both_halves_count(struct arena *arena)
{
	const struct tag one = {1, 2};

	(void)arena;
	assert_true(tag_eq(one, (struct tag){1, 2}));
	assert_false(tag_eq(one, (struct tag){1, 3}));
	assert_false(tag_eq(one, (struct tag){2, 2}));
	/* 0x20 ^ 0x10 in one half is not made good by the other one. */
	assert_false(
	    tag_eq((struct tag){0x10, 0x20}, (struct tag){0x20, 0x10}));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(tags_as_others_have_them),
	    TEST(both_halves_count),
	};

	return RUN_TESTS(tests);
}
