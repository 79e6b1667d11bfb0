/*
 * The lock of a stage: what it says is the same when it is written and read
 * again, and then the stage's key is the same, too.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "json/json.h"
#include "work/stage/lockfile.h"

static void
check_facts(struct arena *arena, const struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *fact = &facts->list[i];
		const struct span *value =
		    facts_find(facts, fact->kind, fact->name);

		EXPECT(fact->kind < FACT_KINDS);
		EXPECT(value != NULL && span_eq(*value, fact->value));
		EXPECT(fact->kind == FACT_PARAM ? json_valid(arena, fact->value)
						: utf8_valid(fact->value));
	}
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct lockfile lock, again;
	struct digest key, second;
	struct span text, which;

	if (!lockfile_parse(arena, input, &lock))
		return;
	check_facts(arena, &lock.facts);
	text = lockfile_write(arena, &lock);
	EXPECT(lockfile_parse(arena, text, &again));
	EXPECT(digest_eq(&lock.record, &again.record));
	EXPECT(again.facts.n == lock.facts.n);
	EXPECT(!facts_differ(&lock.facts, &again.facts, &which));
	key = facts_key(&lock.facts, SPAN("flow"), SPAN("stage"));
	second = facts_key(&again.facts, SPAN("flow"), SPAN("stage"));
	EXPECT(digest_eq(&key, &second));
	EXPECT(span_eq(lockfile_write(arena, &again), text));
}
