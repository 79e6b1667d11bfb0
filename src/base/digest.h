/*
 * digest.h -- a SHA-256 hash as a value.
 *
 * Hashes are written in hexadecimal only at the edges.  Inside they are
 * compared as values, so no comparison of text can go wrong.
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

/*
 * Hash bytes that come in pieces: begin, add each piece, end.  The result is
 * what digest_of gives for all of them together.
 */
struct digest_state {
	uint64_t inside[14];
};

void digest_begin(struct digest_state *state);
void digest_add(struct digest_state *state, struct span bytes);
struct digest digest_end(struct digest_state *state);

bool digest_eq(const struct digest *a, const struct digest *b);

/* Write 64 lowercase digits and a NUL. */
void digest_hex(const struct digest *d, char hex[DIGEST_HEX + 1]);

/*
 * Read 64 lowercase hexadecimal digits into *D.  False, and *D unchanged, if
 * TEXT is anything else.
 */
bool digest_parse(struct span text, struct digest *d);

/* True if HEX is hexadecimal and D's digits begin with it. */
bool digest_begins(const struct digest *d, struct span hex);

/* True if TEXT is N lowercase hexadecimal digits. */
bool digest_is_hex(struct span text, size_t n);

/* The version of OpenSSL whose code is in this program. */
const char *digest_library(void);

#endif
