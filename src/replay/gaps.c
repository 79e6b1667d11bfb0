#include "replay/gaps.h"

static struct gap *
make_gap(struct arena *arena, uint64_t first, uint64_t last, struct gap *next)
{
	struct gap *gap = arena_alloc(arena, sizeof(*gap));

	*gap = (struct gap){next, first, last};
	return gap;
}

struct gaps
gaps_new(struct arena *arena, struct budget *budget, uint64_t first,
    uint64_t last)
{
	struct gaps gaps = {arena, budget, NULL};

	if (first <= last)
		gaps.list = make_gap(arena, first, last, NULL);
	return gaps;
}

void
gaps_fill(struct gaps *gaps, uint64_t first, uint64_t last)
{
	struct gap **at = &gaps->list;

	while (*at != NULL && (*at)->first <= last) {
		struct gap *gap = *at;

		if (!budget_spend(gaps->budget, 1))
			return;
		if (gap->last < first) {
			at = &gap->next;
		} else if (gap->first < first && gap->last > last) {
			gap->next = make_gap(gaps->arena, last + 1, gap->last,
			    gap->next);
			gap->last = first - 1;
			return;
		} else if (gap->first < first) {
			gap->last = first - 1;
			at = &gap->next;
		} else if (gap->last > last) {
			gap->first = last + 1;
			return;
		} else {
			*at = gap->next;
		}
	}
}

bool
gaps_touch(const struct gaps *gaps, uint64_t first, uint64_t last)
{
	const struct gap *gap = gaps->list;

	for (; gap != NULL && gap->last < first; gap = gap->next)
		if (!budget_spend(gaps->budget, 1))
			return true;
	return gap != NULL && gap->first <= last;
}
