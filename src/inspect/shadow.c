#include "inspect/shadow.h"

#include <stdlib.h>

#include "answer/answer.h"
#include "base/lines.h"
#include "diff/useful.h"
#include "host/pi/recorded.h"
#include "inspect/witness.h"
#include "os/bytes.h"
#include "path/exclude.h"
#include "path/name.h"

/* A version of a file that a read showed, or lines of it. */
struct shown_version {
	struct shown_version *next;
	struct digest hash;
	uint32_t node;
	uint64_t offset, limit; /* as in the call */
};

/* The sums of a file. */
struct summed {
	struct summed *next;
	struct shadow_sum sum;
};

/* The state of the walks along all paths. */
struct shadow_walk {
	enum policy policy;
	const struct session_records *records;
	const struct index_path *path;
	struct arena *arena;        /* for all walks */
	struct arena *events_arena; /* for what is after the boundary */
	struct arena *scratch;      /* for one read */
	struct span home;
	bool *counted;      /* by node */
	struct map *made; /* node -> struct event *: what its read was */
	uint32_t *asked_by; /* by node: the asking message, or NODE_NONE */
	struct shadow *shadow;
	struct summed *sums;
	struct map *by_name; /* name -> struct summed * */
	struct shown_version *versions;
	struct map *by_hash; /* hash -> struct shown_version * */
	struct events events;
	struct events batch; /* reads of one message, not applied yet */
	uint32_t asking;     /* the message that asked for them */
	struct library library; /* the versions above */
	struct witness *witness;
	struct trust *trust;
	uint32_t start; /* of the part after the boundary */
	struct budget budget; /* for what is visited more than once */
	uint32_t changes_of;  /* the message that CHANGES is about */
	struct map *changes;  /* the names that it changes */
	struct arena *changes_arena;
	bool changes_any;     /* it may change any file */
	bool unknown;	      /* it calls a tool that may do anything */
};

/* Steps of work: at the start, and more for every entry. */
enum { WORK_FIRST = 1 << 17, WORK_MORE = 16 };

/* A read that is about to be answered again. */
struct replica {
	struct record_read read;
	struct span name;
	struct span text; /* as the host gave it */
	struct view view;
	bool known; /* VIEW is known */
	enum beside_fact beside;
};

static struct span
hash_name(const struct digest *hash)
{
	return (struct span){(const char *)hash->bytes, DIGEST_BYTES};
}

static bool
load_version(void *context, const struct digest *hash, struct piece *piece)
{
	struct shadow_walk *w = context;
	const uint64_t *found = map_find(w->by_hash, hash_name(hash));
	const struct shown_version *version;
	struct span text;
	struct view view;

	if (found == NULL)
		return false;
	version = (const struct shown_version *)(uintptr_t)*found;
	if (!records_text(w->records, version->node, w->scratch, &text) ||
	    !recorded_view(w->scratch, text, version->offset, version->limit,
		&view))
		return false;
	*piece = (struct piece){view.text, view.first};
	return true;
}

static void
keep_version(struct shadow_walk *w, const struct digest *hash,
    const struct record_read *read)
{
	struct shown_version *version;

	if (map_find(w->by_hash, hash_name(hash)) != NULL)
		return;
	version = arena_array(w->arena, 1, sizeof(*version));
	*version = (struct shown_version){w->versions, *hash, read->node,
	    read->call->offset, read->call->limit};
	w->versions = version;
	*map_at(w->by_hash, hash_name(&version->hash), 0) =
	    (uintptr_t)version;
}

/* Nothing before START counts any more. */
static void
begin(struct shadow_walk *w, uint32_t start)
{
	arena_reset(w->events_arena);
	witness_forget(w->witness);
	w->events = events_new(w->events_arena, NULL); /* only appended to */
	w->batch = events_new(w->events_arena, NULL);
	w->asking = NODE_NONE;
	w->trust = trust_new(w->events_arena);
	w->start = start;
}

static void
apply(struct shadow_walk *w, const struct event *event)
{
	events_append(&w->events, event);
	(void)trust_apply(w->trust, event);
}

