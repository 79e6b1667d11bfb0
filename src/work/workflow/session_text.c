#include "work/workflow/session_text.h"

#include <stdio.h>
#include <time.h>

#include "base/lines.h"
#include "base/scope.h"
#include "json/emit.h"
#include "json/json.h"

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

/* Read N digits at *P, which then points after them and after AFTER. */
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

/* The days of MONTH (1 to 12) of YEAR. */
static int
days_of(int year, int month)
{
	static const int days[] = {
	    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

/* The days from the beginning of 1970 to that of YEAR, which is not before. */
static int64_t
days_before(int year)
{
	int64_t past = year - 1;

	return past * 365 + past / 4 - past / 100 + past / 400 - 719162;
}

bool
session_time_parse(struct span text, uint64_t *ms)
{
	int year, month, day, hour, minute, second, thousandths;
	const char *p = text.p;
	int64_t days;

	if (text.n != TIME_TEXT - 1 || !take_digits(&p, 4, '-', &year) ||
	    !take_digits(&p, 2, '-', &month) ||
	    !take_digits(&p, 2, 'T', &day) || !take_digits(&p, 2, ':', &hour) ||
	    !take_digits(&p, 2, ':', &minute) ||
	    !take_digits(&p, 2, '.', &second) ||
	    !take_digits(&p, 3, 'Z', &thousandths))
		return false;
	/* No leap seconds: computers' clocks do not have them. */
	if (year < 1970 || month < 1 || month > 12 || day < 1 ||
	    day > days_of(year, month) || hour > 23 || minute > 59 ||
	    second > 59)
		return false;
	days = days_before(year) + day - 1;
	while (--month > 0)
		days += days_of(year, month);
	*ms = (uint64_t)(((days * 24 + hour) * 60 + minute) * 60 + second) *
		  1000 +
	      (uint64_t)thousandths;
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

/* The state of reading a text. */
struct session_reader {
	struct flow_session *session;
	struct arena *scratch;
	struct json_doc doc;
	struct span run, type; /* kept last: most nodes have the same */
};

static struct span
text_of(struct session_reader *r, struct span value)
{
	struct json_text text;

	return json_text(r->scratch, value, &text) ? text.text : SPAN("");
}

static struct span
keep(struct session_reader *r, struct span text)
{
	return (struct span){
	    arena_cstr(r->session->store->arena, text), text.n};
}

/* A copy of TEXT, or *LAST if it is the same. */
static struct span
keep_once(struct session_reader *r, struct span text, struct span *last)
{
	if (last->p == NULL || !span_eq(*last, text))
		*last = keep(r, text);
	return *last;
}

static struct span
keep_id(struct session_reader *r, struct span id)
{
	const struct session_node *known = session_find(r->session, id);

	return known != NULL ? known->id : keep(r, id);
}

static void
read_upstream(
    struct session_reader *r, struct span object, struct session_node *node)
{
	struct json_items members = json_members(&r->doc, object);
	struct span name, value;
	size_t n = 0;

	while (json_member(&members, &name, &value))
		n++;
	node->above = arena_array(
	    r->session->store->arena, n, sizeof(struct upstream));
	members = json_members(&r->doc, object);
	while (json_member(&members, &name, &value)) {
		struct upstream *above = &node->above[node->nabove];

		if (!digest_parse(text_of(r, value), &above->stamp))
			continue;
		above->id = keep_id(r, name);
		node->nabove++;
	}
}

/* Read one node.  False if it is not valid. */
static bool
read_node(
    struct session_reader *r, struct span object, struct session_node *node)
{
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

	json_pick(&r->doc, object, fields, MEMBERS);
	if (!digest_parse(text_of(r, fields[CONFIG].value), &node->config) ||
	    !digest_parse(text_of(r, fields[STAMP].value), &node->stamp) ||
	    !session_time_parse(
		text_of(r, fields[CACHED_AT].value), &node->cached_ms))
		return false;
	node->ending = ENDED_BADLY;
	if (json_text_is(fields[STATUS].value, SPAN("completed")))
		node->ending = ENDED_WELL;
	else if (json_text_is(fields[STATUS].value, SPAN("blocked")))
		node->ending = ENDED_BLOCKED;
	node->run = keep_once(r, text_of(r, fields[RUN].value), &r->run);
	node->key = keep(r, text_of(r, fields[KEY].value));
	node->type = keep_once(r, text_of(r, fields[TYPE].value), &r->type);
	node->error = keep(r, text_of(r, fields[ERROR].value));
	if (fields[TOOK].value.p != NULL)
		(void)number_parse(fields[TOOK].value, &node->took_ms);
	read_upstream(r, fields[UPSTREAM].value, node);
	return true;
}

/* Read all nodes of OBJECT, {"id":{...},...}. */
static void
read_nodes(struct session_reader *r, struct span object)
{
	struct json_items members = json_members(&r->doc, object);
	struct span id, value;

	while (json_member(&members, &id, &value)) {
		const struct session_node *known =
		    session_find(r->session, id);
		struct session_node node = {.id = SPAN("")};

		if ((known != NULL && known->changed) ||
		    !read_node(r, value, &node))
			continue;
		node.id = keep_id(r, id);
		*session_note(r->session, node.id) = node;
	}
}

static void
read_word(struct session_reader *r, struct span value)
{
	struct span word = text_of(r, value);

	if (word.n == JOURNAL_WORD)
		memcpy(r->session->journal, word.p, JOURNAL_WORD);
}

bool
session_read(
    struct flow_session *session, struct arena *scratch, struct span text)
{
	struct session_reader r = {.session = session, .scratch = scratch};
	struct json_field fields[] = {
	    {.name = SPAN("v")},
	    {.name = SPAN("created_at")},
	    {.name = SPAN("last_accessed")},
	    {.name = SPAN("nodes")},
	    {.name = SPAN("journal")},
	    {.name = SPAN("workflow_hash")},
	};
	uint64_t version;

	if (!json_judge(scratch, text, &r.doc))
		return false;
	json_pick(&r.doc, json_trim(text), fields, 6);
	if (fields[0].value.p == NULL ||
	    !number_parse(fields[0].value, &version) || version != VERSION)
		return false;
	(void)session_time_parse(
	    text_of(&r, fields[1].value), &session->created_ms);
	(void)session_time_parse(
	    text_of(&r, fields[2].value), &session->accessed_ms);
	read_word(&r, fields[4].value);
	(void)digest_parse(text_of(&r, fields[5].value), &session->saved);
	read_nodes(&r, fields[3].value);
	return true;
}

void
session_read_lines(
    struct flow_session *session, struct arena *scratch, struct span lines)
{
	struct session_reader r = {.session = session, .scratch = scratch};

	while (lines.n > 0) {
		struct span line = lines_take(&lines);

		if (json_judge(scratch, line, &r.doc))
			read_nodes(&r, json_trim(line));
	}
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

void
session_write_line(struct buf *lines, const struct session_node *node)
{
	buf_char(lines, '{');
	emit_string(lines, node->id);
	buf_char(lines, ':');
	write_node(lines, node);
	buf_str(lines, "}\n");
}

struct span
session_write(const struct flow_session *session, struct arena *arena)
{
	struct buf out = buf_new(arena, 512 * session->n + 512);

	buf_char(&out, '{');
	emit_number_member(&out, "v", VERSION);
	emit_string_member(&out, "workflow_path", session->source->path);
	write_digest(&out, "workflow_hash", &session->source->hash);
	write_time(&out, "created_at", session->created_ms);
	write_time(&out, "last_accessed", session->accessed_ms);
	emit_string_member(&out, "journal", span_str(session->journal));
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
