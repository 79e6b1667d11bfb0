#include "meta/meta.h"

#include "base/hex.h"
#include "json/emit.h"
#include "json/json.h"
#include "json/tree.h"

/* Is its version 1? */
static bool
is_version_1(struct tree *tree)
{
	uint64_t v;

	return tree_number(tree_get(tree, "v"), &v) && v == 1;
}

static bool
get_text(struct tree *tree, const char *name, struct span *text)
{
	return tree_string(tree_get(tree, name), text) && text->n > 0;
}

static bool
get_path(struct tree *tree, const char *name, struct span *path)
{
	return get_text(tree, name, path) && path->p[0] == '/';
}

static bool
get_scope(struct tree *tree, struct scope *scope)
{
	struct span key;

	return get_text(tree, "scopeKey", &key) && scope_parse(key, scope);
}

/*
 * The members of a read's metadata.  They are found in one pass, because a
 * branch may have thousands of them.
 */
enum {
	M_V,
	M_PATH,
	M_NAME,
	M_SCOPE,
	M_SERVED,
	M_BASE,
	M_MODE,
	M_TOTAL,
	M_FIRST,
	M_LAST,
	M_BYTES,
	M_TEXT_HASH,
	M_TEXT_BYTES,
	M_PIECES,
	M_RESTS,
	M_CALLS,
	M_COUNT
};

struct members {
	struct arena *arena;
	struct json_field f[M_COUNT];
};

static bool
has(const struct members *m, int which)
{
	return m->f[which].value.p != NULL;
}

static bool
number_of(const struct members *m, int which, uint64_t *number)
{
	return tree_is_number(m->arena, m->f[which].value, number);
}

/* A text that is not empty. */
static bool
text_of(const struct members *m, int which, struct span *text)
{
	struct json_text decoded;

	if (!json_text(m->arena, m->f[which].value, &decoded))
		return false;
	*text = decoded.text;
	return text->n > 0;
}

static bool
path_of(const struct members *m, int which, struct span *path)
{
	return text_of(m, which, path) && path->p[0] == '/';
}

static bool
hash_of(const struct members *m, int which, struct digest *hash)
{
	struct span hex;

	return text_of(m, which, &hex) && digest_parse(hex, hash);
}

/* Does the scope agree with the line numbers next to it? */
static bool
lines_agree(const struct members *m, const struct meta *meta)
{
	const struct scope *scope = &meta->read.scope;
	uint64_t first, last;

	if (!number_of(m, M_FIRST, &first) || !number_of(m, M_LAST, &last))
		return false;
	if (scope->kind == SCOPE_FULL)
		return first == 1 && last >= 1 && last == meta->read.total;
	return first == scope->first && last == scope->last &&
	    last <= meta->read.total;
}

/* Fields that older sessions lack: absent is fine, wrong is not. */
static bool
get_newer_fields(const struct members *m, struct meta *meta)
{
	struct event *read = &meta->read;

	read->name = read->path;
	if (has(m, M_NAME) && !path_of(m, M_NAME, &read->name))
		return false;
	if (has(m, M_TEXT_HASH) &&
	    (!text_of(m, M_TEXT_HASH, &meta->text_hash) ||
		!digest_is_hex(meta->text_hash, META_TEXT_HASH)))
		return false;
	if (meta->text_hash.n > 0) {
		read->has_text_id = true;
		hex_read(meta->text_hash.p, TEXT_ID_BYTES,
		    read->text_id.bytes);
	}
	read->nameless = meta->text_hash.n == 0 && !has(m, M_NAME);
	read->has_text_bytes = has(m, M_TEXT_BYTES);
	return !read->has_text_bytes ||
	    number_of(m, M_TEXT_BYTES, &read->text_bytes);
}

static bool
get_rests(const struct members *m, struct event *read)
{
	struct rests *rests = arena_array(m->arena, 1, sizeof(*rests));
	struct json_doc doc = json_doc(m->arena);
	struct json_items items = json_items(&doc, m->f[M_RESTS].value);
	struct json_text id;
	struct span item;

	if (json_kind(m->f[M_RESTS].value) != JSON_ARRAY)
		return false;
	for (; json_next(&items, &item); rests->n++) {
		if (rests->n == RESTS_MAX ||
		    !json_text(m->arena, item, &id) ||
		    !digest_is_hex(id.text, META_TEXT_HASH))
			return false;
		hex_read(id.text.p, TEXT_ID_BYTES, rests->ids[rests->n].bytes);
	}
	read->rests = rests;
	return true;
}

