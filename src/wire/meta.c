#include "wire/meta.h"

#include "wire/emit.h"
#include "wire/tree.h"

/* Version 1 of anything. */
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
get_number(struct tree *tree, const char *name, uint64_t *number)
{
	return tree_number(tree_get(tree, name), number);
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

static bool
get_hash(struct tree *tree, const char *name, struct digest *hash)
{
	struct span hex;

	return get_text(tree, name, &hex) && digest_parse(hex, hash);
}

/* Does the scope say the same as the line numbers beside it? */
static bool
lines_agree(struct tree *tree, const struct meta *meta)
{
	const struct scope *scope = &meta->read.scope;
	uint64_t first, last;

	if (!get_number(tree, "rangeStart", &first) ||
	    !get_number(tree, "rangeEnd", &last))
		return false;
	if (scope->kind == SCOPE_FULL)
		return first == 1 && last >= 1 && last == meta->read.total;
	return first == scope->first && last == scope->last &&
	    last <= meta->read.total;
}

/* Fields that older sessions do not have: absent is fine, wrong is not. */
static bool
get_newer_fields(struct tree *tree, struct meta *meta)
{
	struct event *read = &meta->read;

	read->name = read->path;
	if (tree_get(tree, "name") != NULL &&
	    !get_path(tree, "name", &read->name))
		return false;
	if (tree_get(tree, "textHash") != NULL &&
	    (!get_text(tree, "textHash", &meta->text_hash) ||
		!digest_is_hex(meta->text_hash, META_TEXT_HASH)))
		return false;
	read->nameless = meta->text_hash.n == 0 &&
	    tree_get(tree, "name") == NULL;
	read->has_text_bytes = tree_get(tree, "textBytes") != NULL;
	return !read->has_text_bytes ||
	    get_number(tree, "textBytes", &read->text_bytes);
}

bool
meta_parse(struct arena *arena, struct span value, struct meta *meta)
{
	struct tree *tree = tree_parse(arena, value);
	struct event *read = &meta->read;
	struct span mode;
	bool derived;

	*meta = (struct meta){.text_hash = SPAN("")};
	read->kind = EVENT_READ;
	if (tree == NULL || !is_version_1(tree) ||
	    !get_path(tree, "pathKey", &read->path) ||
	    !get_scope(tree, &read->scope) ||
	    !get_hash(tree, "servedHash", &read->served) ||
	    !get_text(tree, "mode", &mode) || !mode_parse(mode, &read->mode) ||
	    !get_number(tree, "totalLines", &meta->read.total) ||
	    !get_number(tree, "bytes", &read->bytes) ||
	    !lines_agree(tree, meta) || !get_newer_fields(tree, meta))
		return false;
	read->has_base = tree_get(tree, "baseHash") != NULL;
	derived = read->mode != MODE_FULL && read->mode != MODE_FALLBACK;
	if (!read->has_base)
		return !derived;
	return get_hash(tree, "baseHash", &read->base);
}

static void
emit_hash_member(struct buf *buf, const char *name, const struct digest *hash,
    size_t digits)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hash, hex);
	emit_string_member(buf, name, (struct span){hex, digits});
}

static void
emit_scope_member(struct buf *buf, struct scope scope)
{
	emit_name(buf, "scopeKey");
	buf_char(buf, '"');
	scope_write(buf, scope);
	buf_char(buf, '"');
}

void
meta_emit(struct buf *buf, const struct meta *meta, struct span text)
{
	const struct event *read = &meta->read;
	struct digest text_hash = digest_of(text);
	bool full = read->scope.kind == SCOPE_FULL;

	buf_str(buf, "{\"v\":1");
	emit_string_member(buf, "pathKey", read->path);
	if (!span_eq(read->name, read->path))
		emit_string_member(buf, "name", read->name);
	emit_scope_member(buf, read->scope);
	emit_hash_member(buf, "servedHash", &read->served, DIGEST_HEX);
	if (read->has_base)
		emit_hash_member(buf, "baseHash", &read->base, DIGEST_HEX);
	emit_string_member(buf, "mode", span_str(mode_name(read->mode)));
	emit_number_member(buf, "totalLines", meta->read.total);
	emit_number_member(buf, "rangeStart", full ? 1 : read->scope.first);
	emit_number_member(buf, "rangeEnd",
	    full ? meta->read.total : read->scope.last);
	emit_number_member(buf, "bytes", read->bytes);
	emit_hash_member(buf, "textHash", &text_hash, META_TEXT_HASH);
	emit_number_member(buf, "textBytes", text.n);
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
