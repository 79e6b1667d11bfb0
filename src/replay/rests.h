/*
 * rests.h -- on which delivered texts a compact answer rests (SPEC 4).
 *
 * A text is known by the first half of its sha256, which is its textHash in
 * the metadata.  The list names the texts that an answer rests on directly; a
 * diff among them rests on others in turn.
 */
#ifndef READCACHE_REPLAY_RESTS_H
#define READCACHE_REPLAY_RESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_ID_BYTES = 16, RESTS_MAX = 32 };

struct text_id {
	uint8_t bytes[TEXT_ID_BYTES];
};

struct rests {
	struct text_id ids[RESTS_MAX];
	size_t n;
	bool untold; /* there are others, which cannot be named */
};

/* ID, or NULL for a text whose hash is not known.  Each is listed once. */
void rests_add(struct rests *rests, const struct text_id *id);

#endif