static bool
get_calls(const struct members *m, struct event *read)
{
	struct span *calls;
	struct json_doc doc = json_doc(m->arena);
	struct json_items items = json_items(&doc, m->f[M_CALLS].value);
	struct json_text id;
	struct span item;

	if (!has(m, M_CALLS))
		return true;
	if (json_kind(m->f[M_CALLS].value) != JSON_ARRAY)
		return false;
	calls = arena_array(m->arena, OWN_CALLS_MAX, sizeof(*calls));
	for (; json_next(&items, &item); read->ncalls++) {
		if (read->ncalls == OWN_CALLS_MAX ||
		    !json_text(m->arena, item, &id) || id.text.n == 0)
			return false;
		calls[read->ncalls] = id.text;
	}
	read->calls = calls;
	return true;
}

/* A pieced answer must say what it rests on; of others it does not matter. */
static bool
get_pieces(const struct members *m, struct event *read)
{
	uint64_t pieces;

	if (!has(m, M_PIECES))
		return true;
	if (!number_of(m, M_PIECES, &pieces) || pieces == 0 ||
	    pieces > UINT16_MAX || !mode_is_compact(read->mode))
		return false;
	read->pieces = (uint16_t)pieces;
	return get_rests(m, read) && get_calls(m, read);
}

static bool
get_fields(const struct members *m, struct meta *meta)
{
	struct event *read = &meta->read;
	struct span mode, scope;
	uint64_t v;

	return number_of(m, M_V, &v) && v == 1 &&
	    path_of(m, M_PATH, &read->path) && text_of(m, M_SCOPE, &scope) &&
	    scope_parse(scope, &read->scope) &&
	    hash_of(m, M_SERVED, &read->served) && text_of(m, M_MODE, &mode) &&
	    mode_parse(mode, &read->mode) &&
	    number_of(m, M_TOTAL, &read->total) &&
	    number_of(m, M_BYTES, &read->bytes) && lines_agree(m, meta) &&
	    get_newer_fields(m, meta) && get_pieces(m, read);
}

bool
meta_parse(struct arena *arena, struct span value, struct meta *meta)
{
	struct members m = {
	    .arena = arena,
	    .f =
		{
		    [M_V] = {.name = SPAN("v")},
		    [M_PATH] = {.name = SPAN("pathKey")},
		    [M_NAME] = {.name = SPAN("name")},
		    [M_SCOPE] = {.name = SPAN("scopeKey")},
		    [M_SERVED] = {.name = SPAN("servedHash")},
		    [M_BASE] = {.name = SPAN("baseHash")},
		    [M_MODE] = {.name = SPAN("mode")},
		    [M_TOTAL] = {.name = SPAN("totalLines")},
		    [M_FIRST] = {.name = SPAN("rangeStart")},
		    [M_LAST] = {.name = SPAN("rangeEnd")},
		    [M_BYTES] = {.name = SPAN("bytes")},
		    [M_TEXT_HASH] = {.name = SPAN("textHash")},
		    [M_TEXT_BYTES] = {.name = SPAN("textBytes")},
		    [M_PIECES] = {.name = SPAN("pieces")},
		    [M_RESTS] = {.name = SPAN("rests")},
		    [M_CALLS] = {.name = SPAN("calls")},
		},
	};
	struct json_doc doc = json_doc(arena);
	struct event *read = &meta->read;

	*meta = (struct meta){.text_hash = SPAN("")};
	read->kind = EVENT_READ;
	if (json_kind(value) != JSON_OBJECT || json_ambiguous(arena, value))
		return false;
	json_pick(&doc, value, m.f, M_COUNT);
	if (!get_fields(&m, meta))
		return false;
	read->has_base = has(&m, M_BASE);
	if (!read->has_base)
		return !mode_is_compact(read->mode);
	return hash_of(&m, M_BASE, &read->base);
}

