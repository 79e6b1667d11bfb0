#include "workflow/session_text.h"

#include <stdio.h>
#include <time.h>

#include "base/scope.h"
#include "wire/emit.h"
#include "wire/json.h"

#define VERSION 1

static const char ending_names[][10] = {
    [ENDED_WELL] = "completed",
    [ENDED_BADLY] = "failed",
    [ENDED_BLOCKED] = "blocked",
};

/* ---- times ---- */

enum { TIME_TEXT = sizeof("2026-11-17T03:04:05.678Z") };

void
session_time_write(struct buf *buf, uint64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	char text[TIME_TEXT + 8];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) == NULL)
		return;
	(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	buf_str(buf, text);
	(void)snprintf(text, sizeof(text), ".%03uZ", (unsigned)(ms % 1000));
	buf_str(buf, text);
}

/* Two to four digits at *P, which moves behind them and AFTER. */
static bool
take_digits(const char **p, size_t n, char after, int *number)
{
	*number = 0;
	for (; n > 0; n--, ++*p) {
		if (**p < '0' || **p > '9')
			return false;
		*number = *number * 10 + (**p - '0');
	}
	return *(*p)++ == after;
}

bool
session_time_parse(struct span text, uint64_t *ms)
{
	const char *p = text.p;
	struct tm tm = {.tm_isdst = 0};
	int thousandths;
	time_t seconds;

	if (text.n != TIME_TEXT - 1 || !take_digits(&p, 4, '-', &tm.tm_year) ||
	    !take_digits(&p, 2, '-', &tm.tm_mon) ||
	    !take_digits(&p, 2, 'T', &tm.tm_mday) ||
	    !take_digits(&p, 2, ':', &tm.tm_hour) ||
	    !take_digits(&p, 2, ':', &tm.tm_min) ||
	    !take_digits(&p, 2, '.', &tm.tm_sec) ||
	    !take_digits(&p, 3, 'Z', &thousandths))
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	seconds = timegm(&tm);
	if (seconds < 0)
		return false;
	*ms = (uint64_t)seconds * 1000 + (uint64_t)thousandths;
	return true;
}

/* ---- reading ---- */

enum {
	STATUS,
	CONFIG,
	STAMP,
	CACHED_AT,
	TOOK,
	RUN,
	KEY,
	TYPE,
	ERROR,
	UPSTREAM,
	MEMBERS
};

static struct span
text_of(struct arena *arena, struct span value)
{
	struct json_text text;

	return json_text(arena, value, &text) ? text.text : SPAN("");
}

static void
read_upstream(struct session *session, const struct json_doc *doc,
    struct span object, struct session_node *node)
{
	struct arena *arena = session->store->arena;
	struct json_items members = json_members(doc, object);
	struct span name, value;
	size_t n = 0;

	while (json_member(&members, &name, &value))
		n++;
	node->above = arena_array(arena, n, sizeof(struct upstream));
	members = json_members(doc, object);
	while (json_member(&members, &name, &value)) {
		struct upstream *above = &node->above[node->nabove];

		above->id = name;
		if (digest_parse(text_of(arena, value), &above->stamp))
			node->nabove++;
	}
}

/* False: nothing can be believed of it. */
static bool
read_node(struct session *session, const struct json_doc *doc,
    struct span object, struct session_node *node)
{
	struct arena *arena = session->store->arena;
	struct json_field fields[MEMBERS] = {
	    [STATUS] = {.name = SPAN("status")},
	    [CONFIG] = {.name = SPAN("config_hash")},
	    [STAMP] = {.name = SPAN("stamp")},
	    [CACHED_AT] = {.name = SPAN("cached_at")},
	    [TOOK] = {.name = SPAN("execution_time_ms")},
	    [RUN] = {.name = SPAN("run")},
	    [KEY] = {.name = SPAN("record")},
	    [TYPE] = {.name = SPAN("type")},
	    [ERROR] = {.name = SPAN("error")},
	    [UPSTREAM] = {.name = SPAN("upstream")},
	};

