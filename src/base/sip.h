/*
 * sip.h -- the mixing of SipHash, for name_hash.c and tag.c.
 */
#ifndef READCACHE_BASE_SIP_H
#define READCACHE_BASE_SIP_H

#include <stdint.h>

#include "base/span.h"

struct sip {
	uint64_t a, b, c, d;
};

/* Begin with a key of 16 bytes, as two numbers. */
static inline struct sip
sip_begin(uint64_t low, uint64_t high)
{
	return (struct sip){
	    low ^ UINT64_C(0x736f6d6570736575),
	    high ^ UINT64_C(0x646f72616e646f6d),
	    low ^ UINT64_C(0x6c7967656e657261),
	    high ^ UINT64_C(0x7465646279746573),
	};
}

static inline uint64_t
sip_turn(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

/* One round. */
static inline void
sip_stir(struct sip *s)
{
	s->a += s->b;
	s->b = sip_turn(s->b, 13) ^ s->a;
	s->a = sip_turn(s->a, 32);
	s->c += s->d;
	s->d = sip_turn(s->d, 16) ^ s->c;
	s->a += s->d;
	s->d = sip_turn(s->d, 21) ^ s->a;
	s->c += s->b;
	s->b = sip_turn(s->b, 17) ^ s->c;
	s->c = sip_turn(s->c, 32);
}

static inline void
sip_take(struct sip *s, uint64_t word, int rounds)
{
	s->d ^= word;
	for (int i = 0; i < rounds; i++)
		sip_stir(s);
	s->a ^= word;
}

/* Feed BYTES, with so many ROUNDS for each word.  The last one has a length. */
static inline void
sip_feed(struct sip *s, struct span bytes, int rounds)
{
	uint64_t last = (uint64_t)bytes.n << 56, word;

	for (; bytes.n >= sizeof(word);
	     bytes = span_from(bytes, sizeof(word))) {
		memcpy(&word, bytes.p, sizeof(word));
		sip_take(s, word, rounds);
	}
	for (size_t i = 0; i < bytes.n; i++)
		last |= (uint64_t)(unsigned char)bytes.p[i] << 8 * i;
	sip_take(s, last, rounds);
}

/* Stir ROUNDS times; the hash is what comes out. */
static inline uint64_t
sip_end(struct sip *s, int rounds)
{
	for (int i = 0; i < rounds; i++)
		sip_stir(s);
	return s->a ^ s->b ^ s->c ^ s->d;
}

#endif