static void
emit_hash_member(struct buf *buf, const char *name, const struct digest *hash)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hash, hex);
	emit_string_member(buf, name, (struct span){hex, DIGEST_HEX});
}

static void
emit_text_id(struct buf *buf, const struct text_id *id)
{
	char hex[META_TEXT_HASH];

	hex_write(id->bytes, TEXT_ID_BYTES, hex);
	emit_string(buf, (struct span){hex, sizeof(hex)});
}

static void
emit_scope_member(struct buf *buf, struct scope scope)
{
	emit_name(buf, "scopeKey");
	buf_char(buf, '"');
	scope_write(buf, scope);
	buf_char(buf, '"');
}

/* The texts that a compact answer rests on. */
static void
emit_rests(struct buf *buf, const struct rests *rests)
{
	emit_name(buf, "rests");
	buf_char(buf, '[');
	for (size_t i = 0; i < rests->n; i++) {
		if (i > 0)
			buf_char(buf, ',');
		emit_text_id(buf, &rests->ids[i]);
	}
	buf_char(buf, ']');
}

/* The model's own calls that a pieced answer rests on. */
static void
emit_calls(struct buf *buf, const struct event *read)
{
	emit_name(buf, "calls");
	buf_char(buf, '[');
	for (size_t i = 0; i < read->ncalls; i++) {
		if (i > 0)
			buf_char(buf, ',');
		emit_string(buf, read->calls[i]);
	}
	buf_char(buf, ']');
}

void
meta_emit(struct buf *buf, const struct meta *meta)
{
	const struct event *read = &meta->read;
	bool full = read->scope.kind == SCOPE_FULL;

	buf_str(buf, "{\"v\":1");
	emit_string_member(buf, "pathKey", read->path);
	if (!span_eq(read->name, read->path))
		emit_string_member(buf, "name", read->name);
	emit_scope_member(buf, read->scope);
	emit_hash_member(buf, "servedHash", &read->served);
	if (read->has_base)
		emit_hash_member(buf, "baseHash", &read->base);
	emit_string_member(buf, "mode", span_str(mode_name(read->mode)));
	emit_number_member(buf, "totalLines", meta->read.total);
	emit_number_member(buf, "rangeStart", full ? 1 : read->scope.first);
	emit_number_member(buf, "rangeEnd",
	    full ? meta->read.total : read->scope.last);
	emit_number_member(buf, "bytes", read->bytes);
	emit_name(buf, "textHash");
	emit_text_id(buf, &read->text_id);
	emit_number_member(buf, "textBytes", read->text_bytes);
	if (meta->rests != NULL && !meta->rests->untold &&
	    (meta->rests->n > 0 || read->pieces > 0))
		emit_rests(buf, meta->rests);
	if (read->pieces > 0)
		emit_number_member(buf, "pieces", read->pieces);
	if (read->pieces > 0 && read->ncalls > 0)
		emit_calls(buf, read);
	buf_char(buf, '}');
}

bool
invalidation_parse(struct arena *arena, struct span value,
    struct event *event)
{
	struct tree *tree = tree_parse(arena, value);
	struct span kind;

	*event = (struct event){
	    .kind = EVENT_FORGET, .doubt = DOUBT_REFRESH};
	if (tree == NULL)
		return value.n > 0; /* it may have been one */
	if (!get_text(tree, "kind", &kind) ||
	    !span_eq(kind, SPAN("invalidate")))
		return false;
	if (is_version_1(tree) && get_path(tree, "pathKey", &event->path) &&
	    get_scope(tree, &event->scope)) {
		event->kind = EVENT_INVALIDATE;
		event->doubt = DOUBT_NONE;
	}
	return true;
}

void
invalidation_emit(struct buf *buf, struct span path, struct scope scope,
    uint64_t at_ms)
{
	buf_str(buf, "{\"customType\":\"pi-readcache\",\"data\":"
		     "{\"v\":1,\"kind\":\"invalidate\"");
	emit_string_member(buf, "pathKey", path);
	emit_scope_member(buf, scope);
	emit_number_member(buf, "at", at_ms);
	buf_str(buf, "}}");
}
