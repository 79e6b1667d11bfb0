#include "base/seen.h"

#include "base/name_hash.h"

/* Invariant: less than half of the cells are in use, so probing ends. */
struct seen {
	struct arena *arena;
	uint64_t *cells; /* hashes; 0 marks an empty cell */
	size_t mask;     /* number of cells - 1; a power of two - 1 */
	size_t used;
};

enum { FIRST_CELLS = 128 };

struct seen *
seen_new(struct arena *arena)
{
	struct seen *seen = arena_array(arena, 1, sizeof(*seen));

	seen->arena = arena;
	seen->mask = FIRST_CELLS - 1;
	seen->cells = arena_array(arena, FIRST_CELLS, sizeof(*seen->cells));
	return seen;
}

/* The cell of KEY, or the empty cell where it belongs. */
static uint64_t *
probe(const struct seen *seen, uint64_t key)
{
	size_t at = (size_t)key & seen->mask;

	while (seen->cells[at] != 0 && seen->cells[at] != key)
		at = (at + 1) & seen->mask;
	return &seen->cells[at];
}

static void
grow(struct seen *seen)
{
	uint64_t *old = seen->cells;
	size_t n = seen->mask + 1;

	seen->mask = n * 4 - 1; /* fourfold: fewer copies in the arena */
	seen->cells = arena_array(seen->arena, n * 4, sizeof(*seen->cells));
	for (size_t i = 0; i < n; i++)
		if (old[i] != 0)
			*probe(seen, old[i]) = old[i];
}

bool
seen_add(struct seen *seen, struct span name)
{
	uint64_t key = name_hash(name);
	uint64_t *cell = probe(seen, key);

	if (*cell == key)
		return false;
	if ((seen->used + 1) * 2 > seen->mask) {
		grow(seen);
		cell = probe(seen, key);
	}
	seen->used++;
	*cell = key;
	return true;
}

bool
seen_has(const struct seen *seen, struct span name)
{
	uint64_t key = name_hash(name);

	return *probe(seen, key) == key;
}
