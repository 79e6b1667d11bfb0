#include "work/memo/inputs.h"

#include "json/emit.h"
#include "json/json.h"
#include "work/record/list.h"

/* Longer values are written as their hash. */
enum { SHOWN_MAX = 64 };

/* VALUE, or "sha256:<hex>" if it is long. */
static struct span
shown(struct arena *arena, struct span value)
{
	struct digest digest;
	char hex[DIGEST_HEX + 1];
	struct buf text;

	if (value.n <= SHOWN_MAX)
		return value;
	digest = digest_of(value);
	digest_hex(&digest, hex);
	text = buf_new(arena, 80);
	buf_str(&text, "sha256:");
	buf_str(&text, hex);
	return buf_span(&text);
}

static struct span
fingerprint_text(struct arena *arena, const struct fingerprint *fingerprint)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(&fingerprint->digest, hex);
	return (struct span){arena_cstr(arena, span_str(hex)), DIGEST_HEX};
}

/*
 * Part I of what is written about PHASE: its name as in the record (of a
 * fingerprint, its text) and its value.  False after the last part.
 */
static bool
part_at(struct arena *arena, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints,
    size_t i, struct span *name, struct span *value)
{
	if (i == 0) {
		*name = SPAN("model");
		*value = phase->model;
	} else if (i == 1) {
		*name = SPAN("cwd");
		*value = place->dir;
	} else if (i == 2) {
		*name = SPAN("type");
		*value = phase->type;
	} else if (i == 3) {
		*name = SPAN("project");
		*value = place->first;
	} else if (i - 4 < PARTS) {
		*name = span_str(phase_part_name((enum phase_part)(i - 4)));
		*value = phase->parts[i - 4];
	} else if (i - 4 - PARTS < phase->nfingerprints) {
		*name = fingerprints[i - 4 - PARTS].spec;
		*value = fingerprint_text(arena, &fingerprints[i - 4 - PARTS]);
	} else {
		return false;
	}
	if (value->p != NULL)
		*value = shown(arena, *value);
	return true;
}

static bool
is_fingerprint(struct span name)
{
	return fingerprint_fault(name) == NULL;
}

struct span
inputs_write(struct arena *arena, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints)
{
	struct buf out = buf_new(arena, 256);
	struct span name, value;

	buf_char(&out, '{');
	for (size_t i = 0; part_at(arena, phase, place, fingerprints, i, &name,
			       &value);
	     i++)
		if (value.p != NULL)
			emit_string_member(
			    &out, arena_cstr(arena, name), value);
	buf_char(&out, '}');
	return buf_span(&out);
}

/* The value that INPUTS has for NAME; p is NULL if there is none. */
static struct span
old_value(struct arena *arena, struct span inputs, struct span name)
{
	struct json_doc doc = json_doc(arena);
	struct json_field field = {.name = name};
	struct json_text text;

	json_pick(&doc, inputs, &field, 1);
	if (!json_text(arena, field.value, &text))
		return VERDICT_UNKNOWN;
	return text.text;
}

static bool
differs(struct span a, struct span b)
{
	return (a.p == NULL) != (b.p == NULL) ||
	       (a.p != NULL && !span_eq(a, b));
}

static bool
compare(struct memo *memo, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints,
    struct span inputs, struct verdict *verdict)
{
	struct span name, now;
	bool told = false;

	for (size_t i = 0;
	     part_at(memo->arena, phase, place, fingerprints, i, &name, &now);
	     i++) {
		struct span old = old_value(memo->arena, inputs, name);

		if (!differs(old, now))
			continue;
		told = true;
		/* The hash of a variable's value is of no use to people. */
		if (is_fingerprint(name))
			verdict_add(memo->arena, verdict, REASON_FINGERPRINT,
			    name, VERDICT_UNKNOWN, VERDICT_UNKNOWN);
		else
			verdict_add(memo->arena, verdict, REASON_PARAM, name,
			    old.p != NULL ? old : SPAN("(none)"),
			    now.p != NULL ? now : SPAN("(none)"));
	}
	return told;
}

/* The latest record of the same flow and phase, or NULL. */
static const struct record_info *
find_latest(const struct record_list *list, const struct phase *phase)
{
	struct span flow = phase->flow.p != NULL ? phase->flow : SPAN("");
	const struct record_info *latest = NULL;

	for (size_t i = 0; i < list->n; i++) {
		const struct record_info *info = &list->items[i];

		if (info->sound && span_eq(info->phase, phase->phase) &&
		    span_eq(info->flow, flow) &&
		    (latest == NULL ||
			info->life.created_ms > latest->life.created_ms))
			latest = info;
	}
	return latest;
}

bool
inputs_explain(struct memo *memo, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints,
    struct verdict *verdict)
{
	struct record_list list =
	    record_list(memo->records, memo->hasher->state);
	const struct record_info *latest = find_latest(&list, phase);
	struct record record;

	if (latest == NULL)
		return false;
	switch (
	    record_load(memo->records, latest->key, 0, RECORD_LOOK, &record)) {
	case RECORD_HIT:
	case RECORD_FUTURE:
		break;
	case RECORD_ABSENT:
	case RECORD_EXPIRED:
	case RECORD_TOO_OLD:
	case RECORD_DAMAGED:
	case RECORD_FAILED:
		return false;
	}
	return record.inputs.p != NULL &&
	       compare(
		   memo, phase, place, fingerprints, record.inputs, verdict);
}
