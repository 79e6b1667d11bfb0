/* Directories as text. */
#include "unit.h"
#include "work/blob/manifest.h"

static struct digest
hash_of(const char *text)
{
	return digest_of(span_str(text));
}

static void
add(struct arena *arena, struct manifest *manifest, const char *path,
    bool program)
{
	struct manifest_file file = {
	    .path = span_str(path),
	    .hash = hash_of(path),
	    .size = strlen(path),
	    .mark = program ? MANIFEST_PROGRAM : MANIFEST_FILE,
	};

	manifest_add(arena, manifest, &file);
}

static void
round_trip_in_the_order_of_bytes(struct arena *arena)
{
	static const char *const names[] = {"b", "a/z", "a", "a.txt",
	    "new\nline", "back\\slash", "\xff\xfe", "sp ace", "a/b/c"};
	static const char *const sorted[] = {"a", "a.txt", "a/b/c", "a/z", "b",
	    "back\\slash", "new\nline", "sp ace", "\xff\xfe"};
	struct manifest manifest = {0}, back;
	struct span text;

	for (size_t i = 0; i < COUNT_OF(names); i++)
		add(arena, &manifest, names[i], i % 2 == 0);
	manifest_sort(&manifest);
	text = manifest_write(arena, &manifest);
	assert_true(manifest_parse(arena, text, &back));
	assert_int_equal(back.n, COUNT_OF(sorted));
	for (size_t i = 0; i < back.n; i++) {
		struct digest hash = hash_of(sorted[i]);

		ASSERT_TEXT(back.files[i].path, sorted[i]);
		assert_true(digest_eq(&back.files[i].hash, &hash));
		assert_int_equal(back.files[i].size, strlen(sorted[i]));
		assert_int_equal(back.files[i].mark, manifest.files[i].mark);
	}
	ASSERT_SPAN(manifest_write(arena, &back), text);
}

static void
nothing_is_an_empty_text(struct arena *arena)
{
	struct manifest manifest = {0}, back;

	ASSERT_TEXT(manifest_write(arena, &manifest), "");
	assert_true(manifest_parse(arena, SPAN(""), &back));
	assert_int_equal(back.n, 0);
}

#define HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void
what_is_no_manifest_is_refused(struct arena *arena)
{
	static const char *const wrong[] = {
	    "x", "\n", HASH " 0 - a", /* no line end */
	    HASH " 0 y a\n",	      /* neither x nor - */
	    HASH " -1 - a\n",	      /* no size */
	    HASH " 00 - a\n", HASH "  - a\n",
	    "E3B0C44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	    " 0 - a\n",
	    HASH " 0 - \n",   /* no name */
	    HASH " 0 - /a\n", /* names that lead elsewhere */
	    HASH " 0 - ../a\n", HASH " 0 - a/../b\n", HASH " 0 - a/..\n",
	    HASH " 0 - ./a\n", HASH " 0 - a//b\n", HASH " 0 - a/\n",
	    HASH " 0 - a\\\n", /* half an escape */
	    HASH " 0 - a\\t\n",
	    HASH " 0 - b\n" HASH " 0 - a\n", /* not in order */
	    HASH " 0 - a\n" HASH " 0 - a\n", /* twice */
	};
	struct manifest manifest;

	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		CHECK(!manifest_parse(arena, span_str(wrong[i]), &manifest),
		    "row %zu was taken: %s", i, wrong[i]);
	assert_false(
	    manifest_parse(arena, SPAN(HASH " 0 - a\0b\n"), &manifest));
	assert_true(
	    manifest_parse(arena, SPAN(HASH " 0 - a..b/...\n"), &manifest));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(round_trip_in_the_order_of_bytes),
	    TEST(nothing_is_an_empty_text),
	    TEST(what_is_no_manifest_is_refused),
	};

	return RUN_TESTS(tests);
}
