#include "work/memo/inputs.h"

#include "work/record/list.h"
#include "json/emit.h"
#include "json/json.h"

/* Longer names are written as their hash. */
enum { NAME_LONGEST = 64, NAMES = 4 };

/* "sha256:<hex>". */
static struct span
hash_text(struct arena *arena, struct span value)
{
	struct digest digest;
	char hex[DIGEST_HEX + 1];
	struct buf text;

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

/* One thing that a phase depends on. */
struct memo_part {
	enum { PART_NAME, PART_VALUE, PART_FINGERPRINT } kind;
	struct span name;  /* in the record; of a fingerprint, its text */
	struct span plain; /* its value; p is NULL if there is none */
	struct span kept;  /* how it is written: a value by its hash */
};

/* Part I of what is written about PHASE.  False after the last part. */
static bool
part_at(struct arena *arena, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints,
    size_t i, struct memo_part *part)
{
	const struct memo_part names[] = {
	    {PART_NAME, SPAN("model"), phase->model, SPAN("")},
	    {PART_NAME, SPAN("cwd"), place->dir, SPAN("")},
	    {PART_NAME, SPAN("type"), phase->type, SPAN("")},
	    {PART_NAME, SPAN("project"), place->first, SPAN("")},
	};

	if (i < NAMES) {
		*part = names[i];
	} else if (i - NAMES < PARTS) {
		part->kind = PART_VALUE;
		part->name =
		    span_str(phase_part_name((enum phase_part)(i - NAMES)));
		part->plain = phase->parts[i - NAMES];
	} else if (i - NAMES - PARTS < phase->nfingerprints) {
		const struct fingerprint *fingerprint =
		    &fingerprints[i - NAMES - PARTS];

		part->kind = PART_FINGERPRINT;
		part->name = fingerprint->spec;
		part->plain = fingerprint_text(arena, fingerprint);
	} else {
		return false;
	}
	part->kept = part->plain;
	if (part->plain.p != NULL &&
	    (part->kind == PART_VALUE ||
		(part->kind == PART_NAME && part->plain.n > NAME_LONGEST)))
		part->kept = hash_text(arena, part->plain);
	return true;
}

struct span
inputs_write(struct arena *arena, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints)
{
	struct buf out = buf_new(arena, 256);
	struct memo_part part;

	buf_char(&out, '{');
	for (size_t i = 0; part_at(arena, phase, place, fingerprints, i, &part);
	     i++)
		if (part.kept.p != NULL)
			emit_string_member(
			    &out, arena_cstr(arena, part.name), part.kept);
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

/*
 * Is PART not what a record has, OLD?  Records of earlier versions have short
 * values as they are.
 */
static bool
differs(struct span old, const struct memo_part *part)
{
	if (old.p == NULL || part->kept.p == NULL)
		return old.p != part->kept.p;
	return !span_eq(old, part->kept) && !span_eq(old, part->plain);
}

static bool
compare(struct memo *memo, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints,
    struct span inputs, struct verdict *verdict)
{
	struct memo_part part;
	bool told = false;

	for (size_t i = 0;
	     part_at(memo->arena, phase, place, fingerprints, i, &part); i++) {
		struct span old = old_value(memo->arena, inputs, part.name);

		if (!differs(old, &part))
			continue;
		told = true;
		/* A hash is of no use to people. */
		if (part.kind != PART_NAME)
			verdict_add(memo->arena, verdict,
			    part.kind == PART_VALUE ? REASON_PARAM
						    : REASON_FINGERPRINT,
			    part.name, VERDICT_UNKNOWN, VERDICT_UNKNOWN);
		else
			verdict_add(memo->arena, verdict, REASON_PARAM,
			    part.name, old.p != NULL ? old : SPAN("(none)"),
			    part.kept.p != NULL ? part.kept : SPAN("(none)"));
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
