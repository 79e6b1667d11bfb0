#include "unit_dir.h"

#include "work/memo/memo.h"

/* ---- the gate at run time ---- */

/*
 * T5: a phase that got past the check of its request, because somebody made
 * it without one, is stopped where it would be reused or kept.
 */
static void
t5_blocked_types_are_blocked_at_run_time(struct arena *arena)
{
	struct store store = store_at(arena,
	    span_str(unit_path(arena, "gate")), span_str(unit_base));
	struct records records = records_in(&store);
	struct hasher hasher = {.arena = arena};
	struct memo memo = {
	    .arena = arena, .records = &records, .hasher = &hasher};
	struct phase phase = {.phase = SPAN("p"),
	    .cwd = span_str(unit_base),
	    .scope = SCOPE_CROSS_RUN,
	    .run_id = SPAN("r"),
	    .status = SPAN("done"),
	    .output = SPAN("yes")};
	static const struct span types[] = {LIT("gate"), LIT("approval")};
	struct memo_answer answer;

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		phase.type = types[i];
		memo_keep(&memo, &phase, &answer);
		assert_false(answer.stored);
		assert_int_equal(answer.verdict.first->reason, REASON_TYPE);
		memo_look(&memo, &phase, &answer);
		assert_int_equal(answer.verdict.decision, DECISION_WORK);
		assert_int_equal(answer.verdict.first->reason, REASON_TYPE);
	}
	phase.type = SPAN("agent");
	phase.effects = true;
	memo_keep(&memo, &phase, &answer);
	assert_false(answer.stored);
	phase.effects = false;
	memo_keep(&memo, &phase, &answer);
	assert_true(answer.stored);
	memo_look(&memo, &phase, &answer);
	assert_int_equal(answer.verdict.decision, DECISION_REUSE);
}

/* ---- requests ---- */

static void
a_whole_request(struct arena *arena)
{
	struct phase phase;

	assert_null(phase_read(arena,
	    SPAN(" {\"phase\":\"p\",\"flow\":\"f\",\"input\":{\"b\":1,\"a\":2},"
		 "\"cwd\":\"/x/../y\",\"cache\":{\"scope\":\"cross-run\","
		 "\"ttl\":\"2m\",\"fingerprint\":[\"env:A\",\"git:HEAD\"]},"
		 "\"runId\":null}\n"),
	    SPAN("/cwd"), &phase));
	ASSERT_TEXT(phase.phase, "p");
	ASSERT_TEXT(phase.type, "agent");
	ASSERT_TEXT(phase.cwd, "/y");
	ASSERT_TEXT(phase.parts[PART_INPUT], "{\"a\":2,\"b\":1}");
	assert_null(phase.parts[PART_TOOLS].p);
	assert_null(phase.run_id.p);
	assert_int_equal(phase.scope, SCOPE_CROSS_RUN);
	assert_int_equal(phase.ttl_ms, 120000);
	assert_int_equal(phase.nfingerprints, 2);
	ASSERT_TEXT(phase.fingerprints[1], "git:HEAD");
}

/* Requests come from other programs: whatever they hold, nothing breaks. */
static void
broken_requests(struct arena *arena)
{
	struct span whole =
	    SPAN("{\"phase\":\"p\",\"input\":[1,{\"x\":\"\\u00e9\"}],"
		 "\"cache\":{\"scope\":\"off\",\"fingerprint\":[\"env:A\"]}}");
	struct arena *scratch = arena_scratch(arena);
	struct chance chance = chance_new(5);
	struct phase phase;

	for (size_t n = 0; n < whole.n; n++) {
		assert_non_null(phase_read(scratch,
		    unit_exact(scratch, span_of(whole.p, n)), SPAN("/"),
		    &phase));
		arena_reset(scratch);
	}
	for (int i = 0; i < 20000; i++) {
		char *bytes = arena_cstr(scratch, whole);

		for (size_t j = chance_below(&chance, 4) + 1; j > 0; j--)
			bytes[chance_below(&chance, whole.n)] =
			    "{}[]\",:\\u0a\xff\n"[chance_below(&chance, 13)];
		(void)phase_read(scratch, span_of(bytes, whole.n), SPAN("/"),
		    &phase);
		arena_reset(scratch);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(t5_blocked_types_are_blocked_at_run_time),
	    TEST(a_whole_request),
	    TEST(broken_requests),
	};

	return RUN_TESTS_IN_DIR(tests);
}
