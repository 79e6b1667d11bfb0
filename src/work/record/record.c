#include "work/record/record.h"

#include "base/base64.h"
#include "json/emit.h"
#include "json/json.h"
#include "json/tree.h"
#include "work/key/key.h"

enum { KEY_MIN = 8, RECORD_VERSION = 1 };

bool
record_key_valid(struct span key)
{
	return key.n >= KEY_MIN && key.n <= DIGEST_HEX &&
	       digest_is_hex(key, key.n);
}

static void
sum_part(struct key *key, const char *name, struct span part)
{
	if (part.p != NULL)
		key_add(key, name, part);
}

/* A sum over all that a reuse gives back, so that a flipped bit is seen. */
static struct digest
record_sum(const struct record *record)
{
	struct key key;

	key_begin(&key, "record", RECORD_VERSION);
	sum_part(&key, "value", record->value);
	sum_part(&key, "stderr", record->errors);
	sum_part(&key, "order", record->order);
	sum_part(&key, "json", record->json);
	sum_part(&key, "model", record->model);
	sum_part(&key, "outs", record->outs);
	sum_part(&key, "status", record->status);
	if (record->exited)
		key_add_number(&key, "exit", record->exit);
	key_add_number(&key, "createdAt", record->life.created_ms);
	key_add_number(&key, "ttl_ms", record->life.ttl_ms);
	return key_end(&key);
}

/* ---- writing ---- */

/* Write text as it is, and other bytes as base64 with a member that says so. */
static void
emit_bytes(
    struct buf *out, const char *name, const char *encoding, struct span bytes)
{
	if (!emit_bytes_member(out, name, name, bytes))
		emit_string_member(out, encoding, SPAN("base64"));
}

static void
emit_set(struct buf *out, const char *name, struct span text)
{
	if (text.p != NULL)
		emit_string_member(out, name, text);
}

static void
emit_raw(struct buf *out, const char *name, struct span json)
{
	if (json.p == NULL)
		return;
	emit_name(out, name);
	buf_add(out, json);
}

/* As it will be read back: the sum is made over that. */
static struct span
compact(struct arena *arena, struct span json)
{
	return json.p != NULL ? json_compact(arena, json) : json;
}

struct span
record_write(struct arena *arena, const struct record *given)
{
	struct record whole = *given;
	const struct record *record = &whole;
	/*
	 * Room for half as much again: base64 needs a third, escapes need
	 * some.
	 */
	struct buf out =
	    buf_new(arena, record->value.n + record->value.n / 2 + 1024);
	struct digest sum;
	char hex[DIGEST_HEX + 1];

	whole.json = compact(arena, whole.json);
	whole.outs = compact(arena, whole.outs);
	whole.inputs = compact(arena, whole.inputs);
	sum = record_sum(record);

	buf_char(&out, '{');
	emit_bytes(&out, "value", "encoding", record->value);
	emit_number_member(&out, "expires_at", record->life.expires_at);
	emit_number_member(&out, "v", RECORD_VERSION);
	emit_set(&out, "key", record->key);
	emit_number_member(&out, "createdAt", record->life.created_ms);
	if (record->life.ttl_ms != 0)
		emit_number_member(&out, "ttl_ms", record->life.ttl_ms);
	emit_set(&out, "kind", record->kind);
	emit_set(&out, "status", record->status);
	if (record->exited)
		emit_number_member(&out, "exit", record->exit);
	if (record->errors.p != NULL)
		emit_bytes(&out, "stderr", "stderr_encoding", record->errors);
	emit_set(&out, "order", record->order);
	emit_raw(&out, "json", record->json);
	emit_set(&out, "model", record->model);
	emit_raw(&out, "outs", record->outs);
	emit_raw(&out, "inputs", record->inputs);
	emit_set(&out, "flow", record->flow);
	emit_set(&out, "phase", record->phase);
	emit_set(&out, "runId", record->run_id);
	emit_set(&out, "creator", record->creator);
	emit_set(&out, "toolVersion", record->tool_version);
	digest_hex(&sum, hex);
	emit_string_member(&out, "sum", span_str(hex));
	buf_str(&out, "}\n");
	return buf_span(&out);
}

/* ---- reading ---- */

struct record_reader {
	struct arena *arena;
	bool sound; /* nothing was wrong so far */
};

/* A string; p is NULL if absent or null.  Anything else is wrong. */
static struct span
take_text(struct record_reader *r, struct span value)
{
	struct json_text text = {{NULL, 0}, false};
	enum json_kind kind = json_kind(value);

	if (kind == JSON_ABSENT || kind == JSON_NULL)
		return text.text;
	if (!json_text(r->arena, value, &text) || text.lone)
		r->sound = false;
	return text.text;
}

static uint64_t
take_number(struct record_reader *r, struct span value)
{
	uint64_t number = 0;

	if (json_kind(value) != JSON_ABSENT &&
	    (json_kind(value) != JSON_NUMBER ||
		!tree_number(tree_parse(r->arena, value), &number)))
		r->sound = false;
	return number;
}