	json_pick(doc, object, fields, MEMBERS);
	node->ending = ENDED_BADLY;
	if (json_text_is(fields[STATUS].value, SPAN("completed")))
		node->ending = ENDED_WELL;
	else if (json_text_is(fields[STATUS].value, SPAN("blocked")))
		node->ending = ENDED_BLOCKED;
	node->run = text_of(arena, fields[RUN].value);
	node->key = text_of(arena, fields[KEY].value);
	node->type = text_of(arena, fields[TYPE].value);
	node->error = text_of(arena, fields[ERROR].value);
	if (fields[TOOK].value.p != NULL)
		(void)number_parse(fields[TOOK].value, &node->took_ms);
	read_upstream(session, doc, fields[UPSTREAM].value, node);
	return digest_parse(
		   text_of(arena, fields[CONFIG].value), &node->config) &&
	       digest_parse(
		   text_of(arena, fields[STAMP].value), &node->stamp) &&
	       session_time_parse(
		   text_of(arena, fields[CACHED_AT].value), &node->cached_ms);
}

bool
session_read(struct session *session, struct span text)
{
	struct json_field fields[] = {
	    {.name = SPAN("v")},
	    {.name = SPAN("created_at")},
	    {.name = SPAN("last_accessed")},
	    {.name = SPAN("nodes")},
	};
	struct arena *arena = session->store->arena;
	struct json_items members;
	struct json_doc doc;
	struct span id, value;
	uint64_t version;

	if (!json_judge(arena, text, &doc))
		return false;
	json_pick(&doc, json_trim(text), fields, 4);
	if (fields[0].value.p == NULL ||
	    !number_parse(fields[0].value, &version) || version != VERSION)
		return false;
	(void)session_time_parse(
	    text_of(arena, fields[1].value), &session->created_ms);
	(void)session_time_parse(
	    text_of(arena, fields[2].value), &session->accessed_ms);
	members = json_members(&doc, fields[3].value);
	while (json_member(&members, &id, &value)) {
		struct session_node node = {.id = id}, *there;

		if (!read_node(session, &doc, value, &node))
			continue;
		there = session_note(session, id);
		if (!there->changed)
			*there = node;
	}
	return true;
}

/* ---- writing ---- */

static void
write_digest(struct buf *out, const char *name, const struct digest *digest)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(digest, hex);
	emit_string_member(out, name, (struct span){hex, DIGEST_HEX});
}

static void
write_time(struct buf *out, const char *name, uint64_t ms)
{
	emit_name(out, name);
	buf_char(out, '"');
	session_time_write(out, ms);
	buf_char(out, '"');
}

static void
write_node(struct buf *out, const struct session_node *node)
{
	buf_char(out, '{');
	emit_string_member(out, "type", node->type);
	write_digest(out, "config_hash", &node->config);
	emit_string_member(out, "status", span_str(ending_names[node->ending]));
	write_time(out, "cached_at", node->cached_ms);
	emit_number_member(out, "execution_time_ms", node->took_ms);
	emit_string_member(out, "run", node->run);
	if (node->key.n > 0)
		emit_string_member(out, "record", node->key);
	write_digest(out, "stamp", &node->stamp);
	if (node->nabove > 0) {
		emit_name(out, "upstream");
		buf_char(out, '{');
		for (size_t i = 0; i < node->nabove; i++) {
			char hex[DIGEST_HEX + 1];

			digest_hex(&node->above[i].stamp, hex);
			buf_str(out, i > 0 ? "," : "");
			emit_string(out, node->above[i].id);
			buf_char(out, ':');
			emit_string(out, (struct span){hex, DIGEST_HEX});
		}
		buf_char(out, '}');
	}
	if (node->error.n > 0)
		emit_string_member(out, "error", node->error);
	buf_char(out, '}');
}

struct span
session_write(const struct session *session)
{
	struct buf out = buf_new(session->store->arena, 512 * session->n + 512);

	buf_char(&out, '{');
	emit_number_member(&out, "v", VERSION);
	emit_string_member(&out, "workflow_path", session->source->path);
	write_digest(&out, "workflow_hash", &session->source->hash);
	write_time(&out, "created_at", session->created_ms);
	write_time(&out, "last_accessed", session->accessed_ms);
	emit_name(&out, "nodes");
	buf_char(&out, '{');
	for (size_t i = 0; i < session->n; i++) {
		buf_str(&out, i > 0 ? ",\n" : "\n");
		emit_string(&out, session->nodes[i].id);
		buf_char(&out, ':');
		write_node(&out, &session->nodes[i]);
	}
	buf_str(&out, "}}\n");
	return buf_span(&out);
}
