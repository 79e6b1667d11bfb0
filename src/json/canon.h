/*
 * canon.h -- one spelling for equal JSON.
 *
 * Made from the text itself: members are sorted by the bytes of their decoded
 * names, blanks are gone, strings have one way to be escaped, and numbers
 * stay as they were written (1 and 1.0 differ, which costs no more than doing
 * the work again; 9007199254740993 stays what it is).
 *
 * What could mean two things is refused, not guessed.
 */
#ifndef READCACHE_JSON_CANON_H
#define READCACHE_JSON_CANON_H

#include "base/arena.h"

/*
 * NULL and *CANONICAL, which lives in ARENA; or a sentence that says what is
 * wrong with TEXT: no JSON, something behind it, no UTF-8, a name twice in
 * one object, a NUL or a lone surrogate in a string, nested too deeply.
 */
const char *canon_json(
    struct arena *arena, struct span text, struct span *canonical);

#endif
