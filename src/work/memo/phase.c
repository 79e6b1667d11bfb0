#include "work/memo/phase.h"

#include <strings.h>

#include "base/buf.h"
#include "base/digest.h"
#include "json/canon.h"
#include "json/json.h"
#include "path/name.h"
#include "work/fingerprint/fingerprint.h"
#include "work/record/clock.h"
#include "work/record/record.h"

enum { FINGERPRINTS_MAX = 256 };

/* The state of reading a request.  FAULT is the first one found. */
struct phase_reader {
	struct arena *arena;
	struct json_doc doc;
	struct phase *phase;
	const char *fault;
};

const char *
phase_part_name(enum phase_part part)
{
	switch (part) {
	case PART_INPUT:
		return "input";
	case PART_SYSTEM:
		return "system";
	case PART_AGENT:
		return "agent";
	case PART_TOOLS:
		return "tools";
	case PART_THINKING:
		return "thinking";
	case PART_STRUCTURE:
		return "structure";
	case PART_WITH:
	case PARTS:
		break;
	}
	return "with";
}

/* A host may write the type in capitals. */
static bool
is_type(struct span type, struct span name)
{
	return type.n == name.n && strncasecmp(type.p, name.p, name.n) == 0;
}

bool
phase_is_blocked(const struct phase *phase)
{
	return is_type(phase->type, SPAN("gate")) ||
	       is_type(phase->type, SPAN("approval"));
}

/* ---- faults ---- */

/* Set the fault to "phase 'x': BEFORE WHAT AFTER".  Only the first is kept. */
static void
complain(struct phase_reader *r, const char *before, struct span what,
    const char *after)
{
	struct buf text = buf_new(r->arena, 128);

	if (r->fault != NULL)
		return;
	if (r->phase->phase.p != NULL) {
		buf_str(&text, "phase '");
		buf_add(&text, r->phase->phase);
		buf_str(&text, "': ");
	}
	buf_str(&text, before);
	buf_add(&text, what);
	buf_str(&text, after);
	r->fault = arena_cstr(r->arena, buf_span(&text));
}

/* ---- members of any kind ---- */

static struct span
take_text(struct phase_reader *r, const char *name, struct span value)
{
	struct json_text text = {{NULL, 0}, false};

	if (json_kind(value) == JSON_ABSENT || json_kind(value) == JSON_NULL)
		return text.text;
	if (!json_text(r->arena, value, &text))
		complain(r, "\"", span_str(name), "\" must be a string.");
	else if (text.lone || span_has(text.text, '\0'))
		complain(r, "\"", span_str(name),
		    "\" holds a NUL or half a surrogate pair.");
	return text.text;
}

/* A result may be any text. */
static struct span
take_result(struct phase_reader *r, struct span value)
{
	struct json_text text = {{NULL, 0}, false};

	if (json_kind(value) != JSON_ABSENT && json_kind(value) != JSON_NULL &&
	    !json_text(r->arena, value, &text))
		complain(r, "\"", SPAN("output"), "\" must be a string.");
	return text.text;
}

static bool
take_flag(struct phase_reader *r, const char *name, struct span value)
{
	enum json_kind kind = json_kind(value);

	if (kind != JSON_TRUE && kind != JSON_FALSE && kind != JSON_ABSENT)
		complain(r, "\"", span_str(name), "\" must be true or false.");
	return kind == JSON_TRUE;
}

/*
 * A member with an unknown name is a fault, and so is one that comes twice.
 */
static void
check_names(struct phase_reader *r, struct span object, const char *unknown,
    const struct json_field *fields, size_t n)
{
	struct json_items members = json_members(&r->doc, object);
	struct span name, value;

	while (r->fault == NULL && json_member(&members, &name, &value)) {
		size_t i = 0;

		while (i < n && !span_eq(name, fields[i].name))
			i++;
		if (i == n)
			complain(r, "there is no member \"", name, unknown);
		else if (value.p != fields[i].value.p)
			complain(r, "\"", name, "\" is there twice.");
	}
}

/* ---- "cache" ---- */

static void
take_scope(struct phase_reader *r, struct span value)
{
	struct span text = take_text(r, "scope", value);

	if (text.p == NULL || span_eq(text, SPAN("run-only")))
		r->phase->scope = SCOPE_RUN_ONLY;
	else if (span_eq(text, SPAN("cross-run")))
		r->phase->scope = SCOPE_CROSS_RUN;
	else if (span_eq(text, SPAN("off")))
		r->phase->scope = SCOPE_OFF;
	else
		complain(r, "scope \"", text,
		    "\" is not run-only, cross-run or off.");
}

static void
take_ttl(struct phase_reader *r, struct span value)
{
	struct span text = take_text(r, "ttl", value);

	if (text.p == NULL || duration_parse(text, &r->phase->ttl_ms))
		return;
	complain(r, "ttl \"", text,
	    "\" is not a duration; write a number with "
	    "its unit: ms, s, m, h or d.");
}

