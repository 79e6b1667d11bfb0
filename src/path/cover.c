#include "path/cover.h"

#include "base/map.h"
#include "os/bytes.h"

/* Up to this many are compared one by one, which is faster than hashing. */
enum { FEW = 8 };

struct cover {
	struct arena *arena;
	struct span few[FEW];
	struct map *first; /* from a name to its first number; NULL: use FEW */
	size_t n;
};

struct cover *
cover_new(struct arena *arena, size_t n)
{
	struct cover *cover = arena_array(arena, 1, sizeof(*cover));

	cover->arena = arena;
	if (n > FEW)
		cover->first = map_new(arena, n);
	return cover;
}

/* There is one more than FEW holds: move them to a map. */
static void
begin_map(struct cover *cover)
{
	cover->first = map_new(cover->arena, 2 * FEW);
	for (size_t i = 0; i < cover->n; i++)
		(void)map_at(cover->first, cover->few[i], i);
}

void
cover_add(struct cover *cover, struct span name)
{
	if (cover->first == NULL && cover->n == FEW)
		begin_map(cover);
	if (cover->first == NULL)
		cover->few[cover->n] = name;
	else
		(void)map_at(cover->first, name, cover->n);
	cover->n++;
}

static size_t
find_in_few(const struct cover *cover, struct span name, size_t except)
{
	for (size_t i = 0; i < cover->n; i++)
		if (i != except && where_within(name, cover->few[i]))
			return i;
	return COVER_NONE;
}

/* The directory that NAME is in; empty for "/". */
static struct span
above(struct span name)
{
	const char *slash = bytes_last(name.p, '/', name.n);

	if (slash == NULL || name.n == 1)
		return (struct span){name.p, 0};
	return (struct span){
	    name.p, slash == name.p ? 1 : (size_t)(slash - name.p)};
}

size_t
cover_find(const struct cover *cover, struct span name, size_t except)
{
	size_t least = COVER_NONE;

	if (cover->first == NULL)
		return find_in_few(cover, name, except);
	for (; name.n > 0; name = above(name)) {
		const uint64_t *at = map_find(cover->first, name);

		if (at != NULL && *at != except && *at < least)
			least = (size_t)*at;
	}
	return least;
}

void
cover_note_above(struct map *above, struct span name, uint64_t number)
{
	/* Up to one that another place has noted, with all above it. */
	for (size_t n = name.n; n > 1; n--)
		if (name.p[n - 1] == '/' &&
		    *map_at(above, (struct span){name.p, n - 1}, number) !=
			number)
			return;
}
