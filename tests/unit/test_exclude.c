#include "unit.h"

#include <ctype.h>

#include "path/exclude.h"

static const char *const excluded[] = {".env", ".env.local", ".envrc",
	".environment", "server.pem", ".pem", "a.b.key", "x.p12", "x.pfx",
	"x.crt", "x.cer", "x.der", "x.pk8", "id_rsa", "id_ed25519", ".npmrc",
	".netrc", "caf\xc3\xa9.key"};

static const char *const allowed[] = {"", "env", "a.env", "my.env.txt",
	"_env", "pem", "server.pem.txt", "server.pems", "xpem", "key",
	"x.keys", "x.p1", "x.p122", "crt", "id_rsa.pub", "xid_rsa", "id_rsa2",
	"id_ed25519.pub", "id_dsa", "npmrc", ".npmrc2", "x.npmrc", ".netrc~",
	"_netrc", "main.c", ".gitignore"};

static bool
matches(struct arena *arena, const char *before, const char *name)
{
	struct span path = unit_join(arena, span_str(before), span_str(name));

	return exclude_matches(arena, unit_exact(arena, path));
}

static void
names(struct arena *arena)
{
	static const char *const before[] = {"", "/", "/home/me/", "a/b/"};

	for (size_t k = 0; k < COUNT_OF(before); k++) {
		for (size_t i = 0; i < COUNT_OF(excluded); i++)
			CHECK(matches(arena, before[k], excluded[i]), "%s%s",
			    before[k], excluded[i]);
		for (size_t i = 0; i < COUNT_OF(allowed); i++)
			CHECK(!matches(arena, before[k], allowed[i]), "%s%s",
			    before[k], allowed[i]);
	}
}

static void
case_does_not_matter(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(excluded); i++) {
		char *upper = arena_cstr(arena, span_str(excluded[i]));
		char *mixed = arena_cstr(arena, span_str(excluded[i]));

		for (size_t k = 0; upper[k] != '\0'; k++) {
			if ((unsigned char)upper[k] >= 0x80)
				continue;
			upper[k] = (char)toupper(upper[k]);
			if (k % 2 == 1)
				mixed[k] = upper[k];
		}
		CHECK(matches(arena, "/x/", upper), "%s", upper);
		CHECK(matches(arena, "/x/", mixed), "%s", mixed);
	}
}

/* Only the last component counts. */
static void
directories_do_not_matter(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(excluded); i++) {
		struct span dir = unit_join(arena, span_str(excluded[i]),
		    SPAN("/main.c"));

		assert_false(exclude_matches(arena, dir));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names),
		TEST(case_does_not_matter),
		TEST(directories_do_not_matter),
	};

	return RUN_TESTS(tests);
}
