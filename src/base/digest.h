/*
 * digest.h -- sha256 as a value.
 *
 * Hexadecimal exists only at the edges: inside, hashes are compared as
 * values, so that no comparison of text can go wrong.
 */
#ifndef READCACHE_BASE_DIGEST_H
#define READCACHE_BASE_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum { DIGEST_BYTES = 32, DIGEST_HEX = 64 };

struct digest {
	uint8_t bytes[DIGEST_BYTES];
};

struct digest digest_of(struct span bytes);

/* The same for bytes that come in pieces. */
struct digest_state {
	uint64_t inside[14];
};

void digest_begin(struct digest_state *state);
void digest_add(struct digest_state *state, struct span bytes);
struct digest digest_end(struct digest_state *state);

bool digest_eq(const struct digest *a, const struct digest *b);

/* Write 64 lowercase digits and a NUL. */
void digest_hex(const struct digest *d, char hex[DIGEST_HEX + 1]);

/* True if TEXT is 64 lowercase hexadecimal digits. */
bool digest_parse(struct span text, struct digest *d);

/* True if HEX is hexadecimal and D's digits begin with it. */
bool digest_begins(const struct digest *d, struct span hex);

/* True if TEXT is N lowercase hexadecimal digits. */
bool digest_is_hex(struct span text, size_t n);

/* The version of OpenSSL whose code is in this program. */
const char *digest_library(void);

#endif
