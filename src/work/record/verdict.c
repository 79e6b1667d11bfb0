#include "work/record/verdict.h"

#include "base/utf8.h"
#include "json/emit.h"
#include "work/record/clock.h"

void
verdict_add(struct arena *arena, struct verdict *verdict, enum reason reason,
    struct span subject, struct span old, struct span now)
{
	struct verdict_reason *added = arena_array(arena, 1, sizeof(*added));

	*added = (struct verdict_reason){NULL, reason, subject, old, now};
	if (verdict->last != NULL)
		verdict->last->next = added;
	else
		verdict->first = added;
	verdict->last = added;
}

void
verdict_because(
    struct arena *arena, struct verdict *verdict, enum reason reason)
{
	verdict_add(
	    arena, verdict, reason, SPAN(""), VERDICT_UNKNOWN, VERDICT_UNKNOWN);
}

static struct span
copy(struct arena *arena, struct span text)
{
	return text.p != NULL
		   ? (struct span){arena_cstr(arena, text), text.n}
		   : text;
}

struct verdict
verdict_copy(struct arena *arena, const struct verdict *verdict)
{
	const struct verdict_reason *reason = verdict->first;
	struct verdict whole = *verdict;

	whole.first = whole.last = NULL;
	for (; reason != NULL; reason = reason->next)
		verdict_add(arena, &whole, reason->reason,
		    copy(arena, reason->subject), copy(arena, reason->old),
		    copy(arena, reason->now));
	return whole;
}

void
verdict_reuse(struct verdict *verdict, enum tier tier, uint64_t created_ms)
{
	uint64_t now = clock_now();

	verdict->decision = DECISION_REUSE;
	verdict->tier = tier;
	verdict->aged = created_ms != 0;
	verdict->age_ms = now > created_ms ? now - created_ms : 0;
}

const char *
tier_name(enum tier tier)
{
	switch (tier) {
	case TIER_NONE:
		break;
	case TIER_GENERATION:
		return "generation match";
	case TIER_LOCK:
		return "unchanged";
	case TIER_RUN_CACHE:
		return "run cache";
	case TIER_RUN:
		return "run";
	case TIER_CROSS_RUN:
		return "cross-run";
	}
	return "";
}

static const char *
decision_name(enum decision decision)
{
	switch (decision) {
	case DECISION_WORK:
		return "work";
	case DECISION_REUSE:
		return "reuse";
	case DECISION_REFUSE:
		break;
	}
	return "refuse";
}

/* The code for programs, and the words before and after the subject. */
struct wording {
	char code[16];
	char before[24];
	char after[48];
};

static struct wording
wording(enum reason reason)
{
	switch (reason) {
	case REASON_SAME:
		return (struct wording){"same", "", "nothing changed"};
	case REASON_FIRST:
		return (struct wording){"first", "", "no record of it yet"};
	case REASON_EXPIRED:
		return (struct wording){"expired", "", "its record expired"};
	case REASON_TOO_OLD:
		return (struct wording){
		    "too-old", "", "its record is older than the ttl"};
	case REASON_FUTURE:
		return (struct wording){"future", "",
		    "its record is from the future: clock went back"};
	case REASON_DAMAGED:
		return (struct wording){"damaged", "", "its record is damaged"};
	case REASON_FORCED:
		return (struct wording){
		    "forced", "", "reuse was turned off for this call"};
	case REASON_SCOPE_OFF:
		return (struct wording){"scope-off", "", "its scope is off"};
	case REASON_NO_RUN:
		return (struct wording){"no-run", "",
		    "its scope is run-only, and no runId is given"};
	case REASON_NO_SESSION:
		return (struct wording){
		    "no-session", "", "nothing is remembered from run to run"};
	case REASON_TYPE:
		return (struct wording){"type", "type ", " is never reused"};
	case REASON_UNRESOLVABLE:
		return (struct wording){
		    "unresolvable", "fingerprint ", " cannot be resolved"};
	case REASON_COMMAND:
		return (struct wording){"command", "", "the command changed"};
	case REASON_CODE:
		return (struct wording){"code", "code ", " changed"};
	case REASON_PARAM:
		return (struct wording){"param", "param ", " changed"};
	case REASON_DEP:
		return (struct wording){"dep", "dep ", " changed"};
	case REASON_OUT:
		return (struct wording){"out", "output ", " was changed"};
	case REASON_OUT_MISSING:
		return (struct wording){"out-missing", "output ", " is gone"};
	case REASON_OUTS:
		return (struct wording){
		    "outs", "", "its declared outputs changed"};
	case REASON_ENV:
		return (struct wording){"env", "env ", " changed"};
	case REASON_FINGERPRINT:
		return (struct wording){"fingerprint", "", " changed"};
	case REASON_CONFIG:
		return (struct wording){"config", "", "config changed"};
	case REASON_UPSTREAM:
		return (struct wording){"upstream", "upstream ", " changed"};
	case REASON_STRUCTURE:
		return (struct wording){
		    "structure", "", "the nodes before it changed"};
	case REASON_BLOB:
		return (struct wording){
		    "blob", "kept output ", " is missing or damaged"};
	case REASON_NOT_DONE:
		return (struct wording){
		    "not-done", "", "it did not succeed the last time"};
	case REASON_STORE:
		break;
	}
	return (struct wording){"store", "", "the store cannot be used"};
}

