/*
 * rests.h -- the delivered texts that a compact answer rests on (SPEC 4).
 *
 * A text is identified by the first half of its SHA-256, which is the textHash
 * in its metadata.  The list has the texts that an answer rests on directly.  A
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

bool text_id_eq(const struct text_id *a, const struct text_id *b);

struct rests {
	struct text_id ids[RESTS_MAX];
	size_t n;
	bool untold; /* there are more, which cannot be listed */
};

/*
 * Add ID, unless it is listed.  NULL stands for a text whose hash is not known.
 * A NULL, or one more than RESTS_MAX, sets untold.
 */
void rests_add(struct rests *rests, const struct text_id *id);

#endif
