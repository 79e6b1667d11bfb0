/*
 * json_blocks.h -- the inside of long strings, block by block.
 *
 * The loop is compiled more than once.  A file that defines JSON_BLOCKS gets it
 * under that name, with the instructions that the file may use.
 */
#ifndef READCACHE_JSON_JSON_BLOCKS_H
#define READCACHE_JSON_JSON_BLOCKS_H

#include "base/utf8.h"
#include "json/json_block.h"

/* Is the text UTF-8?  Only bytes that are not ASCII are looked at. */
struct json_letters {
	const char *checked; /* everything before it was checked */
	bool broken;
};

/*
 * The byte AT is not ASCII.  Check the character that begins there, unless the
 * byte belongs to one that was checked.
 */
static inline void
json_letter(struct json_letters *letters, const char *at, const char *end)
{
	if (at < letters->checked)
		return;
	letters->checked =
	    at + utf8_character((struct span){at, (size_t)(end - at)});
	letters->broken |= letters->checked == at;
}

/*
 * *P is inside a string, and the byte before it is not an escaping backslash.
 *
 * True: *P was moved to the byte after the closing quote.  False: *P was moved
 * to bytes that must be looked at one by one, because something rare is among
 * them, or because less than a block is left.  The bytes that were passed are
 * valid, except for what LETTERS reports.
 */
typedef bool json_blocks(
    const char **p, const char *end, struct json_letters *letters);

json_blocks json_blocks_narrow; /* for every processor */
json_blocks json_blocks_wide;	/* for one with AVX2 */

#endif

#ifdef JSON_BLOCKS

/* Are all characters of the block at P common ones, and complete? */
static inline bool
common_letters(struct json_letters *letters, uint64_t high, const char *p)
{
	struct json_block_letters block = json_block_letters(p);
	uint64_t leads = high & ~block.tails;
	uint64_t left = ~UINT64_C(0); /* what was not checked before */

	if (letters->checked > p)
		left <<= letters->checked - p;
	return ((block.rare & left) | leads >> 62) == 0 &&
	       (block.tails & left) ==
		   ((leads & left) << 1 | (block.threes & left) << 2);
}

/* The bits of HIGH are the bytes of the block at P that are not ASCII. */
static inline void
judge_letters(
    struct json_letters *letters, uint64_t high, const char *p, const char *end)
{
	if (letters->checked - p >= JSON_BLOCK)
		return;
	if (common_letters(letters, high, p)) {
		letters->checked = p + JSON_BLOCK;
		return;
	}
	for (; high != 0; high &= high - 1)
		json_letter(letters, p + __builtin_ctzll(high), end);
}

bool
JSON_BLOCKS(const char **p, const char *end, struct json_letters *letters)
{
	const char *at = *p;
	uint64_t carry = 0; /* 1: the byte at AT is escaped */

	while (end - at >= JSON_BLOCK) {
		struct json_block block = json_block_at(at);
		uint64_t next;
		uint64_t escaped =
		    json_block_escaped(block.backslashes & ~carry, &next) |
		    (carry & ~block.backslashes);
		uint64_t quotes = block.quotes & ~escaped;

		if (block.high != 0)
			judge_letters(letters, block.high, at, end);
		if (block.controls || (escaped & ~block.escapable) != 0)
			break;
		if (quotes != 0) {
			*p = at + __builtin_ctzll(quotes) + 1;
			return true;
		}
		at += JSON_BLOCK;
		carry = next;
	}
	*p = at - carry;
	return false;
}

#endif
