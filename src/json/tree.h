/*
 * tree.h -- small JSON objects whose every member matters.
 *
 * Members are decoded once and then asked for by name.  The last of equal
 * names counts and their case matters, as in JavaScript.  A value in which
 * some string holds a NUL or a lone surrogate is refused as a whole: what
 * stands here becomes paths and hashes, which can have neither.
 */
#ifndef READCACHE_JSON_TREE_H
#define READCACHE_JSON_TREE_H

#include <stdint.h>

#include "base/arena.h"

struct tree;

/* Is VALUE, as it stands, a whole number from 0 to NUMBER_MAX? */
bool tree_is_number(struct arena *arena, struct span value, uint64_t *number);

/*
 * The tree of VALUE, which json_valid has accepted.  It lives in ARENA, and
 * as long as VALUE's text.  NULL when it is refused, or VALUE is absent.
 */
struct tree *tree_parse(struct arena *arena, struct span value);

/* Member NAME of OBJECT, or NULL if there is none or OBJECT is no object. */
struct tree *tree_get(struct tree *object, const char *name);

/* False if ITEM is NULL or no string. */
bool tree_string(const struct tree *item, struct span *text);

/* False if ITEM is NULL or no whole number from 0 to NUMBER_MAX. */
bool tree_number(const struct tree *item, uint64_t *number);

#endif
