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

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { JSON_BLOCK = 64 };

/* In 64 bits, bit i is for byte i. */
struct json_block {
	uint64_t quotes;
	uint64_t backslashes;
	unsigned controls; /* other than 0: some byte is below 0x20 */
	unsigned high;	   /* other than 0: some byte is no ASCII */
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
	__m128i controls = _mm_setzero_si128(), high = controls;

	for (int i = 0; i < JSON_BLOCK; i += 16) {
		__m128i bytes = _mm_loadu_si128(
		    (const void *)(p + i)); /* unaligned, and meant so */
		/* Unsigned "at most 0x1f": the smaller of both is the byte. */
		__m128i low = _mm_min_epu8(bytes, _mm_set1_epi8(0x1f));

		block.quotes |= json_block_bits(
		    _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), i);
		block.backslashes |= json_block_bits(
		    _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')), i);
		controls = _mm_or_si128(controls, _mm_cmpeq_epi8(bytes, low));
		high = _mm_or_si128(high, bytes);
	}
	block.controls = (unsigned)_mm_movemask_epi8(controls);
	block.high = (unsigned)_mm_movemask_epi8(high);
	return block;
}

/* The letters n, r and t: with quotes, those of nearly all escapes. */
static inline uint64_t
json_block_common(const char *p)
{
	uint64_t bits = 0;

	for (int i = 0; i < JSON_BLOCK; i += 16) {
		__m128i bytes = _mm_loadu_si128((const void *)(p + i));
		__m128i n = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('n'));
		__m128i r = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('r'));
		__m128i t = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('t'));

		bits |= json_block_bits(_mm_or_si128(n, _mm_or_si128(r, t)), i);
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
		block.controls |= c < 0x20;
		block.high |= c & 0x80;
	}
	return block;
}

static inline uint64_t
json_block_common(const char *p)
{
	uint64_t bits = 0;

	for (int i = 0; i < JSON_BLOCK; i++) {
		char c = p[i];

		bits |= (uint64_t)(c == 'n' || c == 'r' || c == 't') << i;
	}
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
