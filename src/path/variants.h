/*
 * variants.h -- other spellings of a name that macOS gives to files.
 */
#ifndef READCACHE_PATH_VARIANTS_H
#define READCACHE_PATH_VARIANTS_H

#include "base/arena.h"

enum { VARIANTS = 4 };

/*
 * The spellings that the host tries when NAME does not exist, in its order:
 * narrow no-break space before AM/PM, NFD, typographic apostrophe, the last
 * two together.  Gives how many differ from NAME.
 */
size_t variants(struct arena *arena, struct span name,
    struct span out[VARIANTS]);

/* The version of utf8proc, which is in this program. */
const char *variants_library(void);

#endif
