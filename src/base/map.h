/*
 * map.h -- from a name to a number.
 *
 * Names are compared by their bytes and must live as long as the map.
 */
#ifndef READCACHE_BASE_MAP_H
#define READCACHE_BASE_MAP_H

#include <stdint.h>

#include "base/arena.h"

struct map;

/* An empty map with room for about EXPECTED names.  It grows as needed. */
struct map *map_new(struct arena *arena, size_t expected);

/*
 * The number of NAME.  A new name gets INITIAL.  The pointer is valid until the
 * next map_at.
 */
uint64_t *map_at(struct map *map, struct span name, uint64_t initial);

/* The number of NAME, or NULL if NAME is not in the map. */
uint64_t *map_find(const struct map *map, struct span name);

#endif
