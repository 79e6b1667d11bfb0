/*
 * replay.h -- the trust that a leaf of a recorded session has, and why.
 */
#ifndef READCACHE_INSPECT_REPLAY_H
#define READCACHE_INSPECT_REPLAY_H

#include "host/pi/index.h"
#include "replay/trust.h"
#include "serve/history.h"

/* An entry that proves nothing. */
struct replay_ignored {
	uint32_t node;
	enum doubt why;
};

struct replay {
	struct index_path path;
	struct trust_item *trust;
	size_t ntrust;
	uint64_t files; /* with something trusted */
	uint64_t modes[MODE_PLAIN];
	struct replay_ignored *ignored;
	size_t nignored;
};

/* False if LEAF cannot be replayed (T8). */
bool replay_leaf(const struct index *index, uint32_t leaf,
    const struct history_where *where, struct arena *arena,
    struct replay *replay);

/* A few words for a person. */
const char *replay_why(enum doubt doubt);

#endif
