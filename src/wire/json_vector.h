/*
 * json_vector.h -- some bytes at once, by what a file is compiled for.
 *
 * JSON_VECTOR is how many: 32 with AVX2, 16 with the vector instructions that
 * every x86-64 has.  Elsewhere it is not defined, and there is plain C.  What
 * each gains is in bench/RECORD.md.
 */
#ifndef READCACHE_WIRE_JSON_VECTOR_H
#define READCACHE_WIRE_JSON_VECTOR_H

#include <stdint.h>

#if defined(JSON_PORTABLE)
/* a test wants it so */
#elif defined(__AVX2__)
#define JSON_VECTOR 32
#elif defined(__SSE2__)
#define JSON_VECTOR 16
#endif

#ifdef JSON_VECTOR
#include <immintrin.h>

#if JSON_VECTOR == 32
#define JSON_VECTOR_CALL(name) _mm256_##name
typedef __m256i json_vector;
#define JSON_VECTOR_WHOLE(name) _mm256_##name##_si256
#else
#define JSON_VECTOR_CALL(name) _mm_##name
typedef __m128i json_vector;
#define JSON_VECTOR_WHOLE(name) _mm_##name##_si128
#endif

/* From P on, aligned or not. */
static inline json_vector
vector_at(const char *p)
{
	return JSON_VECTOR_WHOLE(loadu)((const void *)p);
}

static inline json_vector
vector_of(unsigned char c)
{
	return JSON_VECTOR_CALL(set1_epi8)((char)c);
}

static inline json_vector
vector_or(json_vector a, json_vector b)
{
	return JSON_VECTOR_WHOLE(or)(a, b);
}

/* Which bytes of V are C? */
static inline json_vector
vector_is(json_vector v, unsigned char c)
{
	return JSON_VECTOR_CALL(cmpeq_epi8)(v, vector_of(c));
}

/* At most, at least C: then the smaller, the larger of both is the byte. */
static inline json_vector
vector_to(json_vector v, unsigned char c)
{
	return JSON_VECTOR_CALL(cmpeq_epi8)(
	    v, JSON_VECTOR_CALL(min_epu8)(v, vector_of(c)));
}

static inline json_vector
vector_from(json_vector v, unsigned char c)
{
	return JSON_VECTOR_CALL(cmpeq_epi8)(
	    v, JSON_VECTOR_CALL(max_epu8)(v, vector_of(c)));
}

/* The highest bit of every byte. */
static inline uint64_t
vector_bits(json_vector v)
{
	return (uint32_t)JSON_VECTOR_CALL(movemask_epi8)(v);
}

#endif

#endif
