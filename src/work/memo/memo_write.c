/* Answers to a host, as JSON. */
#include "json/emit.h"
#include "work/memo/memo.h"

static void
emit_flag(struct buf *out, const char *name, bool flag)
{
	emit_name(out, name);
	buf_str(out, flag ? "true" : "false");
}

static void
emit_set(struct buf *out, const char *name, struct span text)
{
	if (text.p != NULL)
		emit_string_member(out, name, text);
}

/* A reuse costs nothing. */
static const char no_usage[] = "{\"input\":0,\"output\":0,\"cacheRead\":0,"
			       "\"cacheWrite\":0,\"cost\":0,\"turns\":0}";

/* The result that later phases read, and where it came from. */
static void
emit_result(struct buf *out, const struct record *record)
{
	emit_string_member(out, "output", record->value);
	if (record->json.p != NULL) {
		emit_name(out, "json");
		buf_add(out, record->json);
	}
	emit_set(out, "model", record->model);
	emit_name(out, "usage");
	buf_str(out, no_usage);
	emit_number_member(out, "createdAt", record->life.created_ms);
	emit_name(out, "from");
	buf_char(out, '{');
	emit_set(out, "flow", record->flow);
	emit_set(out, "phase", record->phase);
	emit_set(out, "runId", record->run_id);
	emit_set(out, "creator", record->creator);
	buf_char(out, '}');
}

/* The members that every answer has, and its end. */
static void
emit_common(struct buf *out, const struct phase *phase,
    const struct memo_answer *answer)
{
	emit_string_member(out, "phase", phase->phase);
	if (answer->keyed)
		emit_string_member(out, "key", span_str(answer->key));
	if (!answer->stored)
		verdict_members(out, &answer->verdict);
	if (answer->failure != NULL)
		emit_string_member(out, "error", span_str(answer->failure));
	buf_str(out, "}\n");
}

void
memo_write_look(struct buf *out, const struct phase *phase,
    const struct memo_answer *answer)
{
	bool hit = answer->verdict.decision == DECISION_REUSE;
	struct buf shown = buf_new(out->arena, 64);

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_flag(out, "hit", hit);
	emit_name(out, "cacheHit");
	if (hit)
		emit_string(out, span_str(tier_name(answer->verdict.tier)));
	else
		buf_str(out, "null");
	if (hit) {
		verdict_headline(&shown, &answer->verdict);
		emit_string_member(out, "display", buf_span(&shown));
		emit_result(out, &answer->record);
	}
	emit_common(out, phase, answer);
}

void
memo_write_keep(struct buf *out, const struct phase *phase,
    const struct memo_answer *answer)
{
	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_flag(out, "stored", answer->stored);
	emit_common(out, phase, answer);
}
