/*
 * place.h -- how the keys of phases call the directory of their work.
 *
 * As all keys do (work/fingerprint/called.h).  But what is reused within one
 * run only is at its absolute directory, where the store is not the project's
 * own: ids of runs may be counted, and come again in another clone.
 */
#ifndef READCACHE_WORK_MEMO_PLACE_H
#define READCACHE_WORK_MEMO_PLACE_H

#include "store/store.h"
#include "work/fingerprint/called.h"
#include "work/memo/phase.h"

/* The place of PHASE, whose directory is really CWD, in the keys of STORE. */
struct called place_of(struct arena *arena, const struct store *store,
    struct called_known *known, const struct phase *phase, struct span cwd);

#endif
