#include "base/mac.h"

enum { BLOCK = 64 };

/* Begin with the key, mixed with MASK (RFC 2104). */
static void
begin(struct digest_state *state, const uint8_t key[MAC_KEY], uint8_t mask)
{
	char block[BLOCK];

	for (size_t i = 0; i < BLOCK; i++)
		block[i] = (char)((i < MAC_KEY ? key[i] : 0) ^ mask);
	digest_begin(state);
	digest_add(state, (struct span){block, BLOCK});
}

struct digest
mac_of(const uint8_t key[MAC_KEY], const struct span *parts, size_t n)
{
	struct digest_state state;
	struct digest inner;

	begin(&state, key, 0x36);
	for (size_t i = 0; i < n; i++) {
		char length[8];

		for (size_t j = 0; j < sizeof(length); j++)
			length[j] = (char)((uint64_t)parts[i].n >> (8 * j));
		digest_add(&state, (struct span){length, sizeof(length)});
		digest_add(&state, parts[i]);
	}
	inner = digest_end(&state);
	begin(&state, key, 0x5c);
	digest_add(&state,
	    (struct span){(const char *)inner.bytes, DIGEST_BYTES});
	return digest_end(&state);
}
