#include "work/key/key.h"

/* Eight bytes, the lowest first, on every machine. */
static void
add_number(struct key *key, uint64_t number)
{
	char bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(number >> 8 * i);
	digest_add(&key->state, (struct span){bytes, sizeof(bytes)});
}

static void
add_framed(struct key *key, struct span bytes)
{
	add_number(key, bytes.n);
	digest_add(&key->state, bytes);
}

void
key_begin(struct key *key, const char *domain, uint64_t version)
{
	digest_begin(&key->state);
	add_framed(key, span_str("readcache"));
	add_framed(key, span_str(domain));
	add_number(key, version);
}

void
key_add(struct key *key, const char *name, struct span value)
{
	add_framed(key, span_str(name));
	add_framed(key, value);
}

void
key_add_digest(struct key *key, const char *name, const struct digest *value)
{
	key_add(
	    key, name, (struct span){(const char *)value->bytes, DIGEST_BYTES});
}

void
key_add_number(struct key *key, const char *name, uint64_t value)
{
	add_framed(key, span_str(name));
	add_number(key, sizeof(value));
	add_number(key, value);
}

struct digest
key_end(struct key *key)
{
	return digest_end(&key->state);
}
