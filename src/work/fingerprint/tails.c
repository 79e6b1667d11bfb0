#include "work/fingerprint/tails.h"

#include "base/map.h"
#include "work/fingerprint/pattern.h"

enum { FEW = 8 }; /* up to here a search is enough */

struct span
tail_begin(struct span text)
{
	while (text.n > 0 && text.p[0] == '/')
		text = span_from(text, 1);
	return text;
}

struct tail_step
tail_step(struct span text)
{
	const char *slash = memchr(text.p, '/', text.n);
	size_t n = slash != NULL ? (size_t)(slash - text.p) : text.n;
	struct tail_step step = {
	    .component = {text.p, n},
	    .rest = tail_begin(span_from(text, n)),
	};

	if (text.n == 0)
		step.kind = STEP_END;
	else if (span_eq(step.component, SPAN("**")))
		step.kind = STEP_ANY;
	else if (pattern_is_magic(step.component))
		step.kind = STEP_MAGIC;
	else
		step.kind = STEP_LITERAL;
	return step;
}

/* Was TEXT added before?  If not, it is noted as added. */
static bool
is_known(struct tails *tails, struct span text)
{
	if (tails->n == FEW) {
		tails->known = map_new(tails->arena, FEW);
		for (size_t i = 0; i < FEW; i++)
			(void)map_at(tails->known, tails->at[i], i);
	}
	if (tails->n >= FEW)
		return *map_at(tails->known, text, tails->n) != tails->n;
	for (size_t i = 0; i < tails->n; i++)
		if (span_eq(tails->at[i], text))
			return true;
	return false;
}

void
tails_add(struct tails *tails, struct span text)
{
	while (!is_known(tails, text)) {
		struct tail_step step = tail_step(text);

		tails->at = arena_more(tails->arena, tails->at, tails->n,
		    &tails->room, sizeof(*tails->at));
		tails->at[tails->n++] = text;
		if (step.kind != STEP_ANY || step.rest.n == 0)
			return;
		text = step.rest; /* "**" may match nothing */
	}
}
