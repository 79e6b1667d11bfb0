/*
 * pattern.h -- match one name against one component of a glob.
 *
 * "*" is any run of characters, "?" one character, "[a-c]" one of a set,
 * "[!a]" or "[^a]" one that is not in the set, "\x" the character x.  A name
 * that begins with a dot is matched only by a component that does.  Case
 * counts.  Characters are those of UTF-8; an invalid byte counts as one
 * character.
 */
#ifndef READCACHE_WORK_FINGERPRINT_PATTERN_H
#define READCACHE_WORK_FINGERPRINT_PATTERN_H

#include "base/arena.h"

/* Does NAME match COMPONENT? */
bool pattern_match_name(struct span component, struct span name);

/* Does COMPONENT hold anything that does not stand for itself? */
bool pattern_is_magic(struct span component);

/* The name that COMPONENT, which is not magic, stands for. */
struct span pattern_literal(struct arena *arena, struct span component);

/*
 * Expand the braces of PATTERN into *N patterns in *PATTERNS.  "a{b,c}d" is
 * "abd" and "acd"; "{1..3}" is 1, 2, 3.  Braces may be nested; "{}" and "{a}"
 * are plain text.  NULL if that worked, else a sentence that says why not:
 * more than 4096 patterns, braces nested more than 32 deep, PATTERN larger
 * than 64 KiB, or one of the results larger than 4096 bytes, which no path can
 * be.
 */
const char *pattern_braces(struct arena *arena, struct span pattern,
    struct span **patterns, size_t *n);

#endif
