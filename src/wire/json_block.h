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

enum { JSON_BLOCK = 64, JSON_NEAR = 16 };

/* In 64 bits, bit i is for byte i. */
struct json_block {
	uint64_t quotes;
	uint64_t backslashes;
	unsigned controls; /* other than 0: some byte is below 0x20 */
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
	__m128i controls = _mm_setzero_si128();

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
		block.high |= json_block_bits(bytes, i);
	}
	block.controls = (unsigned)_mm_movemask_epi8(controls);
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

/*
 * Of JSON_NEAR bytes: how many ordinary ones stand before a quote; JSON_NEAR
 * if something else comes first.  Most strings are names, and short.
 */
static inline int
json_block_near(const char *p)
{
	__m128i bytes = _mm_loadu_si128((const void *)p);
	__m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
	__m128i low = _mm_min_epu8(bytes, _mm_set1_epi8(0x1f));
	__m128i odd = _mm_or_si128(quotes,
	    _mm_or_si128(_mm_cmpeq_epi8(bytes, low),
		_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
	uint64_t found = json_block_bits(_mm_or_si128(odd, bytes), 0);
	int first = found != 0 ? __builtin_ctzll(found) : JSON_NEAR;

	return first < JSON_NEAR && p[first] == '"' ? first : JSON_NEAR;
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
		block.high |= (uint64_t)(c >= 0x80) << i;
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

static inline int
json_block_near(const char *p)
{
	int i = 0;

	while (i < JSON_NEAR && p[i] != '"' && p[i] != '\\' &&
	    (unsigned char)p[i] >= 0x20 && (unsigned char)p[i] < 0x80)
		i++;
	return i < JSON_NEAR && p[i] == '"' ? i : JSON_NEAR;
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