static void
take_fingerprint(struct phase_reader *r, struct span value)
{
	struct span text = {NULL, 0};
	const char *fault;

	if (json_kind(value) == JSON_STRING)
		text = take_text(r, "fingerprint", value);
	if (text.p == NULL) {
		complain(r, "", SPAN(""), "a fingerprint must be a string.");
		return;
	}
	fault = fingerprint_fault(text);
	if (fault != NULL) {
		struct buf after = buf_new(r->arena, 96);

		buf_str(&after, "\": ");
		buf_str(&after, fault);
		complain(r, "fingerprint \"", text,
		    arena_cstr(r->arena, buf_span(&after)));
		return;
	}
	r->phase->fingerprints[r->phase->nfingerprints++] = text;
}

static void
make_room(struct phase_reader *r)
{
	if (r->phase->fingerprints == NULL)
		r->phase->fingerprints = arena_array(
		    r->arena, FINGERPRINTS_MAX, sizeof(struct span));
}

static void
take_fingerprints(struct phase_reader *r, struct span value)
{
	struct json_items items = json_items(&r->doc, value);
	struct span item;

	if (json_kind(value) == JSON_ABSENT || json_kind(value) == JSON_NULL)
		return;
	if (json_kind(value) != JSON_ARRAY) {
		complain(r, "", SPAN(""),
		    "\"fingerprint\" must be an array of strings.");
		return;
	}
	make_room(r);
	while (r->fault == NULL && json_next(&items, &item)) {
		if (r->phase->nfingerprints == FINGERPRINTS_MAX)
			complain(r, "", SPAN(""),
			    "there are more than 256 fingerprints.");
		else
			take_fingerprint(r, item);
	}
}

/*
 * "context": files that the host reads into the input.  The host sends their
 * names or patterns, and their content is part of the key, as with "glob!:".
 */
static void
take_context(struct phase_reader *r, struct span value)
{
	struct json_items items = json_items(&r->doc, value);
	struct json_text text;
	struct span item;
	struct buf spec;

	if (json_kind(value) == JSON_ABSENT || json_kind(value) == JSON_NULL)
		return;
	if (json_kind(value) != JSON_ARRAY)
		complain(r, "", SPAN(""),
		    "\"context\" must be an array of patterns.");
	make_room(r);
	while (r->fault == NULL && json_next(&items, &item)) {
		if (!json_text(r->arena, item, &text) || text.text.n == 0 ||
		    text.lone || span_has(text.text, '\0'))
			complain(r, "", SPAN(""),
			    "\"context\" must be an array of patterns.");
		else if (r->phase->nfingerprints == FINGERPRINTS_MAX)
			complain(r, "", SPAN(""),
			    "there are more than 256 fingerprints and "
			    "patterns in \"context\".");
		else {
			spec = buf_new(r->arena, text.text.n + 8);
			buf_str(&spec, "glob!:");
			buf_add(&spec, text.text);
			r->phase->fingerprints[r->phase->nfingerprints++] =
			    buf_span(&spec);
		}
	}
}

static void
take_cache(struct phase_reader *r, struct span cache)
{
	struct json_field fields[] = {
	    {.name = SPAN("scope")},
	    {.name = SPAN("ttl")},
	    {.name = SPAN("fingerprint")},
	};
	enum json_kind kind = json_kind(cache);

	if (kind == JSON_ABSENT || kind == JSON_NULL)
		return;
	if (kind != JSON_OBJECT) {
		complain(r, "", SPAN(""),
		    "\"cache\" must be an object with "
		    "scope, ttl and fingerprint.");
		return;
	}
	json_pick(&r->doc, cache, fields, 3);
	check_names(r, cache,
	    "\" in \"cache\"; there are scope, ttl and "
	    "fingerprint.",
	    fields, 3);
	take_scope(r, fields[0].value);
	take_ttl(r, fields[1].value);
	take_fingerprints(r, fields[2].value);
}

/* ---- the request ---- */

/* The members, in the order of the names below. */
enum phase_member {
	PHASE,
	OP,
	FLOW,
	TYPE,
	MODEL,
	RUN_ID,
	CWD,
	CACHE,
	EFFECTS,
	NO_CACHE,
	EXPLAIN,
	STATUS,
	OUTPUT,
	JSON,
	KEY,
	CONTEXT,
	FIRST_PART,
	MEMBERS = FIRST_PART + PARTS
};

