/*
 * apply.h -- a diff is believed only when it works (T10).
 */
#ifndef READCACHE_DIFF_APPLY_H
#define READCACHE_DIFF_APPLY_H

#include "base/arena.h"

/*
 * Does HUNKS, a unified diff without its file names, turn OLD_TEXT into
 * exactly NEW_TEXT?  Strict: positions, counts and every context line must
 * agree.
 */
bool diff_applies(struct span hunks, struct span old_text,
    struct span new_text);

#endif
