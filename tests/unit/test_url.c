#include "unit.h"

#include "path/url.h"

#define HOST_MESSAGE \
	"File URL host must be \"localhost\" or empty on linux"
#define SLASH_MESSAGE \
	"File URL path must not include encoded / characters"

static void
plain_forms(struct arena *arena)
{
	static const struct {
		struct span url, path;
	} rows[] = {
		{LIT("file:///a/b"), LIT("/a/b")},
		{LIT("file:///"), LIT("/")},
		{LIT("file://"), LIT("/")},
		{LIT("file://localhost/a"), LIT("/a")},
		{LIT("file://LocalHost/a"), LIT("/a")},
		{LIT("file://localhost"), LIT("/")},
		{LIT("file:///a%20b"), LIT("/a b")},
		{LIT("file:///%41%7e%7E"), LIT("/A~~")},
		{LIT("file:///%c3%a9"), LIT("/\xc3\xa9")},
		{LIT("file:///%F0%9F%98%80"), LIT("/\xf0\x9f\x98\x80")},
		{LIT("file:///\xc3\xa9"), LIT("/\xc3\xa9")},
		{LIT("file:///a%25b"), LIT("/a%b")},
		{LIT("file:///a%252Fb"), LIT("/a%2Fb")},
		{LIT("file:///a%00b"), LIT("/a\0b")},
		{LIT("file:///a%23b%3Fc"), LIT("/a#b?c")},
		{LIT("file:///a?query"), LIT("/a")},
		{LIT("file:///a#part"), LIT("/a")},
		{LIT("file:///a?b#c"), LIT("/a")},
		{LIT("file:///a#b?c"), LIT("/a")},
		{LIT("file:///a?b/c%zz"), LIT("/a")},
		{LIT("file:///a+b@c"), LIT("/a+b@c")},
		{LIT("file:///abc:d"), LIT("/abc:d")},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct name_error error;
		struct span path;

		CHECK(url_to_path(arena, unit_exact(arena, rows[i].url), &path,
			  &error) == NAME_OK,
		    "%s", rows[i].url.p);
		ASSERT_SPAN(path, rows[i].path);
	}
}

static void
refused_forms(struct arena *arena)
{
	static const struct {
		const char *url, *code, *message;
	} rows[] = {
		{"file://host/a", "ERR_INVALID_FILE_URL_HOST", HOST_MESSAGE},
		{"file://host", "ERR_INVALID_FILE_URL_HOST", HOST_MESSAGE},
		{"file://ex.ample.com/a", "ERR_INVALID_FILE_URL_HOST",
		    HOST_MESSAGE},
		{"file://localhosts/a", "ERR_INVALID_FILE_URL_HOST",
		    HOST_MESSAGE},
		{"file://alocalhost/a", "ERR_INVALID_FILE_URL_HOST",
		    HOST_MESSAGE},
		/* A relative path looks like a host. */
		{"file://a.txt", "ERR_INVALID_FILE_URL_HOST", HOST_MESSAGE},
		{"file:///a%2Fb", "ERR_INVALID_FILE_URL_PATH", SLASH_MESSAGE},
		{"file:///a%2fb", "ERR_INVALID_FILE_URL_PATH", SLASH_MESSAGE},
		/* The slash is looked for before anything is decoded. */
		{"file:///%zz%2F", "ERR_INVALID_FILE_URL_PATH",
		    SLASH_MESSAGE},
		{"file:///a%", "URIError", "URI malformed"},
		{"file:///a%4", "URIError", "URI malformed"},
		{"file:///a%zz", "URIError", "URI malformed"},
		{"file:///a%4g", "URIError", "URI malformed"},
		{"file:///%ff", "URIError", "URI malformed"},
		{"file:///%c3", "URIError", "URI malformed"},
		{"file:///%c0%80", "URIError", "URI malformed"},
		{"file:///%ed%a0%80", "URIError", "URI malformed"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct name_error error = {"", SPAN("")};
		struct span path;

		CHECK(url_to_path(arena,
			  unit_exact(arena, span_str(rows[i].url)), &path,
			  &error) == NAME_REFUSED,
		    "%s", rows[i].url);
		CHECK(strcmp(error.code, rows[i].code) == 0, "%s: %s",
		    rows[i].url, error.code);
		ASSERT_TEXT(error.message, rows[i].message);
	}
}

/* Where a URL parser does more than decode, only the host can tell. */
static void
unusual_forms(struct arena *arena)
{
	static const struct span rows[] = {
		LIT("file:///a\\b"),
		LIT("file://\\a"),
		LIT("file:///a b"),
		LIT("file:///a "),
		LIT("file:///a?b "),
		LIT("file:///a\tb"),
		LIT("file:///a\nb"),
		LIT("file:///a\x01"),
		LIT("file:///a\0"),
		LIT("file:///C:/x"),
		LIT("file:///c|/x"),
		LIT("file://localhost/C:/x"),
		LIT("file://C:/x"),
		LIT("file://me@localhost/x"),
		LIT("file://localhost:80/x"),
		LIT("file://127.0.0.1/x"),
		LIT("file://0x7f/x"),
		LIT("file://1/x"),
		LIT("file://[::1]/x"),
		LIT("file://xn--abc/x"),
		LIT("file://h\xc3\xb6st/x"),
		LIT("file://lo%63alhost/x"),
		LIT("file:///a/%2e%2e/b"),
		LIT("file:///a/%2E/b"),
		LIT("file:///a/.%2e/b"),
		LIT("file://a.b.1/x"),
		LIT("file://host./x"),
		LIT("file://host."),
		LIT("file://."),
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct name_error error;
		struct span path;

		CHECK(url_to_path(arena, unit_exact(arena, rows[i]), &path,
			  &error) == NAME_UNUSUAL,
		    "%s", rows[i].p);
	}
}

/*
 * A URL parser drops dot segments itself, and to it the empty segment of
 * "//" is one: the host reads /a/b here.  A result that resolves to another
 * file is the worst answer there is.
 */
static void
dots_behind_empty_segments(struct arena *arena)
{
	static const char *const rows[][2] = {
		{"file:///a//../b", "/a/b"},
		{"file:///a//..", "/a"},
		{"file:///a///../../b", "/a/b"},
		{"file:///a/../b", "/b"},
		{"file:///a/b/../../c", "/c"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct name_error error;
		struct span path;
		enum name_status status = url_to_path(arena,
		    span_str(rows[i][0]), &path, &error);

		if (status == NAME_UNUSUAL)
			continue;
		assert_int_equal(status, NAME_OK);
		ASSERT_TEXT(name_normalize(arena, path), rows[i][1]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(plain_forms),
		TEST(refused_forms),
		TEST(unusual_forms),
		TEST(dots_behind_empty_segments),
	};

	return RUN_TESTS(tests);
}
