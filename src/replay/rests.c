#include "replay/rests.h"

#include <string.h>

void
rests_add(struct rests *rests, const struct text_id *id)
{
	if (id == NULL) {
		rests->untold = true;
		return;
	}
	for (size_t i = 0; i < rests->n; i++)
		if (memcmp(&rests->ids[i], id, sizeof(*id)) == 0)
			return;
	if (rests->n == RESTS_MAX) {
		rests->untold = true;
		return;
	}
	rests->ids[rests->n++] = *id;
}
