#include "base/tag.h"

#include "base/sip.h"

static inline void
take(struct sip *s, uint64_t word)
{
	s->d ^= word;
	sip_stir(s);
	sip_stir(s);
	s->a ^= word;
}

static inline uint64_t
finish(struct sip *s)
{
	for (int i = 0; i < 4; i++)
		sip_stir(s);
	return s->a ^ s->b ^ s->c ^ s->d;
}

struct tag
tag_of(struct tag key, struct span bytes)
{
	struct sip s = sip_begin(key.low, key.high);
	uint64_t last = (uint64_t)bytes.n << 56, word;
	struct tag tag;

	s.b ^= 0xee; /* this and 0xdd below make it the form of 128 bits */
	for (; bytes.n >= sizeof(word);
	     bytes = span_from(bytes, sizeof(word))) {
		memcpy(&word, bytes.p, sizeof(word));
		take(&s, word);
	}
	for (size_t i = 0; i < bytes.n; i++)
		last |= (uint64_t)(unsigned char)bytes.p[i] << 8 * i;
	take(&s, last);
	s.c ^= 0xee;
	tag.low = finish(&s);
	s.b ^= 0xdd;
	tag.high = finish(&s);
	return tag;
}
