/*
 * variants.h -- other spellings of a name that macOS gives to files.
 */
#ifndef READCACHE_PATH_VARIANTS_H
#define READCACHE_PATH_VARIANTS_H

#include "base/arena.h"

enum { VARIANTS = 4 };

/*
 * The spellings that the host tries if NAME does not exist, in its order:
 * narrow no-break space before AM/PM, NFD, typographic apostrophe, the last two
 * together.  Returns how many of them differ from NAME; only these are in OUT.
 */
size_t variants(struct arena *arena, struct span name,
    struct span out[VARIANTS]);

/* The version of the utf8proc that is part of this program. */
const char *variants_library(void);

#endif