static void
name_members(struct json_field fields[MEMBERS])
{
	static const char names[FIRST_PART][16] = {[PHASE] = "phase",
	    [OP] = "op",
	    [FLOW] = "flow",
	    [TYPE] = "type",
	    [MODEL] = "model",
	    [RUN_ID] = "runId",
	    [CWD] = "cwd",
	    [CACHE] = "cache",
	    [EFFECTS] = "effects",
	    [NO_CACHE] = "noCache",
	    [EXPLAIN] = "explain",
	    [STATUS] = "status",
	    [OUTPUT] = "output",
	    [JSON] = "json",
	    [KEY] = "key",
	    [CONTEXT] = "context"};

	for (int i = 0; i < FIRST_PART; i++)
		fields[i].name = span_str(names[i]);
	for (int i = 0; i < PARTS; i++)
		fields[FIRST_PART + i].name =
		    span_str(phase_part_name((enum phase_part)i));
}

static void
take_cwd(struct phase_reader *r, struct span value, struct span cwd)
{
	struct span named = take_text(r, "cwd", value);

	if (named.p != NULL && (named.n == 0 || named.p[0] != '/'))
		complain(r, "", SPAN(""), "\"cwd\" must be absolute.");
	else
		r->phase->cwd =
		    name_normalize(r->arena, named.p != NULL ? named : cwd);
}

static void
take_parts(struct phase_reader *r, const struct json_field *fields)
{
	for (int i = 0; i < PARTS; i++) {
		struct span value = fields[i].value;
		const char *fault;

		if (value.p == NULL)
			continue;
		fault = canon_json(r->arena, value, &r->phase->parts[i]);
		if (fault != NULL) {
			struct buf after = buf_new(r->arena, 96);

			buf_str(&after, "\" has no key: ");
			buf_str(&after, fault);
			complain(r, "\"", fields[i].name,
			    arena_cstr(r->arena, buf_span(&after)));
		}
	}
}

/*
 * One word only, so that no spelling of a type can be taken for another type.
 */
static bool
is_word(struct span text)
{
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') && c != '-' && c != '_')
			return false;
	}
	return text.n > 0;
}

/* Check what the members may not be, together or at all. */
static void
check(struct phase_reader *r)
{
	struct phase *phase = r->phase;

	if (phase->phase.p == NULL || phase->phase.n == 0)
		complain(r, "", SPAN(""), "\"phase\" is missing.");
	if (!is_word(phase->type))
		complain(r, "type \"", phase->type,
		    "\" is not a word of letters, digits, - and _.");
	if (phase->scope == SCOPE_CROSS_RUN && phase_is_blocked(phase))
		complain(r, "type ", phase->type,
		    " cannot be cross-run: its verdict is for one run.");
	if (phase->scope == SCOPE_CROSS_RUN && phase->effects)
		complain(
		    r, "", SPAN(""), "what has effects cannot be cross-run.");
	if (phase->key.p != NULL && !record_key_valid(phase->key))
		complain(r, "", SPAN(""), "\"key\" is not a key.");
}

static void
take_request(struct phase_reader *r, struct span request, struct span cwd)
{
	struct json_field fields[MEMBERS];
	struct phase *phase = r->phase;

	name_members(fields);
	json_pick(&r->doc, request, fields, MEMBERS);
	phase->phase = take_text(r, "phase", fields[PHASE].value);
	check_names(r, request, "\" in a request.", fields, MEMBERS);
	phase->op = take_text(r, "op", fields[OP].value);
	phase->flow = take_text(r, "flow", fields[FLOW].value);
	phase->type = take_text(r, "type", fields[TYPE].value);
	if (phase->type.p == NULL)
		phase->type = SPAN("agent");
	phase->model = take_text(r, "model", fields[MODEL].value);
	phase->run_id = take_text(r, "runId", fields[RUN_ID].value);
	take_cwd(r, fields[CWD].value, cwd);
	take_parts(r, fields + FIRST_PART);
	take_cache(r, fields[CACHE].value);
	take_context(r, fields[CONTEXT].value);
	phase->effects = take_flag(r, "effects", fields[EFFECTS].value);
	phase->no_cache = take_flag(r, "noCache", fields[NO_CACHE].value);
	phase->explain = take_flag(r, "explain", fields[EXPLAIN].value);
	phase->status = take_text(r, "status", fields[STATUS].value);
	phase->output = take_result(r, fields[OUTPUT].value);
	phase->json = fields[JSON].value;
	phase->key = take_text(r, "key", fields[KEY].value);
	check(r);
}

const char *
phase_read(struct arena *arena, struct span request, struct span cwd,
    struct phase *phase)
{
	struct phase_reader r = {.arena = arena, .phase = phase};

	*phase = (struct phase){.scope = SCOPE_RUN_ONLY};
	if (!json_judge(arena, request, &r.doc))
		return "the request is not valid JSON in UTF-8.";
	request = json_trim(request);
	if (json_kind(request) != JSON_OBJECT)
		return "the request must be a JSON object.";
	take_request(&r, request, cwd);
	return r.fault;
}
