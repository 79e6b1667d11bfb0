#include "config/settings.h"

#include "json/json.h"
#include "json/tree.h"

#define PATTERNS_MAX 256
#define PATTERN_BYTES 1024

/* What all functions here need, and what they fill in. */
struct settings_reader {
	struct arena *arena;
	struct json_doc doc;
	struct span file;
	struct remarks *remarks;
	struct settings *settings;
};

static void
remark(struct settings_reader *r, const char *sentence)
{
	remark_add(r->arena, r->remarks, r->file, span_str(sentence));
}

static void
read_policy(struct settings_reader *r, struct span value)
{
	struct settings *s = r->settings;

	if (json_missing(value))
		return;
	for (int p = 0; p < POLICY_COUNT && !s->has_policy; p++) {
		s->policy = (enum policy)p;
		s->has_policy =
		    json_text_is(value, span_str(policy_name(s->policy)));
	}
	if (!s->has_policy)
		remark(r, "\"policy\" must be \"strict\", \"coverage\" or "
			  "\"pieces\"; it is ignored.");
}

bool
settings_bind(struct span text, enum config_bind *bind)
{
	*bind = span_eq(text, SPAN("tool_result")) ? BIND_TOOL_RESULT
						   : BIND_OVERRIDE;
	return *bind == BIND_TOOL_RESULT || span_eq(text, SPAN("override"));
}

static void
read_bind(struct settings_reader *r, struct span value)
{
	struct settings *s = r->settings;
	struct span text;

	if (json_missing(value))
		return;
	s->has_bind =
	    json_clean(r->arena, value, &text) && settings_bind(text, &s->bind);
	if (!s->has_bind)
		remark(r, "\"bind\" must be \"override\" or \"tool_result\"; "
			  "it is ignored.");
}

static void
read_store(struct settings_reader *r, struct span value)
{
	struct settings *s = r->settings;

	if (json_missing(value))
		return;
	s->has_store = json_clean(r->arena, value, &s->store) &&
		       (span_starts(s->store, SPAN("/")) ||
			   span_starts(s->store, SPAN("~/")));
	if (!s->has_store)
		remark(r, "\"store\" must be an absolute path, or one that "
			  "begins with \"~/\"; it is ignored.");
}

static void
read_limit(
    struct settings_reader *r, enum config_limit limit, struct span value)
{
	struct settings *s = r->settings;
	struct buf sentence;

	if (json_missing(value))
		return;
	s->has_limit[limit] =
	    json_kind(value) == JSON_NUMBER &&
	    tree_number(tree_parse(r->arena, value), &s->limits[limit]);
	if (s->has_limit[limit])
		return;
	sentence = buf_new(r->arena, 128);
	remark_quote(&sentence, span_str(config_limit_name(limit)));
	buf_str(&sentence, " must be a whole number, 0 or more; it is "
			   "ignored.");
	remark_add(r->arena, r->remarks, r->file, buf_span(&sentence));
}

static void
read_work(
    struct settings_reader *r, enum config_work setting, struct span value)
{
	struct buf sentence;
	struct span text;

	if (json_missing(value))
		return;
	if (json_clean(r->arena, value, &text) &&
	    config_work_valid(setting, text)) {
		r->settings->work[setting] = text;
		return;
	}
	sentence = buf_new(r->arena, 128);
	remark_quote(&sentence, span_str(config_work_name(setting)));
	buf_str(&sentence, " must be ");
	buf_str(&sentence, config_work_wants(setting));
	buf_str(&sentence, "; it is ignored.");
	remark_add(r->arena, r->remarks, r->file, buf_span(&sentence));
}

/* Why TEXT is not a pattern; NULL if it is one. */
static const char *
pattern_fault(struct span text)
{
	if (text.n == 0)
		return "an empty pattern in \"exclude\" matches nothing; it is "
		       "ignored.";
	if (text.n > PATTERN_BYTES)
		return "a pattern in \"exclude\" is longer than 1024 bytes; it "
		       "is ignored.";
	if (text.p[0] == '!')
		return "a pattern in \"exclude\" begins with \"!\", but "
		       "excluding cannot be undone; it is ignored.";
	return NULL;
}

static void
read_pattern(struct settings_reader *r, struct span value)
{
	struct settings *s = r->settings;
	const char *fault;
	struct span text;

	if (!json_clean(r->arena, value, &text)) {
		remark(r, "something in \"exclude\" is not a string; it is "
			  "ignored.");
		s->exclude_lost = true;
		return;
	}
	fault = pattern_fault(text);
	if (fault == NULL) {
		s->exclude[s->nexclude++] = text;
		return;
	}
	remark(r, fault);
	s->exclude_lost = text.n > PATTERN_BYTES || s->exclude_lost;
}

