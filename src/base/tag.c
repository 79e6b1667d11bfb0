#include "base/tag.h"

#include "base/sip.h"

struct tag
tag_of(struct tag key, struct span bytes)
{
	struct sip s = sip_begin(key.low, key.high);
	struct tag tag;

	s.b ^= 0xee; /* this and 0xdd below make it the form of 128 bits */
	sip_feed(&s, bytes, 2);
	s.c ^= 0xee;
	tag.low = sip_end(&s, 4);
	s.b ^= 0xdd;
	tag.high = sip_end(&s, 4);
	return tag;
}
