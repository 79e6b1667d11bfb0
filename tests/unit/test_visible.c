#include "unit.h"

#include "base/visible.h"

static void
f6_spelled_out(struct arena *arena)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
	    {"", ""},
	    {"plain text, \tand \\", "plain text, \tand \\"},
	    {"caf\xc3\xa9 \xe2\x9c\x93 \xf0\x9f\x98\x80",
		"caf\xc3\xa9 \xe2\x9c\x93 \xf0\x9f\x98\x80"},
	    {"\x1b[31m\n\r\x7f\x01", "\\x1b[31m\\x0a\\x0d\\x7f\\x01"},
	    {"\xc2\x9b"
	     "31m\xc2\x80\xc2\x9f",
		"\\u{9b}31m\\u{80}\\u{9f}"},
	    {"\xc2\xa0", "\xc2\xa0"},
	    {"\xe2\x80\xae\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9",
		"\\u{202e}\\u{202a}\\u{2066}\\u{2069}"},
	    {"\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
		"\\u{200e}\\u{200f}\\u{61c}"},
	    {"\xe2\x80\xa8\xe2\x80\xa9", "\\u{2028}\\u{2029}"},
	    {"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\x9f",
		"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\x9f"},
	    /* what cannot be seen: soft hyphen, no width, tags, notes */
	    {"a\xc2\xad\xe2\x80\x8b\xe2\x81\xa0\xe2\x81\xaf\xef\xbb\xbf"
	     "b\xf3\xa0\x80\x81\xf3\xa0\x81\xbf\xef\xbf\xb9\xe1\xa0\x8e",
		"a\\u{ad}\\u{200b}\\u{2060}\\u{206f}\\u{feff}b\\u{e0001}"
		"\\u{e007f}\\u{fff9}\\u{180e}"},
	    /* what joins letters is how they are written */
	    {"\xe2\x80\x8c\xe2\x80\x8d\xef\xb8\x8f",
		"\xe2\x80\x8c\xe2\x80\x8d\xef\xb8\x8f"},
	    {"\xc2\xac\xc2\xae\xf3\xa0\x84\x80",
		"\xc2\xac\xc2\xae\xf3\xa0\x84\x80"},
	    {"\xff\x9b", "\\xff\\x9b"},
	    {"\xc2", "\\xc2"},
	    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
	    {"\xc1\x9b", "\\xc1\\x9b"}, /* an overlong ESC of a kind */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct buf out = buf_new(arena, 8);

		visible_add(&out,
		    unit_exact(arena, span_str(cases[i].text)));
		ASSERT_TEXT(buf_span(&out), cases[i].shown);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TEST(f6_spelled_out)};

	return RUN_TESTS(tests);
}
