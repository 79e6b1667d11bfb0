/*
 * canon.h -- one spelling for equal JSON.
 *
 * The canonical text is made from the text itself.  Members are sorted by the
 * bytes of their decoded names.  Blanks are removed.  Every string is escaped
 * in one way only.  Numbers stay as they were written: 9007199254740993 keeps
 * its last digit, and 1 and 1.0 differ, which costs no more than doing the work
 * again.
 *
 * A text that could mean two things is refused.
 */
#ifndef READCACHE_JSON_CANON_H
#define READCACHE_JSON_CANON_H

#include "base/arena.h"

/*
 * NULL on success; *CANONICAL then has the canonical text, which lives in
 * ARENA.  Otherwise a sentence that says what is wrong with TEXT: it is not
 * JSON, or not UTF-8, or something follows the value; an object has a name
 * twice; a string has a NUL or a lone surrogate; it is nested too deeply.
 */
const char *canon_json(
    struct arena *arena, struct span text, struct span *canonical);

#endif
