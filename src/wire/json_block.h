/*
 * json_block.h -- 64 bytes of text at a time, as bits.
 *
 * In long strings almost every byte is an ordinary one; what is not is found
 * by looking at bits instead of bytes.  With the vector instructions that
 * every x86-64 has, judging a session is twice as fast as by memchr alone
 * (bench/RECORD.md); elsewhere the plain loop does the same.
 */
#ifndef READCACHE_WIRE_JSON_BLOCK_H
#define READCACHE_WIRE_JSON_BLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { JSON_BLOCK = 64 };

/* Bit i is for byte i. */
struct json_block {
	uint64_t quotes;
	uint64_t backslashes;
	uint64_t controls; /* below 0x20 */
	uint64_t high;	   /* no ASCII */
};

#if defined(__SSE2__)

static inline uint64_t
json_block_bits(__m128i found, int shift)
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(found) << shift;
}

static inline struct json_block
json_block_at(const char *p)
{
	struct json_block block = {0, 0, 0, 0};

	for (int i = 0; i < JSON_BLOCK; i += 16) {
		__m128i bytes = _mm_loadu_si128(
		    (const void *)(p + i)); /* unaligned, and meant so */
		/* Unsigned "at most 0x1f": the smaller of both is the byte. */
		__m128i low = _mm_min_epu8(bytes, _mm_set1_epi8(0x1f));

		block.quotes |= json_block_bits(
		    _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), i);
		block.backslashes |= json_block_bits(
		    _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')), i);
		block.controls |=
		    json_block_bits(_mm_cmpeq_epi8(bytes, low), i);
		block.high |= json_block_bits(bytes, i);
	}
	return block;
}

/* The bytes that may be behind a backslash, but for 'u'. */
static inline uint64_t
json_block_escapable(const char *p)
{
	static const char letters[] = {'"', '\\', '/', 'b', 'f', 'n', 'r', 't'};
	uint64_t bits = 0;

	for (int i = 0; i < JSON_BLOCK; i += 16) {
		__m128i bytes = _mm_loadu_si128((const void *)(p + i));
		__m128i found = _mm_setzero_si128();

		for (size_t k = 0; k < sizeof(letters); k++)
			found = _mm_or_si128(found,
			    _mm_cmpeq_epi8(bytes, _mm_set1_epi8(letters[k])));
		bits |= json_block_bits(found, i);
	}
	return bits;
}

#else

static inline struct json_block
json_block_at(const char *p)
{
	struct json_block block = {0, 0, 0, 0};

	for (int i = 0; i < JSON_BLOCK; i++) {
		unsigned char c = (unsigned char)p[i];

		block.quotes |= (uint64_t)(c == '"') << i;
		block.backslashes |= (uint64_t)(c == '\\') << i;
		block.controls |= (uint64_t)(c < 0x20) << i;
		block.high |= (uint64_t)(c >= 0x80) << i;
	}
	return block;
}

static inline uint64_t
json_block_escapable(const char *p)
{
	uint64_t bits = 0;

	for (int i = 0; i < JSON_BLOCK; i++)
		bits |= (uint64_t)(strchr("\"\\/bfnrt", p[i]) != NULL &&
				   p[i] != '\0')
			<< i;
	return bits;
}

#endif

/*
 * The bytes behind an odd number of backslashes: those that are escaped, and
 * are no backslash themselves.  A number is added at the first bit of a run;
 * the carry comes out behind its last one, and whether the run is odd is told
 * by where both are.
 */
static inline uint64_t
json_block_escaped(uint64_t backslashes)
{
	const uint64_t even = UINT64_C(0x5555555555555555);
	uint64_t first = backslashes & ~(backslashes << 1);
	uint64_t behind_even = backslashes + (first & even);
	uint64_t behind_odd = backslashes + (first & ~even);

	return ~backslashes & ((behind_even & ~even) | (behind_odd & even));
}

#endif
