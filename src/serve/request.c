#include "serve/request.h"

#include <stdlib.h>

#include "base/scope.h"
#include "json/json.h"
#include "serve/memory.h"

enum {
	F_V,
	F_ID,
	F_OP,
	F_CWD,
	F_TOOL_CALL_ID,
	F_NESTED,
	F_PARAMS,
	F_SESSION,
	F_OVERLAY,
	F_POLICY,
	F_STORE,
	F_DELIVERED,
	F_METADATA,
	F_COUNT
};

static bool
get_absolute(struct arena *arena, struct span value, struct span *path)
{
	return json_clean(arena, value, path) && path->n > 0 &&
	    path->p[0] == '/';
}

static bool
get_flag(struct span value, bool *flag)
{
	enum json_kind kind = json_kind(value);

	*flag = kind == JSON_TRUE;
	return kind == JSON_TRUE || kind == JSON_FALSE || json_missing(value);
}

static struct arg
get_arg(struct arena *arena, struct span value)
{
	double number;

	if (json_missing(value))
		return (struct arg){ARG_ABSENT, 0};
	if (json_kind(value) != JSON_NUMBER)
		return (struct arg){ARG_OTHER, 0};
	number = strtod(arena_cstr(arena, value), NULL);
	if (!(number >= 1) || number > (double)NUMBER_MAX ||
	    number != (double)(uint64_t)number)
		return (struct arg){ARG_OTHER, 0};
	return (struct arg){ARG_NUMBER, (uint64_t)number};
}

static const char *
parse_params(const struct json_doc *doc, struct span params,
    struct request *request)
{
	struct arena *arena = doc->arena;
	enum { PATH, OFFSET, LIMIT, BYPASS, COUNT };
	struct json_field f[COUNT] = {
		[PATH] = {.name = SPAN("path")},
		[OFFSET] = {.name = SPAN("offset")},
		[LIMIT] = {.name = SPAN("limit")},
		[BYPASS] = {.name = SPAN("bypass_cache")},
	};
	struct json_text path;

	if (request->op == OP_STATUS || request->op == OP_EXPAND)
		return NULL;
	if (json_kind(params) != JSON_OBJECT)
		return "params must be an object with a path.";
	json_pick(doc, params, f, COUNT);
	if (!json_text(arena, f[PATH].value, &path))
		return "params.path must be a string.";
	request->path = path.text;
	request->path_has_lone = path.lone;
	request->offset = get_arg(arena, f[OFFSET].value);
	request->limit = get_arg(arena, f[LIMIT].value);
	if (!get_flag(f[BYPASS].value, &request->bypass))
		return "params.bypass_cache must be true or false.";
	return NULL;
}

static const char *
parse_leaf(struct arena *arena, struct span value, struct session *session)
{
	enum json_kind kind = json_kind(value);
	struct json_text id;

	session->leaf = LEAF_ID;
	if (kind == JSON_ABSENT)
		session->leaf = LEAF_ABSENT;
	else if (kind == JSON_NULL)
		session->leaf = LEAF_EMPTY;
	else if (json_text(arena, value, &id))
		session->leaf_id = id.text;
	else
		return "session.leafId must be a string or null.";
	return NULL;
}

/* Parsed after the other members, because it needs them. */
static const char *
parse_after(struct arena *arena, struct span value, struct session *session)
{
	struct json_text after;

	if (json_missing(value))
		return NULL;
	if (!json_text(arena, value, &after) || after.text.n == 0)
		return "session.after must be the id of an entry.";
	if (session->source != SESSION_ENTRIES || session->id.n == 0 ||
	    session->leaf != LEAF_ID)
		return "session.after needs session.id, session.entries and "
		       "session.leafId.";
	session->after = after.text;
	return NULL;
}

/* Where calls were made; null stands for a directory that is not known. */
static const char *
parse_dirs(const struct json_doc *doc, struct span value,
    struct session *session)
{
	static const char wrong[] =
	    "session.dirs must be an array of absolute paths or null.";
	struct json_items items = json_items(doc, value);
	struct span item, dir;

	if (json_missing(value))
		return NULL;
	if (json_kind(value) != JSON_ARRAY)
		return wrong;
	while (json_next(&items, &item)) {
		if (json_missing(item))
			session->dirs.untold = true;
		else if (get_absolute(doc->arena, item, &dir))
			dirs_add(&session->dirs, doc->arena, dir);
		else
			return wrong;
	}
	return NULL;
}

static const char *
parse_session(const struct json_doc *doc, struct span value,
    struct session *session)
{
	struct arena *arena = doc->arena;
	enum { ID, ENTRIES, AFTER, FILE_NAME, LEAF, DIRS, COUNT };
	struct json_field f[COUNT] = {
		[ID] = {.name = SPAN("id")},
		[ENTRIES] = {.name = SPAN("entries")},
		[AFTER] = {.name = SPAN("after")},
		[FILE_NAME] = {.name = SPAN("file")},
		[LEAF] = {.name = SPAN("leafId")},
		[DIRS] = {.name = SPAN("dirs")},
	};

	struct json_text id = {SPAN(""), false};
	const char *error;