static struct span
node_name(const uint32_t *node)
{
	return (struct span){(const char *)node, sizeof(*node)};
}

/* Keep what a read was, for reads after its batch and on other paths. */
static void
deliver(struct shadow_walk *w, const struct event *event)
{
	struct event *kept = arena_alloc(w->arena, sizeof(*kept));

	*kept = *event;
	*map_at(w->made, node_name(&kept->at), 0) = (uintptr_t)kept;
	events_append(&w->batch, event);
}

/* The reads of a batch have ended: from now on they count (SPEC 13). */
static void
end_batch(struct shadow_walk *w)
{
	for (size_t i = 0; i < w->batch.n; i++)
		apply(w, &w->batch.list[i]);
	w->batch.n = 0;
	w->asking = NODE_NONE;
}

/* An edit took something away: fold what is left once more. */
static void
fold_again(struct shadow_walk *w)
{
	w->trust = trust_new(w->events_arena);
	for (size_t i = 0; i < w->events.n; i++)
		(void)trust_apply(w->trust, &w->events.list[i]);
}

/* T4: what EDIT does to EVENT, a read.  Of several edits the latest counts. */
static void
edit_event(const struct shadow_walk *w, const struct record_edit *edit,
    struct event *event)
{
	const struct index_node *nodes = w->records->index->nodes;
	uint32_t asked_by = w->asked_by[event->at];

	if (span_eq(nodes[event->at].id, edit->target)) {
		event->kind = EVENT_SIGHTING;
		event->veiled = edit->replaced;
		event->omitted = !edit->replaced;
	} else if (asked_by != NODE_NONE &&
	    span_eq(nodes[asked_by].id, edit->target)) {
		event->kind = EVENT_SIGHTING;
	}
}

/* Apply the edit at position AT of the path. */
static void
apply_edit(struct shadow_walk *w, const struct record_edit *edit, uint32_t at)
{
	const struct event forget = {.kind = EVENT_FORGET};

	if (edit == NULL || edit->target.n == 0) {
		apply(w, &forget);
		return;
	}
	if (!budget_spend(&w->budget, w->events.n)) {
		begin(w, at + 1); /* too many: as if it took everything away */
		return;
	}
	for (size_t i = 0; i < w->events.n; i++) {
		struct event *event = &w->events.list[i];

		if (event->kind == EVENT_READ || event->kind == EVENT_SIGHTING)
			edit_event(w, edit, event);
	}
	witness_forget(w->witness);
	fold_again(w);
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

	return load_version(w, hash, &piece) && piece.first == 1 &&
	    lines_count(piece.text) == r->view.total &&
	    lines_slice(piece.text, r->view.first, r->view.last, &lines) &&
	    span_eq(lines, r->view.text);
}

/*
 * The hash of the file at that time.  For a part it is the first of these: the
 * hash by which the same lines are known; that of a whole version which was
 * read in the same batch, or of the last one, if it has the same lines and
 * line count; a hash of its own.
 */
