/*
 * json_block.h -- 64 bytes of text at a time, as bits.
 *
 * In a long string almost every byte is ordinary.  The others are found by
 * looking at bits instead of bytes.
 */
#ifndef READCACHE_JSON_JSON_BLOCK_H
#define READCACHE_JSON_JSON_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "json/json_vector.h"

enum { JSON_BLOCK = 64 };

/* Bit i stands for byte i. */
struct json_block {
	uint64_t quotes;
	uint64_t backslashes;
	uint64_t escapable; /* the usual ones after a backslash: " n r t */
	uint64_t high;	    /* not ASCII */
	bool controls;	    /* some byte is below 0x20 */
};

/* The bytes that are not ASCII.  The rare ones need a closer look. */
struct json_block_letters {
	uint64_t tails;	 /* 0x80 to 0xbf */
	uint64_t threes; /* from 0xe0 on: two tails follow */
	uint64_t rare;	 /* 0xc0, 0xc1, 0xe0, 0xed, and from 0xf0 on */
};

static inline struct json_block
json_block_at(const char *p)
{
	struct json_block block = {0};
	json_vector controls = vector_of(0);

	for (int i = 0; i < JSON_BLOCK; i += JSON_VECTOR) {
		json_vector bytes = vector_at(p + i);
		json_vector quotes = vector_is(bytes, '"');
		json_vector lines =
		    vector_or(vector_is(bytes, 'n'), vector_is(bytes, 'r'));
		json_vector others = vector_or(quotes, vector_is(bytes, 't'));

		block.quotes |= vector_bits(quotes) << i;
		block.backslashes |= vector_bits(vector_is(bytes, '\\')) << i;
		block.escapable |= vector_bits(vector_or(lines, others)) << i;
		block.high |= vector_bits(bytes) << i;
		controls = vector_or(controls, vector_to(bytes, 0x1f));
	}
	block.controls = vector_bits(controls) != 0;
	return block;
}

static inline struct json_block_letters
json_block_letters(const char *p)
{
	struct json_block_letters letters = {0};

	for (int i = 0; i < JSON_BLOCK; i += JSON_VECTOR) {
		json_vector bytes = vector_at(p + i);
		uint64_t high = vector_bits(bytes);
		uint64_t lead = vector_bits(vector_from(bytes, 0xc0));
		uint64_t two = vector_bits(vector_from(bytes, 0xc2));
		json_vector rare = vector_or(vector_from(bytes, 0xf0),
		    vector_or(vector_is(bytes, 0xe0), vector_is(bytes, 0xed)));

		letters.tails |= (high & ~lead) << i;
		letters.threes |= vector_bits(vector_from(bytes, 0xe0)) << i;
		letters.rare |= (vector_bits(rare) | (lead & ~two)) << i;
	}
	return letters;
}

enum { JSON_NEAR = JSON_VECTOR };

/*
 * How many ordinary bytes stand before the first quote, in the JSON_NEAR bytes
 * at P.  JSON_NEAR if there is no quote, or another special byte comes first.
 * Most strings are names, which are short.
 */
static inline int
json_block_near(const char *p)
{
	json_vector bytes = vector_at(p);
	json_vector odd = vector_or(vector_is(bytes, '"'),
	    vector_or(vector_is(bytes, '\\'), vector_to(bytes, 0x1f)));
	uint64_t found = vector_bits(vector_or(odd, bytes));
	int first = found != 0 ? __builtin_ctzll(found) : JSON_NEAR;

	return first < JSON_NEAR && p[first] == '"' ? first : JSON_NEAR;
}

/*
 * The bytes that follow an odd number of backslashes and are not backslashes
 * themselves: those that are escaped.
 *
 * For every run of backslashes, adding a bit at its start carries to the byte
 * after its end.  The run is odd if one of the two is at an even place and the
 * other at an odd one.  *NEXT is 1 if the byte after the block is escaped.
 */
static inline uint64_t
json_block_escaped(uint64_t backslashes, uint64_t *next)
{
	const uint64_t even = UINT64_C(0x5555555555555555);
	uint64_t first = backslashes & ~(backslashes << 1);
	uint64_t behind_even = backslashes + (first & even);
	uint64_t behind_odd;

	*next = __builtin_add_overflow(backslashes, first & ~even, &behind_odd);
	return ~backslashes & ((behind_even & ~even) | (behind_odd & even));
}

#endif
