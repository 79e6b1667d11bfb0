/*
 * place.h -- the name that a phase's key has for its directory.
 *
 * It is that of all keys (work/fingerprint/called.h), with one exception.  A
 * result for one run only, in a store that is not the project's own, uses the
 * absolute directory: run ids may be simple counters, and be the same in
 * another clone.
 */
#ifndef READCACHE_WORK_MEMO_PLACE_H
#define READCACHE_WORK_MEMO_PLACE_H

#include "store/store.h"
#include "work/fingerprint/called.h"
#include "work/memo/phase.h"

/*
 * The name in the keys of STORE for the directory of PHASE, whose real path is
 * CWD.
 */
struct called place_of(struct arena *arena, const struct store *store,
    struct called_known *known, const struct phase *phase, struct span cwd);

#endif
