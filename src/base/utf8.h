/*
 * utf8.h -- is it valid UTF-8?
 */
#ifndef READCACHE_BASE_UTF8_H
#define READCACHE_BASE_UTF8_H

#include <stdbool.h>

#include "base/span.h"

/*
 * Is TEXT strict UTF-8?  No overlong form, no surrogate, nothing above
 * U+10FFFF.
 */
bool utf8_valid(struct span text);

/* The largest length up to N at which S can be cut between characters. */
size_t utf8_cut(struct span s, size_t n);

static inline bool
utf8_is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/*
 * The length in bytes of the character that S begins with; S is not empty.  0
 * if S does not begin with a character that utf8_valid accepts.
 *
 * It is written by hand and does not call utf8proc_iterate.  Sessions are full
 * of such characters, and the call alone took a tenth of the time of validating
 * a session.
 */
static inline size_t
utf8_character(struct span s)
{
	unsigned char lead = (unsigned char)s.p[0];
	unsigned char next = s.n > 1 ? (unsigned char)s.p[1] : 0;
	unsigned char low = 0x80, high = 0xbf; /* what next may be */

	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if (lead == 0xe0)
		low = 0xa0; /* else it is overlong */
	else if (lead == 0xed)
		high = 0x9f; /* else it is a surrogate */
	else if (lead == 0xf0)
		low = 0x90;
	else if (lead == 0xf4)
		high = 0x8f; /* else it is above U+10FFFF */
	if (next < low || next > high)
		return 0;
	if (lead < 0xe0)
		return 2;
	if (s.n < 3 || !utf8_is_tail(s.p[2]))
		return 0;
	if (lead < 0xf0)
		return 3;
	return s.n >= 4 && utf8_is_tail(s.p[3]) ? 4 : 0;
}

#endif
