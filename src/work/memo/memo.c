#include "work/memo/memo.h"

#include <errno.h>

#include "base/utf8.h"
#include "file/locate.h"
#include "work/memo/inputs.h"

/* 2: the directory is named from the project's root. */
enum { PHASE_VERSION = 2 };

/* ---- the key ---- */

static void
add_text(struct key *key, const char *name, struct span text)
{
	if (text.p != NULL)
		key_add(key, name, text);
}

/*
 * Make the key of PHASE as things are now.  False if a fingerprint cannot be
 * resolved; the verdict then says which.
 */
static bool
make_key(struct memo *memo, const struct phase *phase,
    struct memo_answer *answer, struct fingerprint *fingerprints)
{
	struct digest digest;
	struct span cwd;
	struct key key;
	bool resolved = true;

	if (!locate_real(memo->arena, phase->cwd, &cwd)) {
		verdict_add(memo->arena, &answer->verdict, REASON_UNRESOLVABLE,
		    SPAN("cwd"), VERDICT_UNKNOWN, span_str(strerror(errno)));
		return false;
	}
	answer->place = place_of(memo->arena, memo->records->store,
	    &memo->known, phase, cwd);
	key_begin(&key, "phase", PHASE_VERSION);
	add_text(&key, "flow", phase->flow);
	add_text(&key, "phase", phase->phase);
	add_text(&key, "type", phase->type);
	add_text(&key, "model", phase->model);
	add_text(&key, "project", answer->place.first);
	key_add(&key, "cwd", answer->place.dir);
	for (int i = 0; i < PARTS; i++)
		add_text(
		    &key, phase_part_name((enum phase_part)i), phase->parts[i]);
	for (size_t i = 0; i < phase->nfingerprints; i++) {
		fingerprints[i] = fingerprint_resolve(
		    memo->hasher, phase->cwd, phase->fingerprints[i]);
		fingerprint_add(&key, &fingerprints[i]);
		if (fingerprints[i].resolved)
			continue;
		resolved = false;
		verdict_add(memo->arena, &answer->verdict, REASON_UNRESOLVABLE,
		    fingerprints[i].spec, VERDICT_UNKNOWN, fingerprints[i].why);
	}
	/* A result for one run only has a key that names the run. */
	if (phase->scope == SCOPE_RUN_ONLY)
		key_add(&key, "run", phase->run_id);
	digest = key_end(&key);
	digest_hex(&digest, answer->key);
	answer->keyed = resolved;
	return resolved;
}

/*
 * May results be reused or kept at all?  If not, the verdict says why.  A type
 * that must not be reused across runs is stopped here too, even if the check
 * of the request missed it.
 */
static bool
may_cache(struct memo *memo, const struct phase *phase, struct verdict *verdict)
{
	if (phase->scope == SCOPE_OFF) {
		verdict_because(memo->arena, verdict, REASON_SCOPE_OFF);
		return false;
	}
	if (phase->scope == SCOPE_CROSS_RUN &&
	    (phase_is_blocked(phase) || phase->effects)) {
		verdict_add(memo->arena, verdict, REASON_TYPE, phase->type,
		    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
		return false;
	}
	if (phase->scope == SCOPE_RUN_ONLY &&
	    (phase->run_id.p == NULL || phase->run_id.n == 0)) {
		verdict_because(memo->arena, verdict, REASON_NO_RUN);
		return false;
	}
	return true;
}

/* ---- looking ---- */

void
memo_look(
    struct memo *memo, const struct phase *phase, struct memo_answer *answer)
{
	struct fingerprint *fingerprints = arena_array(
	    memo->arena, phase->nfingerprints, sizeof(*fingerprints));
	enum record_got got;
	bool same_run;

	*answer = (struct memo_answer){.stored = false};
	if (!may_cache(memo, phase, &answer->verdict) ||
	    !make_key(memo, phase, answer, fingerprints))
		return;
	if (phase->no_cache) {
		verdict_because(memo->arena, &answer->verdict, REASON_FORCED);
		return;
	}
	got = record_load(memo->records, span_str(answer->key), phase->ttl_ms,
	    RECORD_USE, &answer->record);
	/*
	 * A command's record may have this key, and any bytes.  A host needs
	 * text.
	 */
	if (got == RECORD_HIT && !utf8_valid(answer->record.value))
		got = RECORD_DAMAGED;
	/* Within one run its own results are good, however old they are. */
	same_run = (got == RECORD_HIT || got == RECORD_TOO_OLD ||
		       got == RECORD_FUTURE) &&
		   phase->run_id.p != NULL && answer->record.run_id.p != NULL &&
		   span_eq(phase->run_id, answer->record.run_id);
	if (got == RECORD_HIT || same_run) {
		verdict_reuse(&answer->verdict,
		    same_run ? TIER_RUN : TIER_CROSS_RUN,
		    answer->record.life.created_ms);
		return;
	}
	if (got == RECORD_FAILED)
		answer->failure = strerror(errno);
	if (got == RECORD_ABSENT && phase->explain &&
	    inputs_explain(memo, phase, &answer->place, fingerprints,
		&answer->verdict))
		return;
	verdict_because(memo->arena, &answer->verdict, record_reason(got));
}

/* ---- keeping ---- */

/* Why the result of PHASE must not be kept; REASON_SAME if it may be. */
static enum reason
result_fault(const struct phase *phase)
{
	if (phase->status.p == NULL || !span_eq(phase->status, SPAN("done")))
		return REASON_NOT_DONE;
	return phase->output.p == NULL && phase->json.p == NULL
		   ? REASON_NOT_DONE
		   : REASON_SAME;
}

static bool
save(struct memo *memo, const struct phase *phase,
    const struct fingerprint *fingerprints, struct memo_answer *answer)
{
	struct record record = {
	    .key = span_str(answer->key),
	    .value = phase->output.p != NULL ? phase->output : SPAN(""),
	    .life.created_ms = clock_now(),
	    .kind = SPAN("phase"),
	    .status = SPAN("done"),
	    .json = phase->json,
	    .model = phase->model,
	    .inputs = inputs_write(
		memo->arena, phase, &answer->place, fingerprints),
	    .flow = phase->flow,
	    .phase = phase->phase,
	    .run_id = phase->run_id,
	    .creator = record_creator(memo->arena),
	    .tool_version = SPAN(READCACHE_VERSION),
	};

	return record_save(memo->records, &record);
}

void
memo_keep(
    struct memo *memo, const struct phase *phase, struct memo_answer *answer)
{
	struct fingerprint *fingerprints = arena_array(
	    memo->arena, phase->nfingerprints, sizeof(*fingerprints));
	enum reason fault = result_fault(phase);

	*answer = (struct memo_answer){.stored = false};
	if (!may_cache(memo, phase, &answer->verdict))
		return;
	if (fault != REASON_SAME) {
		verdict_because(memo->arena, &answer->verdict, fault);
		return;
	}
	if (!make_key(memo, phase, answer, fingerprints))
		return;
	/*
	 * The key has changed since the lookup, so what the work depends on
	 * has changed, and its result belongs to no key.
	 */
	if (phase->key.p != NULL &&
	    !span_eq(phase->key, span_str(answer->key))) {
		verdict_add(memo->arena, &answer->verdict, REASON_FINGERPRINT,
		    SPAN("what it depends on"), VERDICT_UNKNOWN,
		    VERDICT_UNKNOWN);
		return;
	}
	answer->stored = save(memo, phase, fingerprints, answer);
	if (answer->stored)
		return;
	answer->failure = strerror(errno);
	verdict_because(memo->arena, &answer->verdict, REASON_STORE);
}