	if (json_missing(value))
		return NULL;
	if (json_kind(value) != JSON_OBJECT)
		return "session must be an object.";
	json_pick(doc, value, f, COUNT);
	if (!json_missing(f[ID].value) &&
	    !json_text(arena, f[ID].value, &id))
		return "session.id must be a string.";
	session->id = id.text;
	if (!json_missing(f[ENTRIES].value) &&
	    !json_missing(f[FILE_NAME].value))
		return "session must have entries or file, not both.";
	if (!json_missing(f[ENTRIES].value)) {
		session->source = SESSION_ENTRIES;
		session->entries = f[ENTRIES].value;
		if (json_kind(session->entries) != JSON_ARRAY)
			return "session.entries must be an array.";
	} else if (!json_missing(f[FILE_NAME].value)) {
		session->source = SESSION_FILE;
		if (!get_absolute(arena, f[FILE_NAME].value, &session->file))
			return "session.file must be an absolute path.";
	}
	error = parse_leaf(arena, f[LEAF].value, session);
	if (error == NULL)
		error = parse_dirs(doc, f[DIRS].value, session);
	return error != NULL ? error
			     : parse_after(arena, f[AFTER].value, session);
}

static bool
parse_op(struct arena *arena, struct span value, enum op *op)
{
	static const char *const names[] = {
		[OP_READ] = "read",
		[OP_REFRESH] = "refresh",
		[OP_STATUS] = "status",
		[OP_EXPAND] = "expand",
	};
	struct span name;

	if (!json_clean(arena, value, &name))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (span_eq(name, span_str(names[i]))) {
			*op = (enum op)i;
			return true;
		}
	}
	return false;
}

static bool
parse_policy(struct arena *arena, struct span value, struct request *request)
{
	struct span name;

	request->policy = POLICY_STRICT;
	request->has_policy = !json_missing(value);
	if (!request->has_policy)
		return true;
	return json_clean(arena, value, &name) &&
	    policy_parse(name, &request->policy);
}

/* The members other than params and session. */
static const char *
parse_head(struct arena *arena, const struct json_field *f,
    struct request *request)
{
	struct json_text call_id = {SPAN(""), false};
	struct span text;
	struct arg v = get_arg(arena, f[F_V].value);

	if (v.kind != ARG_NUMBER || v.number != 1)
		return "v must be 1, the protocol version.";
	if (!parse_op(arena, f[F_OP].value, &request->op))
		return "op must be \"read\", \"refresh\", \"status\" or "
		       "\"expand\".";
	if (!get_absolute(arena, f[F_CWD].value, &request->cwd))
		return "cwd must be an absolute path.";
	if (!json_missing(f[F_TOOL_CALL_ID].value) &&
	    !json_text(arena, f[F_TOOL_CALL_ID].value, &call_id))
		return "toolCallId must be a string.";
	request->call_id = call_id.text;
	request->metadata = f[F_METADATA].value;
	if (request->op == OP_EXPAND &&
	    json_kind(request->metadata) != JSON_OBJECT)
		return "metadata must be that of a read, an object.";
	if (!get_flag(f[F_NESTED].value, &request->nested))
		return "nested must be true or false.";
	if (!parse_policy(arena, f[F_POLICY].value, request))
		return "policy must be \"strict\", \"coverage\" or "
		       "\"pieces\".";
	request->has_delivered = !json_missing(f[F_DELIVERED].value);
	if (request->has_delivered &&
	    (!json_clean(arena, f[F_DELIVERED].value, &text) ||
		!digest_parse(text, &request->delivered)))
		return "delivered must be a sha256 of 64 lowercase digits.";
	request->store = SPAN("");
	if (!json_missing(f[F_STORE].value) &&
	    !get_absolute(arena, f[F_STORE].value, &request->store))
		return "store must be an absolute path.";
	return NULL;
}

static const char *
parse_object(const struct json_doc *doc, struct span text,
    struct request *request)
{
	struct arena *arena = doc->arena;
	struct json_field f[F_COUNT] = {
		[F_V] = {.name = SPAN("v")},
		[F_ID] = {.name = SPAN("id")},
		[F_OP] = {.name = SPAN("op")},
		[F_CWD] = {.name = SPAN("cwd")},
		[F_TOOL_CALL_ID] = {.name = SPAN("toolCallId")},
		[F_NESTED] = {.name = SPAN("nested")},
		[F_PARAMS] = {.name = SPAN("params")},
		[F_SESSION] = {.name = SPAN("session")},
		[F_OVERLAY] = {.name = SPAN("overlay")},
		[F_POLICY] = {.name = SPAN("policy")},
		[F_STORE] = {.name = SPAN("store")},
		[F_DELIVERED] = {.name = SPAN("delivered")},
		[F_METADATA] = {.name = SPAN("metadata")},
	};
	const char *error;

	json_pick(doc, text, f, F_COUNT);
	if (json_kind(f[F_ID].value) != JSON_ABSENT)
		request->id = json_compact(arena, f[F_ID].value);
	error = parse_head(arena, f, request);
	if (error == NULL)
		error = parse_params(doc, f[F_PARAMS].value, request);
	if (error == NULL)
		error = parse_session(doc, f[F_SESSION].value,
		    &request->session);
	if (error != NULL)
		return error;
	request->session.doc = doc;
	if (json_missing(f[F_OVERLAY].value))
		return NULL;
	request->session.overlay = f[F_OVERLAY].value;
	return json_kind(request->session.overlay) == JSON_ARRAY
	    ? NULL
	    : "overlay must be an array.";
}

bool
request_parse(struct arena *arena, struct memory *memory, struct span text,
    struct request *request, const char **error)
{
	struct span known = memory != NULL ? memory_known(memory) : SPAN("");

	*request = (struct request){.id = SPAN("")};
	request->session.memory = memory;
	text = json_trim(text);
	if (text.n == 0)
		*error = "the request is empty: one JSON object is expected.";
	else if (!json_judge_known(arena, text, known, &request->doc))
		*error = "the request is not one JSON value in UTF-8.";
	else if (json_kind(text) != JSON_OBJECT)
		*error = "the request must be a JSON object.";
	else
		*error = parse_object(&request->doc, text, request);
	return *error == NULL;
}
