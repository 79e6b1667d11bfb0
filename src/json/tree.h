/*
 * tree.h -- small JSON objects whose every member matters.
 *
 * Members are decoded once and then asked for by name.  If a name occurs twice,
 * the last one counts, and case matters, as in JavaScript.  A value is refused
 * as a whole if some string in it contains a NUL or a lone surrogate: these
 * values become paths and hashes, which can contain neither.
 */
#ifndef READCACHE_JSON_TREE_H
#define READCACHE_JSON_TREE_H

#include <stdint.h>

#include "base/arena.h"

struct tree;

/* Is VALUE a whole number from 0 to NUMBER_MAX, as JavaScript reads it? */
bool tree_is_number(struct arena *arena, struct span value, uint64_t *number);

/*
 * The tree of VALUE, which json_valid has accepted.  It lives in ARENA and must
 * not outlive the text of VALUE.  NULL if VALUE is absent or refused.
 */
struct tree *tree_parse(struct arena *arena, struct span value);

/* Member NAME of OBJECT.  NULL if OBJECT has none, or is not an object. */
struct tree *tree_get(struct tree *object, const char *name);

/* The decoded string of ITEM.  False if ITEM is NULL or not a string. */
bool tree_string(const struct tree *item, struct span *text);

/* False if ITEM is NULL or not a whole number from 0 to NUMBER_MAX. */
bool tree_number(const struct tree *item, uint64_t *number);

#endif