static struct digest
hash_of(struct shadow_walk *w, const struct replica *r)
{
	struct trust_base part, whole;
	struct digest own;

	if (view_scope(&r->view).kind == SCOPE_FULL)
		return digest_of(r->view.text);
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

/* Is the message that asked for it no longer sent to the model? */
static bool
is_gone(const struct shadow_walk *w, uint32_t asked_by)
{
	return asked_by != NODE_NONE &&
	    w->records->of[asked_by].asking->dropped;
}

/* What the host showed, in its own words of that time. */
static struct excerpt
shown_by(const struct replica *r)
{
	return (struct excerpt){
	    .lines = r->view.text,
	    .after = span_from(r->text, r->view.text.n),
	    .first = r->view.first,
	    .last = r->view.last,
	    .total = r->view.total,
	    .cut = view_truncated(&r->view),
	};
}

/*
 * Answer as a read does.  The result is the mode; *SERVED the bytes of the
 * answer.
 */
static enum mode
answer_again(struct shadow_walk *w, const struct replica *r, uint64_t *served)
{
	struct excerpt shown = shown_by(r);
	struct question question = {
	    .path = r->name,
	    .name = r->name,
	    .asked = r->read.call->path,
	    .hash = hash_of(w, r),
	    .shown = &shown,
	    .now = {r->view.text, r->view.first},
	    .policy = w->policy,
	    .repeat = REPEAT_DEFAULT,
	    .diff_max_bytes = DIFF_MAX_BYTES,
	    .diff_max_lines = DIFF_MAX_LINES,
	    .beside = r->beside,
	};
	struct answered answer = answer_make(w->scratch, &question, w->trust,
	    &w->library);
	struct event event = answer.read;

	event.kind = is_gone(w, r->read.asked_by) ? EVENT_SIGHTING
						  : EVENT_READ;
	event.at = r->read.node;
	event.sealed = true;
	*served = answer.text.n;
	if (mode_is_compact(event.mode) &&
	    !witness_agrees(w->witness, &w->events, &event, answer.text,
		w->scratch))
		w->shadow->violations++;
	keep_version(w, &question.hash, &r->read);
	deliver(w, &event);
	return event.mode;
}

static struct shadow_sum *
sum_of(struct shadow_walk *w, struct span name)
{
	uint64_t *found = map_at(w->by_name, name, 0);
	struct summed *summed = (struct summed *)(uintptr_t)*found;

	if (summed == NULL) {
		summed = arena_array(w->arena, 1, sizeof(*summed));
		summed->sum.name = name;
		summed->next = w->sums;
		w->sums = summed;
		w->shadow->nfiles++;
		*found = (uintptr_t)summed;
	}
	return &summed->sum;
}

static void
count(struct shadow_sum *sum, enum mode mode, uint64_t baseline,
    uint64_t served)
{
	sum->reads++;
	sum->modes[mode]++;
	sum->baseline_bytes += baseline;
	sum->served_bytes += served;
}

/*
 * The absolute name of PATH in the session; false if it is not known.  A fork
 * into another directory has calls of both directories.  A parent session that
 * is not available is assumed to be in the same directory: this is an
 * estimate.
 */
static bool
resolve(struct shadow_walk *w, struct span path, struct span *name)
{
	const struct index *index = w->records->index;
	struct name_error ignored;
	struct span other;

	if (path.n == 0 || index->cwd.n == 0 ||
	    name_resolve(w->scratch, path, index->cwd, w->home, name,
		&ignored) != NAME_OK)
		return false;
	for (size_t i = 0; i < index->dirs.n; i++)
		if (name_resolve(w->scratch, path, index->dirs.list[i],
			w->home, &other, &ignored) != NAME_OK ||
		    !span_eq(other, *name))
			return false;
	return true;
}

/* The absolute name that the model used, kept for all walks. */
static bool
name_of(
    struct shadow_walk *w, const struct record_call *call, struct span *name)
{
	uint64_t *found;

	if (call == NULL || !resolve(w, call->path, name))
		return false;
	found = map_find(w->by_name, *name);
	if (found == NULL)
		*name = (struct span){arena_cstr(w->arena, *name), name->n};
	else
		*name = ((struct summed *)(uintptr_t)*found)->sum.name;
	return true;
}

/* Is it a text that the host itself gave, of a file that may be cached? */
static bool
is_plain(struct shadow_walk *w, const struct replica *r)
{
	const struct record_result *result = r->read.result;
	enum mode mode = result->meta.read.mode;

	if (result->has_meta &&
	    (!result->sealed || (mode != MODE_FULL && mode != MODE_FALLBACK)))
		return false;
	return !r->read.call->odd &&
	       !span_starts(r->text, SPAN("[readcache: ")) &&
	       !exclude_matches(w->scratch, r->name) &&
	       bytes_find(r->text.p, r->text.n, "\xef\xbf\xbd", 3) == NULL;
}

/* Find what the message NODE changes, once for all its reads. */
static void
find_changes(struct shadow_walk *w, uint32_t node)
{
	const struct record_call *call = w->records->of[node].asking->calls;
	struct span name;

	w->changes_of = node;
	arena_reset(w->changes_arena);
	w->changes = map_new(w->changes_arena, 1);
	w->changes_any = w->unknown = false;
	for (; call != NULL; call = call->next) {
		w->unknown = w->unknown || call->tool == TOOL_UNKNOWN;
		if (call->tool != TOOL_CHANGES)
			continue;
		if (!resolve(w, call->path, &name))
			w->changes_any = true;
		else
			(void)map_at(w->changes,
			    (struct span){
				arena_cstr(w->changes_arena, name), name.n},
			    1);
	}
}

/*
 * T14: what runs beside the read of R?  False if it changes the file, so that
 * the host reads it.
 */
static bool
look_beside(struct shadow_walk *w, struct replica *r)
{
	if (w->changes_of != r->read.asked_by)
		find_changes(w, r->read.asked_by);
	if (w->unknown)
		r->beside = BESIDE_UNKNOWN;
	return !w->changes_any && map_find(w->changes, r->name) == NULL;
}

static void
walk_read(struct shadow_walk *w, uint32_t at)
{
	struct replica r = {.read = records_read(w->records, w->path,
	    w->start, at)};
	uint32_t node = w->path->nodes[at];
	const struct record_result *result = r.read.result;
	struct event blind = {.kind = EVENT_FORGET, .at = node};
	bool named = name_of(w, r.read.call, &r.name);
	enum mode mode = MODE_PLAIN;
	uint64_t served = result != NULL ? result->text_bytes : 0;
	const uint64_t *made;

	if (r.read.asked_by != w->asking)
		end_batch(w);
	w->asking = r.read.asked_by;
	w->asked_by[node] = r.read.asked_by;
	if (w->counted[node]) {
		/* Counted on another path with the same beginning. */
		made = map_find(w->made, node_name(&node));
		if (made != NULL)
			events_append(&w->batch,
			    (const struct event *)(uintptr_t)*made);
		return;
	}
	if (named && result != NULL && result->has_text &&
	    records_text(w->records, node, w->scratch, &r.text))
		r.known = is_plain(w, &r) && look_beside(w, &r) &&
		    recorded_view(w->scratch, r.text, r.read.call->offset,
			r.read.call->limit, &r.view);
	if (r.known) {
		mode = answer_again(w, &r, &served);
	} else {
		if (named)
			blind = (struct event){.kind = EVENT_BLIND,
			    .name = r.name, .at = node};
		if (named && result != NULL && result->long_line > 0)
			blind.scope = scope_range(result->long_line,
			    result->long_line);
		if (r.read.call != NULL)
			deliver(w, &blind); /* T12 */
	}
	if (result == NULL)
		return;
	w->counted[node] = true;
	count(&w->shadow->all, mode, result->text_bytes, served);
	if (named)
		count(sum_of(w, r.name), mode, result->text_bytes, served);
	if (result->has_meta && !r.known)
		w->shadow->compact++;
}

/* An edit, refused or done as KIND says. */
static void
walk_edit(struct shadow_walk *w, uint32_t at, enum event_kind kind)
{
	struct record_read edit = records_read(w->records, w->path, w->start,
	    at);
	struct event event = {.kind = kind, .at = edit.node};

	if (name_of(w, edit.call, &event.name))
		events_append(&w->batch, &event);
}

static void
walk_path(struct shadow_walk *w)
{
	const struct index *index = w->records->index;

	begin(w, 0);
	for (uint32_t i = 0; i < w->path->n; i++) {
		uint32_t node = w->path->nodes[i];
		union node_record record = w->records->of[node];

		arena_reset(w->scratch);
		switch (index->nodes[node].kind) {
		case NODE_READ_RESULT:
			walk_read(w, i);
			break;
		case NODE_EDIT_ERROR:
			walk_edit(w, i, EVENT_EDIT_FAILED);
			break;
		case NODE_EDITED:
			walk_edit(w, i, EVENT_EDITED);
			break;
		case NODE_COMPACTION:
			begin(w, i + 1);
			break;
		case NODE_CONTEXT_EDIT:
			end_batch(w);
			apply_edit(w, record.edit, i);
			break;
		case NODE_CUSTOM:
			end_batch(w);
			if (record.invalidation != NULL)
				apply(w, record.invalidation);
			break;
		case NODE_ASSISTANT:
			if (record.asking != NULL && record.asking->lost)
				begin(w, i); /* T15 */
			else
				end_batch(w);
			break;
		case NODE_USER:
			end_batch(w);
			break;
		case NODE_OTHER:
		case NODE_READ_ERROR:
		case NODE_TOOL_RESULT:
			break;
		}
	}
}

/* The budget is spent: count what is only on the way to LEAF as it was. */
static void
count_only(struct shadow_walk *w, uint32_t leaf)
{
	const struct index *index = w->records->index;

	for (; leaf != NODE_NONE && !w->counted[leaf];
	     leaf = index->nodes[leaf].parent) {
		const struct record_result *result =
		    w->records->of[leaf].result;

		w->counted[leaf] = true;
		if (index->nodes[leaf].kind == NODE_READ_RESULT &&
		    result != NULL)
			count(&w->shadow->all, MODE_PLAIN, result->text_bytes,
			    result->text_bytes);
	}
}

static int
compare_saved(const void *left, const void *right)
{
	const struct shadow_sum *a = left, *b = right;
	int64_t saved_a = (int64_t)(a->baseline_bytes - a->served_bytes);
	int64_t saved_b = (int64_t)(b->baseline_bytes - b->served_bytes);
	int order = (saved_a < saved_b) - (saved_a > saved_b);

	if (order == 0)
		order = (a->baseline_bytes < b->baseline_bytes) -
		    (a->baseline_bytes > b->baseline_bytes);
	if (order == 0)
		order = span_compare(a->name, b->name);
	return order;
}

void
shadow_sort(struct shadow_sum *sums, size_t n)
{
	qsort(sums, n, sizeof(*sums), compare_saved);
}

static void
list_files(struct shadow_walk *w)
{
	struct shadow *shadow = w->shadow;
	size_t n = 0;

	shadow->files = arena_array(w->arena, shadow->nfiles + 1,
	    sizeof(*shadow->files));
	for (const struct summed *s = w->sums; s != NULL; s = s->next)
		shadow->files[n++] = s->sum;
	shadow_sort(shadow->files, n);
}

struct shadow
shadow_run(const struct session_records *records, enum policy policy,
    struct span home, struct arena *arena)
{
	const struct index *index = records->index;
	struct shadow shadow = {.all = {.name = SPAN("")}};
	struct shadow_walk w = {
	    .policy = policy,
	    .records = records,
	    .arena = arena,
	    .events_arena = arena_scratch(arena),
	    .scratch = arena_scratch(arena),
	    .home = home,
	    .counted = arena_array(arena, (size_t)index->n + 1, sizeof(bool)),
	    .made = map_new(arena, 64),
	    .asked_by = arena_array(arena, (size_t)index->n + 1,
		sizeof(uint32_t)),
	    .shadow = &shadow,
	    .by_name = map_new(arena, 64),
	    .by_hash = map_new(arena, 64),
	    .changes_of = NODE_NONE,
	    .changes_arena = arena_scratch(arena),
	    .budget = {WORK_FIRST + WORK_MORE * (uint64_t)index->n},
	};
	struct arena *paths = arena_scratch(arena);
	struct index_path path;

	w.library = (struct library){load_version, &w};
	w.witness = witness_new(records, &w.library, arena);
	for (uint32_t leaf = 0; leaf < index->n; leaf++) {
		if (index->nodes[leaf].has_child)
			continue;
		if (w.budget.left == 0) {
			count_only(&w, leaf);
			continue;
		}
		arena_reset(paths);
		if (!index_path(index, leaf, paths, &path))
			continue;
		(void)budget_spend(&w.budget, path.n);
		w.path = &path;
		walk_path(&w);
	}
	list_files(&w);
	return shadow;
}
