/*
 * replay.h -- what is trusted at a leaf of a recorded session, and why.
 */
#ifndef READCACHE_INSPECT_REPLAY_H
#define READCACHE_INSPECT_REPLAY_H

#include "session/index.h"
#include "replay/trust.h"
#include "serve/history.h"

/* An entry that proves nothing. */
struct replay_ignored {
	uint32_t node;
	enum doubt why;
	bool pieced; /* it is an answer in pieces */
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

/* Replay the branch that ends at LEAF.  False if that is not possible (T8). */
bool replay_leaf(const struct index *index, uint32_t leaf,
    const struct history_where *where, struct arena *arena,
    struct replay *replay);

/*
 * Which leaves of a session can be replayed one after the other?  A session may
 * have as many leaves as entries, and each is a branch of its own, so the work
 * is limited: to REPLAY_BYTES, and REPLAY_TIMES as much as the file has.  The
 * latest leaves come first.  Returns a flag for each node, in ARENA.
 */
#define REPLAY_BYTES ((uint64_t)64 * 1024 * 1024)
enum { REPLAY_TIMES = 64 };
bool *replay_choose(const struct index *index, struct arena *arena);

/*
 * Why an entry proves nothing, in a few words for people.  PIECED: it is an
 * answer in pieces.
 */
const char *replay_why(enum doubt doubt, bool pieced);

#endif