static struct span
take_bytes(struct record_reader *r, struct span value, struct span encoding)
{
	struct span text = take_text(r, value);

	if (json_kind(encoding) == JSON_ABSENT || text.p == NULL)
		return text;
	if (!json_text_is(encoding, SPAN("base64")) ||
	    !base64_read(r->arena, text, &text))
		r->sound = false;
	return text;
}

/* Are the members "key" and "sum" right, where they are there? */
static bool
checks_itself(const struct record *record, struct span key, struct span sum)
{
	struct digest expected = record_sum(record);
	char hex[DIGEST_HEX + 1];

	if (record->key.p != NULL && !span_eq(record->key, key))
		return false;
	if (json_kind(sum) == JSON_ABSENT)
		return true;
	digest_hex(&expected, hex);
	return json_text_is(sum, span_str(hex));
}

/* The members in the order of the fields below. */
enum record_member {
	VALUE,
	ENCODING,
	EXPIRES_AT,
	KEY,
	CREATED_AT,
	TTL_MS,
	KIND,
	STATUS,
	EXIT,
	STDERR,
	STDERR_ENCODING,
	ORDER,
	JSON,
	MODEL,
	OUTS,
	INPUTS,
	FLOW,
	PHASE,
	RUN_ID,
	CREATOR,
	TOOL_VERSION,
	SUM,
	MEMBERS
};

static void
take_record(
    struct record_reader *r, const struct json_field *f, struct record *record)
{
	*record = (struct record){
	    .key = take_text(r, f[KEY].value),
	    .value = take_bytes(r, f[VALUE].value, f[ENCODING].value),
	    .life.expires_at = take_number(r, f[EXPIRES_AT].value),
	    .life.created_ms = take_number(r, f[CREATED_AT].value),
	    .life.ttl_ms = take_number(r, f[TTL_MS].value),
	    .kind = take_text(r, f[KIND].value),
	    .status = take_text(r, f[STATUS].value),
	    .exited = f[EXIT].value.p != NULL,
	    .exit = take_number(r, f[EXIT].value),
	    .errors = take_bytes(r, f[STDERR].value, f[STDERR_ENCODING].value),
	    .order = take_text(r, f[ORDER].value),
	    .json = compact(r->arena, f[JSON].value),
	    .model = take_text(r, f[MODEL].value),
	    .outs = compact(r->arena, f[OUTS].value),
	    .inputs = compact(r->arena, f[INPUTS].value),
	    .flow = take_text(r, f[FLOW].value),
	    .phase = take_text(r, f[PHASE].value),
	    .run_id = take_text(r, f[RUN_ID].value),
	    .creator = take_text(r, f[CREATOR].value),
	    .tool_version = take_text(r, f[TOOL_VERSION].value),
	};
}

static enum record_claim
claim_of(const struct json_field *f)
{
	if (json_kind(f[EXPIRES_AT].value) != JSON_NUMBER)
		return CLAIM_NONE;
	return json_kind(f[KEY].value) == JSON_STRING &&
		       json_kind(f[SUM].value) == JSON_STRING
		   ? CLAIM_OURS
		   : CLAIM_PLAIN;
}

bool
record_read(struct arena *arena, struct span key, struct span text,
    struct record *record)
{
	struct json_field fields[MEMBERS] = {
	    [VALUE] = {.name = SPAN("value")},
	    [ENCODING] = {.name = SPAN("encoding")},
	    [EXPIRES_AT] = {.name = SPAN("expires_at")},
	    [KEY] = {.name = SPAN("key")},
	    [CREATED_AT] = {.name = SPAN("createdAt")},
	    [TTL_MS] = {.name = SPAN("ttl_ms")},
	    [KIND] = {.name = SPAN("kind")},
	    [STATUS] = {.name = SPAN("status")},
	    [EXIT] = {.name = SPAN("exit")},
	    [STDERR] = {.name = SPAN("stderr")},
	    [STDERR_ENCODING] = {.name = SPAN("stderr_encoding")},
	    [ORDER] = {.name = SPAN("order")},
	    [JSON] = {.name = SPAN("json")},
	    [MODEL] = {.name = SPAN("model")},
	    [OUTS] = {.name = SPAN("outs")},
	    [INPUTS] = {.name = SPAN("inputs")},
	    [FLOW] = {.name = SPAN("flow")},
	    [PHASE] = {.name = SPAN("phase")},
	    [RUN_ID] = {.name = SPAN("runId")},
	    [CREATOR] = {.name = SPAN("creator")},
	    [TOOL_VERSION] = {.name = SPAN("toolVersion")},
	    [SUM] = {.name = SPAN("sum")},
	};
	struct record_reader reader = {arena, true};
	struct json_doc doc;

	if (!json_judge(arena, text, &doc) ||
	    json_kind(json_trim(text)) != JSON_OBJECT)
		return false;
	json_pick(&doc, json_trim(text), fields, MEMBERS);
	if (json_kind(fields[VALUE].value) != JSON_STRING)
		return false;
	take_record(&reader, fields, record);
	record->claim = claim_of(fields);
	return reader.sound && checks_itself(record, key, fields[SUM].value);
}
