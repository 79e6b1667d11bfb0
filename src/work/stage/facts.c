#include "work/stage/facts.h"

#include <stdlib.h>

#include "work/key/key.h"

/* How many digits of a hash are shown to people. */
enum { SHOWN_DIGITS = 8 };

#define KEY_VERSION 2 /* 2: cwd below the project, programs */

void
facts_add(struct arena *arena, struct facts *facts, enum fact_kind kind,
    struct span name, struct span value)
{
	if (facts->n == facts->room) {
		size_t room = facts->room > 0 ? facts->room * 2 : 4;
		struct fact *list = arena_array(arena, room, sizeof(*list));

		if (facts->n > 0)
			memcpy(list, facts->list, facts->n * sizeof(*list));
		facts->list = list;
		facts->room = room;
	}
	facts->list[facts->n++] = (struct fact){kind, name, value};
}

static int
by_kind_and_name(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return span_compare(x->name, y->name);
}

void
facts_sort(struct facts *facts)
{
	size_t n = 0;

	if (facts->n < 2)
		return;
	qsort(facts->list, facts->n, sizeof(*facts->list), by_kind_and_name);
	for (size_t i = 1; i < facts->n; i++)
		if (by_kind_and_name(&facts->list[n], &facts->list[i]) != 0)
			facts->list[++n] = facts->list[i];
	facts->n = n + 1;
}

const struct span *
facts_find(const struct facts *facts, enum fact_kind kind, struct span name)
{
	struct fact wanted = {kind, name, SPAN("")};
	const struct fact *found = facts->n == 0
				       ? NULL
				       : bsearch(&wanted, facts->list, facts->n,
					     sizeof(wanted), by_kind_and_name);

	return found != NULL ? &found->value : NULL;
}

const char *
fact_section(enum fact_kind kind)
{
	switch (kind) {
	case FACT_CODE:
		return "code_manifest";
	case FACT_COMMAND:
		return "command";
	case FACT_DEP:
		return "dep_hashes";
	case FACT_ENV:
		return "env";
	case FACT_FINGERPRINT:
		return "fingerprints";
	case FACT_OUTPUT:
		return "output_hashes";
	case FACT_OUT:
		return "outs";
	case FACT_WORD:
		return "programs";
	case FACT_PARAM:
	case FACT_KINDS:
		break;
	}
	return "params";
}

struct digest
facts_key(const struct facts *facts, struct span flow, struct span name)
{
	struct key key;

	key_begin(&key, "stage", KEY_VERSION);
	key_add(&key, "flow", flow);
	key_add(&key, "name", name);
	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *fact = &facts->list[i];

		if (fact->kind == FACT_OUTPUT)
			continue;
		key_add(&key, fact_section(fact->kind), fact->name);
		key_add(&key, "is", fact->value);
	}
	return key_end(&key);
}

/* ---- comparing ---- */

static enum reason
reason_of(enum fact_kind kind)
{
	switch (kind) {
	case FACT_CODE:
	case FACT_WORD:
		return REASON_CODE;
	case FACT_COMMAND:
		return REASON_COMMAND;
	case FACT_DEP:
		return REASON_DEP;
	case FACT_ENV:
		return REASON_ENV;
	case FACT_FINGERPRINT:
		return REASON_FINGERPRINT;
	case FACT_PARAM:
		return REASON_PARAM;
	case FACT_OUTPUT:
	case FACT_OUT:
	case FACT_KINDS:
		break;
	}
	return REASON_OUTS;
}

#define HIDDEN SPAN("\"sha256:")

struct span
fact_hidden(struct arena *arena, struct span json)
{
	struct buf out = buf_new(arena, DIGEST_HEX + 16);
	struct digest hash = digest_of(json);
	char hex[DIGEST_HEX + 1];

	digest_hex(&hash, hex);
	buf_add(&out, HIDDEN);
	buf_str(&out, hex);
	buf_char(&out, '"');
	return buf_span(&out);
}

static bool
is_hidden(const struct span *value)
{
	return value != NULL && value->n == HIDDEN.n + DIGEST_HEX + 1 &&
	       span_starts(*value, HIDDEN);
}

/* How VALUE is shown to people; NULL if there is none. */
static struct span
shown(enum fact_kind kind, const struct span *value)
{
	if (value == NULL)
		return SPAN("none");
	if (kind == FACT_PARAM || value->n < DIGEST_HEX)
		return *value;
	return (struct span){value->p, SHOWN_DIGITS};
}

static void
add_reason(struct arena *arena, struct verdict *verdict,
    const struct fact *fact, const struct span *old, const struct span *now)
{
	switch (fact->kind) {
	case FACT_COMMAND:
	case FACT_OUT:
		/* Several such facts make one sentence. */
		if (verdict->last == NULL ||
		    verdict->last->reason != reason_of(fact->kind))
			verdict_because(arena, verdict, reason_of(fact->kind));
		return;
	case FACT_ENV: /* its value may be a secret */
		verdict_add(arena, verdict, REASON_ENV, fact->name,
		    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
		return;
	case FACT_PARAM:
		if (!is_hidden(old) && !is_hidden(now))
			break;
		verdict_add(arena, verdict, REASON_PARAM, fact->name,
		    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
		return;
	case FACT_CODE:
	case FACT_DEP:
	case FACT_FINGERPRINT:
	case FACT_OUTPUT:
	case FACT_WORD:
	case FACT_KINDS:
		break;
	}
	verdict_add(arena, verdict, reason_of(fact->kind), fact->name,
	    shown(fact->kind, old), shown(fact->kind, now));
}

/* A step through two sorted lists: entries of equal name come together. */
struct pair {
	const struct fact *old, *now; /* one of them may be NULL */
};

static bool
next_pair(const struct facts *old, const struct facts *now, size_t *i,
    size_t *k, struct pair *pair)
{
	int order;

	*pair = (struct pair){*i < old->n ? &old->list[*i] : NULL,
	    *k < now->n ? &now->list[*k] : NULL};
	if (pair->old == NULL && pair->now == NULL)
		return false;
	order = pair->old == NULL   ? 1
		: pair->now == NULL ? -1
				    : by_kind_and_name(pair->old, pair->now);
	if (order < 0)
		pair->now = NULL;
	else if (order > 0)
		pair->old = NULL;
	*i += pair->old != NULL;
	*k += pair->now != NULL;
	return true;
}

static bool
pair_differs(const struct pair *pair)
{
	return pair->old == NULL || pair->now == NULL ||
	       !span_eq(pair->old->value, pair->now->value);
}

bool
facts_compare(struct arena *arena, const struct facts *old,
    const struct facts *now, struct verdict *verdict)
{
	bool differs = false;
	size_t i = 0, k = 0;
	struct pair pair;

	while (next_pair(old, now, &i, &k, &pair)) {
		const struct fact *fact =
		    pair.now != NULL ? pair.now : pair.old;

		if (fact->kind == FACT_OUTPUT || !pair_differs(&pair))
			continue;
		differs = true;
		add_reason(arena, verdict, fact,
		    pair.old != NULL ? &pair.old->value : NULL,
		    pair.now != NULL ? &pair.now->value : NULL);
	}
	return differs;
}

bool
facts_differ(
    const struct facts *old, const struct facts *now, struct span *which)
{
	size_t i = 0, k = 0;
	struct pair pair;

	while (next_pair(old, now, &i, &k, &pair)) {
		const struct fact *fact =
		    pair.now != NULL ? pair.now : pair.old;

		if (fact->kind != FACT_OUTPUT && pair_differs(&pair)) {
			*which = fact->name;
			return true;
		}
	}
	return false;
}
