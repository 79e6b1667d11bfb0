#include "base/map.h"

#include "base/name_hash.h"

struct cell {
	struct span name; /* p is NULL in an empty cell */
	uint64_t number;
};

/* Invariant: less than half of the cells are in use, so probing ends. */
struct map {
	struct arena *arena;
	struct cell *cells;
	size_t mask; /* number of cells - 1; a power of two - 1 */
	size_t used;
};

struct map *
map_new(struct arena *arena, size_t expected)
{
	struct map *map = arena_array(arena, 1, sizeof(*map));
	size_t cells = 16;

	while (cells / 2 <= expected)
		cells *= 2;
	map->arena = arena;
	map->mask = cells - 1;
	map->cells = arena_array(arena, cells, sizeof(*map->cells));
	return map;
}

/* The cell of NAME, or the empty cell where it belongs. */
static struct cell *
probe(const struct map *map, struct span name)
{
	size_t at = (size_t)name_hash(name) & map->mask;

	while (map->cells[at].name.p != NULL &&
	    !span_eq(map->cells[at].name, name))
		at = (at + 1) & map->mask;
	return &map->cells[at];
}

static void
grow(struct map *map)
{
	struct cell *old = map->cells;
	size_t n = map->mask + 1;

	map->mask = n * 2 - 1;
	map->cells = arena_array(map->arena, n * 2, sizeof(*map->cells));
	for (size_t i = 0; i < n; i++)
		if (old[i].name.p != NULL)
			*probe(map, old[i].name) = old[i];
}

uint64_t *
map_at(struct map *map, struct span name, uint64_t initial)
{
	struct cell *cell = probe(map, name);

	if (cell->name.p != NULL)
		return &cell->number;
	if ((map->used + 1) * 2 > map->mask) {
		grow(map);
		cell = probe(map, name);
	}
	map->used++;
	*cell = (struct cell){name, initial};
	return &cell->number;
}

uint64_t *
map_find(const struct map *map, struct span name)
{
	struct cell *cell = probe(map, name);

	return cell->name.p != NULL ? &cell->number : NULL;
}
