/*
 * folds.h -- what the branch proves about a file, kept while the branch grows.
 *
 * A fold over thousands of events gives the same trust as before if nothing was
 * added, so it is kept, for some of the files that were asked for last.  It is
 * continued only if nothing but more events came.  It is made again if the
 * branch went back, if paths are understood otherwise, or if one of the paths
 * in edits and views leads elsewhere: that is asked of the file system each
 * time.
 */
#ifndef READCACHE_SERVE_FOLDS_H
#define READCACHE_SERVE_FOLDS_H

#include "replay/trust.h"
#include "serve/ledger.h"
#include "serve/leads.h"

struct folds;

/* NULL if out of memory. */
struct folds *folds_new(void);
void folds_free(struct folds *folds);

/* Forget all folds.  Do this before the texts of their events are released. */
void folds_forget(struct folds *folds);

/* The branch has only its first N events now: forget folds of more. */
void folds_cut(struct folds *folds, size_t n);

/*
 * What the events in LEDGER prove about the file in FOCUS.  The trust is for
 * questions only, and valid as long as ARENA and until the next call.  NULL if
 * it is too much to be kept, or no memory is left for it.
 */
const struct trust *folds_trust(struct folds *folds,
    const struct ledger *ledger, struct arena *arena,
    const struct history_where *where, const struct focus *focus);

#endif
