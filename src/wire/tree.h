/*
 * tree.h -- small JSON objects through cJSON, with its traps closed.
 *
 * cJSON cuts strings at NUL, takes the first of equal keys, ignores their
 * case, rejects lone surrogates and nests to 1,000 only.  Here a value with a
 * NUL or a lone surrogate is refused as a whole, the last key counts, case
 * matters.  The only file that includes cJSON is tree.c.
 */
#ifndef READCACHE_WIRE_TREE_H
#define READCACHE_WIRE_TREE_H

#include <stdint.h>

#include "base/arena.h"

struct cJSON;

/*
 * The tree of VALUE, which json_valid has accepted.  It lives in ARENA.  NULL
 * when cJSON cannot represent it faithfully.
 */
const struct cJSON *tree_parse(struct arena *arena, struct span value);

/* Member NAME of OBJECT, or NULL if there is none or OBJECT is no object. */
const struct cJSON *tree_get(const struct cJSON *object, const char *name);

/* False if ITEM is NULL or no string. */
bool tree_string(const struct cJSON *item, struct span *text);

/* False if ITEM is NULL or no whole number from 0 to NUMBER_MAX. */
bool tree_number(const struct cJSON *item, uint64_t *number);

#endif
