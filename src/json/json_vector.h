/*
 * json_vector.h -- several bytes at once, by what the file is compiled for.
 *
 * JSON_VECTOR is how many: 32 with AVX2, otherwise 16.  The 16 use what every
 * x86-64 has; on other processors they use the compiler's own vectors.  What
 * each gains is in bench/LARGE.md.
 */
#ifndef READCACHE_JSON_JSON_VECTOR_H
#define READCACHE_JSON_JSON_VECTOR_H

#include <stdint.h>
#include <string.h>

/* A test defines JSON_PORTABLE to get the code for other processors. */
#if defined(__AVX2__) && !defined(JSON_PORTABLE)
#define JSON_VECTOR 32
#else
#define JSON_VECTOR 16
#endif

#if defined(__SSE2__) && !defined(JSON_PORTABLE)

#include <immintrin.h>

#if JSON_VECTOR == 32
#define VECTOR_BYTES(name) _mm256_##name
#define VECTOR_WHOLE(name) _mm256_##name##_si256
typedef __m256i json_vector;
#else
#define VECTOR_BYTES(name) _mm_##name
#define VECTOR_WHOLE(name) _mm_##name##_si128
typedef __m128i json_vector;
#endif

/* The bytes from P on, aligned or not. */
static inline json_vector
vector_at(const char *p)
{
	return VECTOR_WHOLE(loadu)((const void *)p);
}

static inline json_vector
vector_of(unsigned char c)
{
	return VECTOR_BYTES(set1_epi8)((char)c);
}

static inline json_vector
vector_or(json_vector a, json_vector b)
{
	return VECTOR_WHOLE(or)(a, b);
}

/* All bits are set in those bytes of V that equal C, none in the others. */
static inline json_vector
vector_is(json_vector v, unsigned char c)
{
	return VECTOR_BYTES(cmpeq_epi8)(v, vector_of(c));
}

/*
 * At most C, and at least C.  A byte is at most C if it is the smaller of the
 * two, and at least C if it is the larger.
 */
static inline json_vector
vector_to(json_vector v, unsigned char c)
{
	return VECTOR_BYTES(cmpeq_epi8)(
	    v, VECTOR_BYTES(min_epu8)(v, vector_of(c)));
}

static inline json_vector
vector_from(json_vector v, unsigned char c)
{
	return VECTOR_BYTES(cmpeq_epi8)(
	    v, VECTOR_BYTES(max_epu8)(v, vector_of(c)));
}

/* The highest bit of every byte; bit i is for byte i. */
static inline uint64_t
vector_bits(json_vector v)
{
	return (uint32_t)VECTOR_BYTES(movemask_epi8)(v);
}

#else

typedef unsigned char json_vector __attribute__((vector_size(16)));

static inline json_vector
vector_at(const char *p)
{
	json_vector v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline json_vector
vector_of(unsigned char c)
{
	return (json_vector){c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c};
}

static inline json_vector
vector_or(json_vector a, json_vector b)
{
	return a | b;
}

static inline json_vector
vector_is(json_vector v, unsigned char c)
{
	return (json_vector)(v == vector_of(c));
}

static inline json_vector
vector_to(json_vector v, unsigned char c)
{
	return (json_vector)(v <= vector_of(c));
}

static inline json_vector
vector_from(json_vector v, unsigned char c)
{
	return (json_vector)(v >= vector_of(c));
}

/*
 * Each byte keeps only the bit of its place.  Then the bytes of each half are
 * added up.
 */
static inline uint64_t
vector_bits(json_vector v)
{
	const json_vector places = {
	    1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	const uint64_t each = UINT64_C(0x0101010101010101);
	json_vector bits = (json_vector)(v >= vector_of(0x80)) & places;
	uint64_t halves[2];

	memcpy(halves, &bits, sizeof(halves));
	return (halves[0] * each >> 56) | (halves[1] * each >> 56) << 8;
}

#endif

#endif
