#include "base/near.h"

#include <stdbool.h>

enum {
	NAME_BYTES = 64, /* a longer name is near to nothing */
	NEAR = 2	 /* the most mistakes allowed */
};

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Are the two letters before I in A those before J in B, swapped? */
static bool
is_swapped(struct span a, size_t i, struct span b, size_t j)
{
	return i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] &&
	       a.p[i - 2] == b.p[j - 1];
}

/*
 * The number of letters to insert, delete, replace or swap with the next one to
 * turn A into B.  Three rows of the table are enough, because a swap looks two
 * rows back.
 */
static size_t
distance(struct span a, struct span b)
{
	size_t rows[3][NAME_BYTES + 1];

	for (size_t j = 0; j <= b.n; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i - 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b.n; j++) {
			row[j] = least(above[j], row[j - 1]) + 1;
			row[j] = least(row[j],
			    above[j - 1] + (a.p[i - 1] != b.p[j - 1]));
			if (is_swapped(a, i, b, j))
				row[j] = least(
				    row[j], rows[(i - 2) % 3][j - 2] + 1);
		}
	}
	return rows[a.n % 3][b.n];
}

const struct span *
near_name(struct span name, const struct span *names, size_t n)
{
	const struct span *found = NULL;
	size_t best = NEAR + 1;

	if (name.n > NAME_BYTES)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t far;

		if (names[i].n > NAME_BYTES)
			continue;
		far = distance(name, names[i]);
		/* Half of the letters must be right: "x" is near to nothing. */
		if (far < best && far * 2 <= names[i].n) {
			best = far;
			found = &names[i];
		}
	}
	return found;
}
