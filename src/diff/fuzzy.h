/*
 * fuzzy.h -- the form of a text in which pi's edit counts.
 *
 * An old text must occur exactly once.  pi counts in the text in normal form
 * NFKC, without blanks at the ends of lines, and with plain quotes, dashes and
 * blanks for the typographic ones.
 */
#ifndef READCACHE_DIFF_FUZZY_H
#define READCACHE_DIFF_FUZZY_H

#include "base/arena.h"

/*
 * Make *FUZZY of TEXT, which is valid UTF-8.  It is TEXT itself, or lives in
 * ARENA.  False if the result is not certain: a character is newer than the
 * library that knows normal forms, a letter has more marks than any has, or the
 * result would be far larger.
 */
bool fuzzy_text(struct arena *arena, struct span text, struct span *fuzzy);

/* How many bytes of TEXT are in lines that have to go through normal form. */
size_t fuzzy_bytes(struct span text);

#endif
