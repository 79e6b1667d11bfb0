/*
 * pattern.h -- one name against one component of a glob.
 *
 * "*" is any run of characters, "?" one character, "[a-c]" one of a set,
 * "[!a]" or "[^a]" one that is not in it, "\x" the character x.  A name that
 * begins with a dot is matched only by a component that does.  Case counts.
 * Characters are those of UTF-8; a byte that is none counts as one.
 */
#ifndef READCACHE_WORK_FINGERPRINT_PATTERN_H
#define READCACHE_WORK_FINGERPRINT_PATTERN_H

#include "base/arena.h"

bool pattern_match_name(struct span component, struct span name);

/* Has COMPONENT anything that does not stand for itself? */
bool pattern_is_magic(struct span component);

/* COMPONENT, which is not magic, as the name it stands for. */
struct span pattern_literal(struct arena *arena, struct span component);

/*
 * The patterns that PATTERN's braces stand for: "a{b,c}d" is "abd" and "acd";
 * "{1..3}" is 1, 2, 3; braces may be nested, and "{}" and "{a}" are plain
 * text.  *N of them in *PATTERNS.  NULL; or a sentence that says why not: more
 * than 4096 patterns, braces more than 32 deep, more than 64 KiB, or one of
 * them of more than 4096 bytes, which no path can have.
 */
const char *pattern_braces(struct arena *arena, struct span pattern,
    struct span **patterns, size_t *n);

#endif
