/*
 * What other programs hand to memo: "KEY NUL JSON".  The JSON as a value to be
 * spelled in one way, as a record under KEY, and as a request; KEY also as a
 * fingerprint and as a pattern.
 */
#include "fuzz.h"

#include "json/canon.h"
#include "json/json.h"
#include "work/fingerprint/fingerprint.h"
#include "work/fingerprint/pattern.h"
#include "work/memo/phase.h"
#include "work/record/record.h"

/* One spelling: it is JSON, and its own. */
static void
spell(struct arena *arena, struct span text)
{
	struct span once, twice;

	if (canon_json(arena, text, &once) != NULL)
		return;
	EXPECT(json_valid(arena, text));
	EXPECT(json_valid(arena, once));
	EXPECT(canon_json(arena, once, &twice) == NULL);
	EXPECT(span_eq(once, twice));
}

static bool
same(struct span a, struct span b)
{
	return (a.p == NULL) == (b.p == NULL) &&
	       (a.p == NULL || span_eq(a, b));
}

/* What is read as a record is the same when it is written and read again. */
static void
keep(struct arena *arena, struct span key, struct span text)
{
	struct record first, second;

	if (!record_read(arena, key, text, &first))
		return;
	first.key = key;
	if (!record_key_valid(key) || !json_valid(arena, text))
		return;
	EXPECT(record_read(arena, key, record_write(arena, &first), &second));
	EXPECT(span_eq(first.value, second.value));
	EXPECT(same(first.errors, second.errors));
	EXPECT(same(first.json, second.json));
	EXPECT(same(first.model, second.model));
	EXPECT(first.exited == second.exited && first.exit == second.exit);
	EXPECT(first.life.created_ms == second.life.created_ms);
	EXPECT(first.life.expires_at == second.life.expires_at);
}

/* A request that is taken is one that may be asked about. */
static void
ask(struct arena *arena, struct span text)
{
	struct phase phase;

	if (phase_read(arena, text, SPAN("/work"), &phase) != NULL)
		return;
	EXPECT(phase.phase.n > 0);
	EXPECT(phase.cwd.n > 0 && phase.cwd.p[0] == '/');
	EXPECT(!(phase.scope == SCOPE_CROSS_RUN && phase_is_blocked(&phase)));
	for (size_t i = 0; i < phase.nfingerprints; i++)
		EXPECT(fingerprint_fault(phase.fingerprints[i]) == NULL);
}

static void
match(struct arena *arena, struct span pattern, struct span name)
{
	struct span *all;
	size_t n;

	EXPECT(pattern_braces(arena, pattern, &all, &n) != NULL || n > 0);
	if (name.n > 0 && name.p[0] == '.' && pattern.n > 0 &&
	    pattern.p[0] == '*')
		EXPECT(!pattern_match_name(pattern, name));
	if (!pattern_is_magic(pattern) && !span_has(name, '\\') &&
	    pattern_match_name(pattern, name))
		EXPECT(span_eq(pattern_literal(arena, pattern), name));
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span key = fuzz_part(&input, '\0');

	spell(arena, input);
	keep(arena, key, input);
	ask(arena, input);
	(void)fingerprint_fault(key);
	match(arena, key, input);
}
