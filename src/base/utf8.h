/*
 * utf8.h -- is it text?
 */
#ifndef READCACHE_BASE_UTF8_H
#define READCACHE_BASE_UTF8_H

#include <stdbool.h>

#include "base/span.h"

/* Strict UTF-8: no overlong form, no surrogate, nothing above U+10FFFF. */
bool utf8_valid(struct span text);

/*
 * Bytes of the character that begins S, which is not empty; 0 if it is none
 * by the same rules.
 */
size_t utf8_character(struct span s);

/* The largest N' <= N at which S can be cut between two characters. */
size_t utf8_cut(struct span s, size_t n);

#endif
