#include "json/json_string.h"

#ifdef READCACHE_WIDE
#include <sys/platform/x86.h>
#endif

#include "json/json_syntax.h"

/* What may follow a backslash, besides 'u'. */
static const unsigned char escapes[256] = {['"'] = 1,
    ['\\'] = 1,
    ['/'] = 1,
    ['b'] = 1,
    ['f'] = 1,
    ['n'] = 1,
    ['r'] = 1,
    ['t'] = 1};

/* P is at a backslash.  Returns the byte after the escape, or NULL. */
static const char *
judge_escape(const char *p, const char *end)
{
	if (end - p < 2)
		return NULL;
	if (escapes[(unsigned char)p[1]])
		return p + 2;
	return p[1] == 'u' && hex4(p + 2, end) >= 0 ? p + 6 : NULL;
}

/*
 * Check a part of a string byte by byte: from P to STOP, or a little further if
 * an escape crosses STOP.  END is the end of the text.  *CLOSED says whether
 * the string ended.  Returns the byte to continue from, or NULL if the string
 * is not valid.
 */
static const char *
judge_bytes(const char *p, const char *stop, const char *end,
    struct json_letters *letters, bool *closed)
{
	*closed = false;
	while (p != NULL && p < stop && !*closed) {
		unsigned char c = (unsigned char)*p;

		*closed = c == '"';
		if (c < 0x20)
			return NULL;
		if (c >= 0x80)
			json_letter(letters, p, end);
		p = c == '\\' ? judge_escape(p, end) : p + 1;
	}
	return p;
}

/*
 * The C library asked the processor when the program started.  Asking again is
 * slow.
 */
static json_blocks *
choose_blocks(void)
{
#ifdef READCACHE_WIDE
	if (CPU_FEATURE_ACTIVE(AVX2))
		return json_blocks_wide;
#endif
	return json_blocks_narrow;
}

const char *
json_string_judge(const char *p, const char *end, struct json_letters *letters)
{
	json_blocks *blocks;
	bool closed = false;

	if (end - p >= JSON_NEAR) {
		int near = json_block_near(p);

		if (near < JSON_NEAR)
			return p + near + 1;
	}
	blocks = choose_blocks();
	while (p != NULL && p < end && !closed) {
		const char *stop;

		if (blocks(&p, end, letters))
			return p;
		stop = end - p > JSON_BLOCK ? p + JSON_BLOCK : end;
		p = judge_bytes(p, stop, end, letters, &closed);
	}
	return closed ? p : NULL;
}