/* Add the old and new value, if the reason has them. */
static void
add_values(struct buf *out, const struct verdict_reason *reason)
{
	if (reason->old.p != NULL && reason->now.p != NULL) {
		buf_str(out, ": ");
		buf_add(out, reason->old);
		buf_str(out, " -> ");
		buf_add(out, reason->now);
	} else if (reason->now.p != NULL) {
		buf_str(out, ": ");
		buf_add(out, reason->now);
	}
}

void
verdict_reason_text(struct buf *out, const struct verdict_reason *reason)
{
	struct wording words = wording(reason->reason);
	bool shown = reason->old.p != NULL && reason->now.p != NULL;

	if (reason->subject.n > 0) {
		buf_str(out, words.before);
		buf_add(out, reason->subject);
	}
	/* "param lr: 0.1 -> 0.2" already says that it changed. */
	if (!shown || reason->subject.n == 0)
		buf_str(out, words.after);
	add_values(out, reason);
}

void
verdict_reasons_text(struct buf *out, const struct verdict *verdict)
{
	if (verdict->first == NULL)
		buf_str(out, wording(REASON_SAME).after);
	for (struct verdict_reason *r = verdict->first; r != NULL;
	     r = r->next) {
		if (r != verdict->first)
			buf_str(out, ", ");
		verdict_reason_text(out, r);
	}
}

void
verdict_headline(struct buf *out, const struct verdict *verdict)
{
	switch (verdict->decision) {
	case DECISION_WORK:
		buf_str(out, "RUN");
		return;
	case DECISION_REFUSE:
		buf_str(out, "REFUSED");
		return;
	case DECISION_REUSE:
		break;
	}
	buf_str(out, "CACHED");
	if (verdict->tier == TIER_RUN || verdict->tier == TIER_NONE)
		return;
	buf_str(out, " (");
	buf_str(out, tier_name(verdict->tier));
	if (verdict->aged) {
		buf_str(out, " \xc2\xb7 age ");
		duration_write(out, verdict->age_ms);
	}
	buf_char(out, ')');
}

/* ---- JSON ---- */

static void
emit_text(struct buf *out, const char *name, struct span text)
{
	if (text.p == NULL)
		return;
	emit_string_member(
	    out, name, utf8_valid(text) ? text : SPAN("(not text)"));
}

static void
emit_reason(struct buf *out, const struct verdict_reason *reason)
{
	struct buf text = buf_new(out->arena, 128);

	verdict_reason_text(&text, reason);
	buf_char(out, '{');
	emit_string_member(out, "code", span_str(wording(reason->reason).code));
	if (reason->subject.n > 0)
		emit_text(out, "subject", reason->subject);
	emit_text(out, "old", reason->old);
	emit_text(out, "new", reason->now);
	emit_text(out, "text", buf_span(&text));
	buf_char(out, '}');
}

void
verdict_members(struct buf *out, const struct verdict *verdict)
{
	struct buf text = buf_new(out->arena, 128);

	emit_string_member(
	    out, "decision", span_str(decision_name(verdict->decision)));
	if (verdict->tier != TIER_NONE)
		emit_string_member(
		    out, "tier", span_str(tier_name(verdict->tier)));
	if (verdict->aged)
		emit_number_member(out, "age_ms", verdict->age_ms);
	verdict_reasons_text(&text, verdict);
	emit_text(out, "reason", buf_span(&text));
	emit_name(out, "reasons");
	buf_char(out, '[');
	for (struct verdict_reason *r = verdict->first; r != NULL;
	     r = r->next) {
		if (r != verdict->first)
			buf_char(out, ',');
		emit_reason(out, r);
	}
	buf_char(out, ']');
}
