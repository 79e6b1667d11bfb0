#include "base/name_hash.h"

#include <stdbool.h>

#include "os/random.h"

struct sip {
	uint64_t a, b, c, d;
};

static inline uint64_t
turn(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void
stir(struct sip *s)
{
	s->a += s->b;
	s->b = turn(s->b, 13) ^ s->a;
	s->a = turn(s->a, 32);
	s->c += s->d;
	s->d = turn(s->d, 16) ^ s->c;
	s->a += s->d;
	s->d = turn(s->d, 21) ^ s->a;
	s->c += s->b;
	s->b = turn(s->b, 17) ^ s->c;
	s->c = turn(s->c, 32);
}

static inline void
take(struct sip *s, uint64_t word)
{
	s->d ^= word;
	stir(s);
	s->a ^= word;
}

uint64_t
name_hash_by(struct name_key key, struct span name)
{
	struct sip s = {
	    key.low ^ UINT64_C(0x736f6d6570736575),
	    key.high ^ UINT64_C(0x646f72616e646f6d),
	    key.low ^ UINT64_C(0x6c7967656e657261),
	    key.high ^ UINT64_C(0x7465646279746573),
	};
	uint64_t last = (uint64_t)name.n << 56, word;

	for (; name.n >= sizeof(word); name = span_from(name, sizeof(word))) {
		memcpy(&word, name.p, sizeof(word));
		take(&s, word);
	}
	for (size_t i = 0; i < name.n; i++)
		last |= (uint64_t)(unsigned char)name.p[i] << 8 * i;
	take(&s, last);
	s.c ^= 0xff;
	stir(&s);
	stir(&s);
	stir(&s);
	return s.a ^ s.b ^ s.c ^ s.d;
}

/*
 * The system may have given these bytes to other parts of the process, too.
 * That is no risk: a hash does not reveal its key.
 */
static struct name_key
draw_key(void)
{
	unsigned char bytes[RANDOM_KEY];
	struct name_key key = {0, 0};

	if (random_key(bytes))
		memcpy(&key, bytes, sizeof(key));
	else
		key.low = (uintptr_t)&key; /* better than nothing */
	return key;
}

uint64_t
name_hash(struct span name)
{
	static struct name_key key;
	static bool drawn;
	uint64_t number;

	if (!drawn) {
		key = draw_key();
		drawn = true;
	}
	number = name_hash_by(key, name);
	return number != 0 ? number : 1;
}
