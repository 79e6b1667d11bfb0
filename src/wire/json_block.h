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

/* Bit i is for byte i. */
struct json_block {
	uint64_t quotes;
	uint64_t backslashes;
	uint64_t controls; /* below 0x20 */
	uint64_t high;     /* no ASCII */
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

#endif

#endif