static void
read_exclude(struct settings_reader *r, struct span value)
{
	struct json_items items = json_items(&r->doc, value);
	struct span item;
	size_t n = 0;

	if (json_missing(value))
		return;
	if (json_kind(value) != JSON_ARRAY) {
		remark(r, "\"exclude\" must be an array of patterns; it is "
			  "ignored.");
		r->settings->exclude_lost = true;
		return;
	}
	while (n <= PATTERNS_MAX && json_next(&items, &item))
		n++;
	r->settings->exclude_lost = n > PATTERNS_MAX;
	if (n > PATTERNS_MAX)
		remark(r, "\"exclude\" has more than 256 patterns; those "
			  "after them are ignored.");
	r->settings->exclude = arena_array(r->arena, n, sizeof(struct span));
	items = json_items(&r->doc, value);
	for (; n > 0 && r->settings->nexclude < PATTERNS_MAX; n--)
		if (json_next(&items, &item))
			read_pattern(r, item);
}

static void
remark_unknown(struct settings_reader *r, const char *before, struct span name)
{
	struct buf sentence = buf_new(r->arena, 160);
	struct buf full = buf_new(r->arena, 160);

	buf_str(&full, before);
	buf_add(&full, name);
	remark_quote(&sentence, buf_span(&full));
	buf_str(&sentence, " is not a setting; it is ignored.");
	remark_add(r->arena, r->remarks, r->file, buf_span(&sentence));
}

/* Make a remark for each member of OBJECT that is not one of the N FIELDS. */
static void
find_unknown(struct settings_reader *r, const char *before, struct span object,
    const struct json_field *fields, size_t n)
{
	struct json_items members = json_members(&r->doc, object);
	struct span name, value;
	bool known;

	while (json_member(&members, &name, &value)) {
		known = false;
		for (size_t i = 0; i < n && !known; i++)
			known = span_eq(name, fields[i].name);
		if (!known)
			remark_unknown(r, before, name);
	}
}

static void
read_diff(struct settings_reader *r, struct span value)
{
	struct json_field fields[] = {
	    {.name = SPAN("maxBytes")},
	    {.name = SPAN("maxLines")},
	};

	if (json_missing(value))
		return;
	if (json_kind(value) != JSON_OBJECT) {
		remark(r, "\"diff\" must be an object with \"maxBytes\" and "
			  "\"maxLines\"; it is ignored.");
		return;
	}
	json_pick(&r->doc, value, fields, 2);
	read_limit(r, LIMIT_DIFF_BYTES, fields[0].value);
	read_limit(r, LIMIT_DIFF_LINES, fields[1].value);
	find_unknown(r, "diff.", value, fields, 2);
}

static void
read_all(struct settings_reader *r, struct span object)
{
	enum {
		POLICY,
		EXCLUDE,
		DIFF,
		STORE,
		STORE_BYTES,
		STORE_DAYS,
		BIND,
		REPEAT,
		WORK, /* those of the work cache, in the order of config_work */
		COUNT = WORK + WORK_SETTINGS
	};
	struct json_field f[COUNT] = {
	    [POLICY] = {.name = SPAN("policy")},
	    [EXCLUDE] = {.name = SPAN("exclude")},
	    [DIFF] = {.name = SPAN("diff")},
	    [STORE] = {.name = SPAN("store")},
	    [STORE_BYTES] = {.name = SPAN("storeMaxBytes")},
	    [STORE_DAYS] = {.name = SPAN("storeMaxAgeDays")},
	    [BIND] = {.name = SPAN("bind")},
	    [REPEAT] = {.name = SPAN("repeat")},
	};

	for (int i = 0; i < WORK_SETTINGS; i++)
		f[WORK + i].name =
		    span_str(config_work_name((enum config_work)i));
	json_pick(&r->doc, object, f, COUNT);
	read_policy(r, f[POLICY].value);
	read_exclude(r, f[EXCLUDE].value);
	read_diff(r, f[DIFF].value);
	read_store(r, f[STORE].value);
	read_limit(r, LIMIT_STORE_BYTES, f[STORE_BYTES].value);
	read_bind(r, f[BIND].value);
	read_limit(r, LIMIT_REPEAT, f[REPEAT].value);
	read_limit(r, LIMIT_STORE_DAYS, f[STORE_DAYS].value);
	for (int i = 0; i < WORK_SETTINGS; i++)
		read_work(r, (enum config_work)i, f[WORK + i].value);
	find_unknown(r, "", object, f, COUNT);
}

bool
settings_parse(struct arena *arena, struct span text, struct span file,
    struct remarks *remarks, struct settings *settings)
{
	struct settings_reader r = {
	    arena, json_doc(arena), file, remarks, settings};

	*settings = (struct settings){.store = SPAN("")};
	if (!json_judge(arena, text, &r.doc)) {
		remark(&r, "it is not valid JSON; it is ignored.");
		return false;
	}
	text = json_trim(text);
	if (json_kind(text) != JSON_OBJECT) {
		remark(&r, "it is no JSON object; it is ignored.");
		return false;
	}
	read_all(&r, text);
	return true;
}
