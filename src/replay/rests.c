#include "replay/rests.h"

#include <string.h>

bool
text_id_eq(const struct text_id *a, const struct text_id *b)
{
	return memcmp(a->bytes, b->bytes, TEXT_ID_BYTES) == 0;
}

void
rests_add(struct rests *rests, const struct text_id *id)
{
	if (id == NULL) {
		rests->untold = true;
		return;
	}
	for (size_t i = 0; i < rests->n; i++)
		if (text_id_eq(&rests->ids[i], id))
			return;
	if (rests->n == RESTS_MAX) {
		rests->untold = true;
		return;
	}
	rests->ids[rests->n++] = *id;
}
