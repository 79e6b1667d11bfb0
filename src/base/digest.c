/*
 * This file uses the low-level SHA256 functions.  They are deprecated in favour
 * of EVP, but setting up EVP costs more than the start of this whole program
 * (see bench/).
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/digest.h"

#include <openssl/opensslv.h>
#include <openssl/sha.h>

#include "base/hex.h"

_Static_assert(sizeof(SHA256_CTX) <= sizeof(struct digest_state),
    "the library's state does not fit");
_Static_assert(_Alignof(SHA256_CTX) <= _Alignof(struct digest_state),
    "the library's state needs another place");

/* None of these can fail: they allocate nothing and load no provider. */
void
digest_begin(struct digest_state *state)
{
	SHA256_Init((SHA256_CTX *)state->inside);
}

void
digest_add(struct digest_state *state, struct span bytes)
{
	SHA256_Update((SHA256_CTX *)state->inside, bytes.p, bytes.n);
}

struct digest
digest_end(struct digest_state *state)
{
	struct digest d;

	SHA256_Final(d.bytes, (SHA256_CTX *)state->inside);
	return d;
}

struct digest
digest_of(struct span bytes)
{
	struct digest_state state;

	digest_begin(&state);
	digest_add(&state, bytes);
	return digest_end(&state);
}

bool
digest_eq(const struct digest *a, const struct digest *b)
{
	return memcmp(a->bytes, b->bytes, DIGEST_BYTES) == 0;
}

void
digest_hex(const struct digest *d, char hex[DIGEST_HEX + 1])
{
	hex_write(d->bytes, DIGEST_BYTES, hex);
	hex[DIGEST_HEX] = '\0';
}

bool
digest_is_hex(struct span text, size_t n)
{
	if (text.n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (hex_value(text.p[i]) < 0 ||
		    (text.p[i] >= 'A' && text.p[i] <= 'F'))
			return false;
	return true;
}

bool
digest_parse(struct span text, struct digest *d)
{
	if (!digest_is_hex(text, DIGEST_HEX))
		return false;
	hex_read(text.p, DIGEST_BYTES, d->bytes);
	return true;
}

bool
digest_begins(const struct digest *d, struct span hex)
{
	if (hex.n > DIGEST_HEX)
		return false;
	for (size_t i = 0; i < hex.n; i++) {
		uint8_t byte = d->bytes[i / 2];
		int digit = i % 2 == 0 ? byte >> 4 : byte & 15;

		if (hex_value(hex.p[i]) != digit)
			return false;
	}
	return true;
}

const char *
digest_library(void)
{
	return OPENSSL_VERSION_STR;
}
