#include "inspect/recall.h"

#include "base/budget.h"
#include "host/host.h"

/*
 * What is known about a subject from its first TAKEN sights, as seen in EPOCH.
 */
struct recall_slot {
	const struct context_subject *subject; /* or NULL */
	struct arena *arena;
	struct knowledge *knowledge;
	uint32_t taken, epoch;
	uint64_t used; /* the clock of its last use */
};

enum { SLOTS = 48 };

struct recall {
	const struct context *context;
	struct arena *arena, *scratch;
	struct recall_slot slots[SLOTS];
	uint64_t clock;
	struct budget bytes; /* that may still be read */
	struct budget work;  /* of all knowledge */
};

/* How many bytes may be read: this, and TIMES the size of the session. */
#define BYTES_FIRST ((uint64_t)16 * 1024 * 1024)
enum { TIMES = 16, LOOK = 64 }; /* looking at a sight costs LOOK bytes */

struct recall *
recall_new(const struct context *context, struct arena *arena)
{
	struct recall *recall = arena_array(arena, 1, sizeof(*recall));

	recall->context = context;
	recall->arena = arena;
	recall->scratch = arena_scratch(arena);
	recall->bytes.left =
	    BYTES_FIRST + TIMES * context->records->index->bytes;
	recall->work = knowledge_budget(context->records->index->bytes);
	return recall;
}

struct known_answer
recall_answer(const struct context *context, const struct sight *sight,
    struct arena *arena)
{
	const struct record_result *result = sight->result;
	struct known_answer answer = {.said = {.text = SPAN("")}};
	struct said_about about = {
	    .placed = sight->asked.placed,
	    .first = sight->asked.first,
	    .limit = sight->asked.limit,
	    .sealed = result->sealed,
	    .hash = result->text_hash,
	};
	struct span text;

	if (result->has_meta) {
		about.meta = answer.meta = &result->meta;
		answer.sealed = result->sealed;
		answer.altered = !result->sealed &&
		    result->meta.text_hash.n > 0;
	}
	if (result->has_text &&
	    host->text(context->records, context_node(context, sight),
		arena, &text))
		answer.said = said_read(arena, text, &about);
	return answer;
}

/* Take a change of the model's own. */
static void
take_change(struct recall *recall, struct knowledge *knowledge,
    const struct sight *sight)
{
	const struct context *context = recall->context;
	const struct own_change *change = NULL;

	arena_reset(recall->scratch);
	switch (context_state(context, sight)) {
	case SIGHT_SEEN:
		if (sight->sure)
			change = host->own(context->records,
			    context->path.nodes[sight->asked_at],
			    sight->result->call_id, recall->scratch);
		break;
	case SIGHT_CALL_GONE: /* the file is another one by it */
	case SIGHT_REPLACED:
	case SIGHT_OMITTED:
		break;
	case SIGHT_COMPACTED: /* with all that was before it */
	case SIGHT_LOST:
	case SIGHT_UNREADABLE:
		return;
	}
	knowledge_own(knowledge, change, recall->scratch);
}

static void
take(struct recall *recall, struct knowledge *knowledge,
    const struct sight *sight)
{
	struct known_answer answer = {.said = {.kind = SAID_UNKNOWN}};

	if (sight->change) {
		take_change(recall, knowledge, sight);
		return;
	}
	switch (context_state(recall->context, sight)) {
	case SIGHT_SEEN:
		arena_reset(recall->scratch);
		answer = recall_answer(recall->context, sight,
		    recall->scratch);
		knowledge_take(knowledge, &answer, recall->scratch);
		break;
	case SIGHT_REPLACED: /* by an unknown text */
		knowledge_take(knowledge, &answer, recall->scratch);
		break;
	case SIGHT_OMITTED:
	case SIGHT_CALL_GONE:
	case SIGHT_COMPACTED:
	case SIGHT_LOST:
	case SIGHT_UNREADABLE:
		break;
	}
}

/* The cost of looking at SIGHT, in bytes. */
static uint64_t
cost(const struct recall *recall, const struct sight *sight)
{
	uint32_t node = sight->change
	    ? recall->context->path.nodes[sight->asked_at]
	    : context_node(recall->context, sight);

	return context_state(recall->context, sight) == SIGHT_SEEN
	    ? LOOK + recall->context->records->index->nodes[node].size
	    : LOOK;
}

/* The slot of SUBJECT, or the one that was not used for longest. */
static struct recall_slot *
find_slot(struct recall *recall, const struct context_subject *subject)
{
	struct recall_slot *oldest = &recall->slots[0];

	for (int i = 0; i < SLOTS; i++) {
		if (recall->slots[i].subject == subject)
			return &recall->slots[i];
		if (recall->slots[i].used < oldest->used)
			oldest = &recall->slots[i];
	}
	return oldest;
}

const struct knowledge *
recall_know(struct recall *recall, struct context_subject *subject, uint32_t n)
{
	struct recall_slot *slot = find_slot(recall, subject);

	if (slot->arena == NULL)
		slot->arena = arena_scratch(recall->arena);
	if (slot->subject != subject || slot->taken > n ||
	    slot->taken > subject->least ||
	    slot->epoch != recall->context->epoch) {
		arena_reset(slot->arena);
		slot->knowledge = knowledge_new(slot->arena, &recall->work);
		slot->subject = subject;
		slot->taken = 0;
		slot->epoch = recall->context->epoch;
	}
	subject->least = subject->n;
	slot->used = ++recall->clock;
	for (; slot->taken < n; slot->taken++) {
		const struct sight *sight = &subject->sights[slot->taken];

		if (!budget_spend(&recall->bytes, cost(recall, sight)))
			return NULL;
		take(recall, slot->knowledge, sight);
	}
	return slot->knowledge;
}
