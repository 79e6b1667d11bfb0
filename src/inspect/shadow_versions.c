/*
 * The versions of files, as far as the recorded texts show them.
 */
#include "base/lines.h"
#include "host/host.h"
#include "inspect/shadow_inside.h"

static struct span
hash_name(const struct digest *hash)
{
	return (struct span){(const char *)hash->bytes, DIGEST_BYTES};
}

bool
shadow_load(void *context, const struct digest *hash, struct piece *piece)
{
	struct shadow_walk *w = context;
	const uint64_t *found = map_find(w->by_hash, hash_name(hash));
	const struct shown_version *version;
	struct span text;
	struct view view;

	if (found == NULL)
		return false;
	version = (const struct shown_version *)(uintptr_t)*found;
	if (!host->text(w->records, version->node, w->scratch, &text) ||
	    !host->recorded(
		w->scratch, text, version->offset, version->limit, &view))
		return false;
	*piece = (struct piece){view.text, view.first};
	return true;
}

void
shadow_keep(struct shadow_walk *w, const struct digest *hash,
    const struct record_read *read)
{
	struct shown_version *version;

	if (map_find(w->by_hash, hash_name(hash)) != NULL)
		return;
	version = arena_array(w->arena, 1, sizeof(*version));
	*version = (struct shown_version){w->versions, *hash, read->node,
	    read->call->offset, read->call->limit};
	w->versions = version;
	*map_at(w->by_hash, hash_name(&version->hash), 0) = (uintptr_t)version;
}

/* A hash for a version of which only some lines are known. */
static struct digest
hash_lines(struct shadow_walk *w, const struct replica *r)
{
	struct buf text = buf_new(w->scratch, r->view.text.n + 128);

	buf_str(&text, "lines ");
	buf_u64(&text, r->view.first);
	buf_char(&text, '-');
	buf_u64(&text, r->view.last);
	buf_str(&text, " of ");
	buf_u64(&text, r->view.total);
	buf_char(&text, '\n');
	buf_add(&text, r->view.text);
	return digest_of(buf_span(&text));
}

/* Does the whole version HASH have the lines of R, and the same line count? */
static bool
has_lines(
    struct shadow_walk *w, const struct digest *hash, const struct replica *r)
{
	struct piece piece;
	struct span lines;

	return shadow_load(w, hash, &piece) && piece.first == 1 &&
	       lines_count(piece.text) == r->view.total &&
	       lines_slice(piece.text, r->view.first, r->view.last, &lines) &&
	       span_eq(lines, r->view.text);
}

struct digest
shadow_hash(struct shadow_walk *w, const struct replica *r)
{
	struct trust_base part, whole;
	struct digest own;

	if (view_scope(&r->view).kind == SCOPE_FULL)
		return r->view.text.n == r->text.n
		    ? r->read.result->text_hash
		    : digest_of(r->view.text);
	own = hash_lines(w, r);
	if (trust_find(w->trust, r->name, r->name, view_scope(&r->view),
		&part) == TRUST_FOUND &&
	    digest_eq(&part.hash, &own))
		return own;
	for (size_t i = w->batch.n; i > 0; i--) {
		const struct event *event = &w->batch.list[i - 1];

		if (event->kind == EVENT_READ &&
		    event->scope.kind == SCOPE_FULL &&
		    span_eq(event->name, r->name) &&
		    has_lines(w, &event->served, r))
			return event->served;
	}
	if (trust_find(w->trust, r->name, r->name, scope_full(), &whole) ==
		TRUST_FOUND &&
	    has_lines(w, &whole.hash, r))
		return whole.hash;
	return own;
}
