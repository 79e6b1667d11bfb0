#include "inspect/report_walk.h"

#include "answer/render.h"
#include "inspect/report_events.h"
#include "inspect/report_fold.h"
#include "inspect/report_slots.h"

/*
 * A walk along one branch after the other.  What is shared with an earlier
 * branch is only repeated, not reported again.
 */
struct report_walk {
	struct report *report;
	const struct session_records *records;
	const uint32_t *step_of;
	struct arena *scratch; /* for one branch */
	struct arena *part;    /* for the events of one part */
	bool *done;            /* by node: it was reported */
	struct report_events store;
	struct fold fold;
	struct report_slots slots;
	enum report_seen *seen; /* by file */
	struct budget budget;   /* when spent, reads stay without a reason */
};

/* Steps of work: at the start, and more for every entry. */
enum { WORK_FIRST = 1 << 22, WORK_MORE = 64 };

static const struct index_node *
node_at(const struct report_walk *w, const struct index_path *path, uint32_t i)
{
	return &w->records->index->nodes[path->nodes[i]];
}

static struct report_step *
step_at(const struct report_walk *w, uint32_t node)
{
	uint32_t step = w->step_of[node];

	return step != REPORT_NONE ? &w->report->steps[step] : NULL;
}

/* ---- one read ---- */

/* Is anything of FILE trusted, under the event's name or under another? */
static void
find_known(struct report_walk *w, const struct event *event, uint32_t file,
    struct report_facts *facts)
{
	uint32_t key = w->slots.first_key[file];

	for (; key != REPORT_NONE && budget_spend(&w->budget, 1);
	     key = w->slots.next_key[key]) {
		if (!w->slots.of[key].trusted)
			continue;
		if (span_eq(w->report->keys[key].name, event->name))
			facts->known_so = true;
		else
			facts->known_other = true;
	}
}

/* The slot that a base with HASH comes from; NULL if it is not known. */
static const struct report_slot *
find_base(const struct report_walk *w, const struct event *event, uint32_t file,
    const struct digest *hash)
{
	uint32_t keys[] = {
		slots_find(&w->slots, file, event->name, event->scope),
		slots_find(&w->slots, file, event->name, scope_full()),
	};

	for (int i = 0; i < 2; i++)
		if (keys[i] != REPORT_NONE && w->slots.of[keys[i]].trusted &&
		    digest_eq(&w->slots.of[keys[i]].hash, hash))
			return &w->slots.of[keys[i]];
	return NULL;
}

/* What coverage (SPEC 16) knows besides the bases. */
static void
find_pause(const struct trust *trust, const struct event *event,
    struct report_facts *facts)
{
	bool full = event->scope.kind == SCOPE_FULL;
	uint64_t first = full ? 1 : event->scope.first;
	uint64_t last = full ? event->total : event->scope.last;

	facts->voided = trust_void(trust, event->path, event->name, first,
	    last == event->total ? UINT64_MAX : last);
	facts->repeated = trust_repeats(trust, event->path, event->name,
			      event->scope, &event->served) > 1;
	facts->edit_failed = trust_edit_failed(trust, event->path,
	    event->name, first, last);
	facts->edited = trust_edited(trust, event->path, event->name, first,
	    last);
}

static bool
asked_together(const struct report_read *read, const struct report_step *base)
{
	return read->asked_by != NODE_NONE && base->kind == REPORT_READ &&
	    base->read.asked_by == read->asked_by;
}

/* T14: does the message that asked for the read also call what may change it? */
static bool
called_beside(struct report_walk *w, const struct report_read *read)
{
	const struct record_call *call;

	if (read->asked_by == NODE_NONE)
		return false;
	for (call = w->records->of[read->asked_by].asking->calls;
	     call != NULL && budget_spend(&w->budget, 1); call = call->next)
		if (call->tool == TOOL_UNKNOWN)
			return true;
	return false;
}

/*
 * Would a marker not have been shorter than the plain read?  Not known of older
 * sessions.  What a host adds to lines that it cut is not known either, but
 * those are never few.
 */
static bool
is_short(struct report_walk *w, const struct event *event, bool elsewhere)
{
	bool full = event->scope.kind == SCOPE_FULL;
	struct excerpt shown = {
	    .first = full ? 1 : event->scope.first,
	    .last = full ? event->total : event->scope.last,
	    .total = event->total,
	};

	return event->has_text_bytes &&
	    render_marker_size(w->part, &shown, elsewhere, false) >=
	    event->bytes;
}

/* Note what was known before the read EVENT, and why it was answered so. */
static void
judge(
    struct report_walk *w, const struct event *event, struct report_read *read)
{
	struct report_facts facts = {
	    .mode = event->mode,
	    .scope = event->scope,
	    .seen = w->seen[read->file],
	};
	const struct report_slot *slot;
	struct trust_base base = {.seq = 0};

	facts.found = trust_find(fold_trust(&w->fold), event->path,
	    event->name, event->scope, &base);
	read->found = facts.found;
	read->base = REPORT_NONE;
	if (facts.found == TRUST_FOUND) {
		read->base_hash = base.hash;
		facts.same_hash = digest_eq(&base.hash, &event->served);
		slot = find_base(w, event, read->file, &base.hash);
		if (slot != NULL)
			read->base = slot->step;
	}
	if (read->base != REPORT_NONE)
		facts.same_batch = asked_together(read,
		    &w->report->steps[read->base]);
	find_known(w, event, read->file, &facts);
	find_pause(fold_trust(&w->fold), event, &facts);
	if (event->mode == MODE_FALLBACK) {
		facts.beside = called_beside(w, read);
		facts.short_text = is_short(w, event,
		    facts.found == TRUST_FOUND && !facts.same_hash);
	}
	read->reason = report_reason(&facts);
}

static void
take_read(struct report_walk *w, struct event *event, struct report_step *step)
{
	uint32_t file = slots_file(&w->slots, event->path), key = REPORT_NONE;
	bool known = step != NULL && step->kind == REPORT_READ &&
	    file == step->read.file;

	if (known)
		judge(w, event, &step->read);
	if (fold_next(&w->fold) == FOLD_SET && file != REPORT_NONE)
		key = slots_make(&w->slots, file, event->name, event->scope);
	if (key != REPORT_NONE)
		slots_set(&w->slots, key, &event->served, event->at, step);
	if (known) {
		step->read.doubt = event->doubt;
		step->read.key = key;
	}
}

/* The step was reported on another branch: only repeat its changes. */
static void
repeat_step(
    struct report_walk *w, uint32_t node, const struct report_step *step)
{
	for (uint32_t i = 0; i < step->nchanges; i++) {
		const struct report_change *change =
		    &w->report->changes[step->changes_from + i];

		slots_set(&w->slots, change->key,
		    change->trusted ? &change->hash : NULL, node, NULL);
	}
	if (step->kind == REPORT_READ && step->read.mode != MODE_PLAIN &&
	    step->read.key != REPORT_NONE)
		w->slots.of[step->read.key].step = w->step_of[node];
}

/* Note that the file was seen, or refreshed. */
static void
note_seen(struct report_walk *w, const struct event *event,
    const struct report_step *step)
{
	uint32_t file;

	if (step != NULL && step->kind == REPORT_READ) {
		w->seen[step->read.file] = SEEN_SINCE;
	} else if (event->kind == EVENT_INVALIDATE &&
	    event->scope.kind == SCOPE_FULL) {
		file = slots_file(&w->slots, event->path);
		if (file != REPORT_NONE && w->seen[file] == SEEN_SINCE)
			w->seen[file] = SEEN_REFRESHED;
	}
}

/* Set the slots to what is trusted now; to nothing if that is too much work. */
static void
sync(struct report_walk *w, uint32_t node, struct report_step *step)
{
	if (budget_spend(&w->budget, 8 * ((uint64_t)w->report->nkeys + 1)))
		slots_sync(&w->slots, fold_trust(&w->fold), node, step);
	else
		slots_forget(&w->slots);
}

static void
take_event(struct report_walk *w, struct event *event)
{
	struct report_step *step = step_at(w, event->at);

	if (w->done[event->at]) {
		fold_skip(&w->fold);
		if (step != NULL)
			repeat_step(w, event->at, step);
	} else if (event->kind == EVENT_READ ||
	    event->kind == EVENT_SIGHTING) {
		take_read(w, event, step);
	} else if (fold_next(&w->fold) == FOLD_VOIDED && w->slots.trusted > 0) {
		sync(w, event->at, step);
	}
	note_seen(w, event, step);
}

/* Note what the edit at NODE, whose events are folded in, took away. */
static void
take_edit(struct report_walk *w, uint32_t node)
{
	struct report_step *step = step_at(w, node);

	if (step != NULL && w->done[node])
		repeat_step(w, node, step);
	else
		sync(w, node, step);
}

/* ---- the way ---- */

static bool
is_event(enum node_kind kind)
{
	return kind == NODE_READ_RESULT || kind == NODE_CUSTOM;
}

/*
 * Positions FROM to TO of PATH are after a boundary; those from BEGIN on are
 * walked.  The only context edits among them are before BEGIN: what they took
 * away is gone from BEGIN on, not before.
 */
static void
walk_part(struct report_walk *w, const struct index_path *path, uint32_t from,
    uint32_t begin, uint32_t to)
{
	struct events events;
	size_t before = 0;

	/*
	 * A line must be read and judged, which costs as much as many small
	 * steps.
	 */
	if (begin > from &&
	    !budget_spend(&w->budget, 64 * (uint64_t)(to - from)))
		return;
	arena_reset(w->part);
	events = report_events_get(&w->store, path, from, to, w->part);
	while (before < events.n &&
	    (begin >= to || events.list[before].at < path->nodes[begin]))
		before++;
	fold_begin(&w->fold, events.list, events.n, before, w->part);
	if (begin > from)
		take_edit(w, path->nodes[begin - 1]);
	while (w->fold.at < w->fold.n)
		take_event(w, fold_peek(&w->fold));
}

/* Is there no fork between the positions A and B of PATH? */
static bool
is_straight(const struct report_walk *w, const struct index_path *path,
    uint32_t a, uint32_t b)
{
	const struct report_step *one = step_at(w, path->nodes[a]);
	const struct report_step *other = step_at(w, path->nodes[b]);

	return one != NULL && other != NULL && one->stretch == other->stretch;
}

/* Walk FROM to TO, which are after one boundary, from edit to edit. */
static void
walk_segment(struct report_walk *w, const struct index_path *path,
    uint32_t from, uint32_t to)
{
	uint32_t begin = from;

	while (begin <= to) {
		uint32_t end = begin;
		bool events = false;

		while (end < to &&
		    node_at(w, path, end)->kind != NODE_CONTEXT_EDIT)
			events |= is_event(node_at(w, path, end++)->kind);
		/* Edits in a row are handled together. */
		if (events ||
		    (begin > from &&
			(end == to || !is_straight(w, path, begin - 1, end))))
			walk_part(w, path, from, begin, end);
		begin = end + 1;
	}
}

/* Note what was seen before the boundary at position FROM of PATH. */
static void
begin_walk(struct report_walk *w, const struct index_path *path, uint32_t from)
{
	for (uint32_t i = 0; i < w->report->nfiles; i++)
		w->seen[i] = path->broken ? SEEN_UNTOLD : SEEN_NEVER;
	for (uint32_t i = 0; i < from; i++) {
		const struct report_step *step = step_at(w, path->nodes[i]);

		if (step != NULL && step->kind == REPORT_READ)
			w->seen[step->read.file] = SEEN_BEFORE_BOUNDARY;
	}
	slots_forget(&w->slots);
}

static void
pass_boundary(struct report_walk *w)
{
	for (uint32_t i = 0; i < w->report->nfiles; i++)
		if (w->seen[i] != SEEN_NEVER && w->seen[i] != SEEN_UNTOLD)
			w->seen[i] = SEEN_BEFORE_BOUNDARY;
	slots_forget(&w->slots);
}

/*
 * Walk the branch that ends at LEAF, from the last boundary before which
 * everything was reported.
 */
static void
walk_branch(struct report_walk *w, uint32_t leaf)
{
	struct index_path path;
	uint32_t from = 0, to;

	if (w->budget.left == 0) { /* not reported */
		for (; leaf != NODE_NONE && !w->done[leaf];
		     leaf = w->records->index->nodes[leaf].parent)
			w->done[leaf] = true;
		return;
	}
	arena_reset(w->scratch);
	arena_reset(w->slots.scratch);
	w->done[leaf] = index_path(w->records->index, leaf, w->scratch,
				&path) == false;
	if (w->done[leaf])
		return; /* T8 */
	(void)budget_spend(&w->budget,
	    8 * (uint64_t)path.n + w->report->nfiles + w->report->nkeys);
	for (uint32_t i = 0; i < path.n && w->done[path.nodes[i]]; i++)
		if (node_is_boundary(node_at(w, &path, i)->kind))
			from = i + 1;
	begin_walk(w, &path, from);
	while (from <= path.n) {
		to = from;
		while (to < path.n &&
		    !node_is_boundary(node_at(w, &path, to)->kind))
			to++;
		walk_segment(w, &path, from, to);
		for (uint32_t i = from; i < to; i++)
			w->done[path.nodes[i]] = true;
		if (to < path.n)
			w->done[path.nodes[to]] = true;
		pass_boundary(w);
		from = to + 1;
	}
}

void
report_walk(struct report *report, const struct session_records *records,
    const uint32_t *step_of, const struct map *file_of,
    const struct history_where *where, struct arena *arena,
    index_progress *progress, void *context)
{
	struct arena *own = records->index->arena;
	struct report_walk w = {
	    .report = report,
	    .records = records,
	    .step_of = step_of,
	    .scratch = arena_scratch(own),
	    .part = arena_scratch(own),
	    .done = arena_array(own, (size_t)records->index->n + 1,
		sizeof(*w.done)),
	    .store = report_events(records->index),
	    .fold = {.arena = arena_scratch(own), .where = where},
	    .slots = slots_new(report, step_of, file_of, arena, own),
	    .seen = arena_array(own, (size_t)report->nfiles + 1,
		sizeof(*w.seen)),
	    .budget = {WORK_FIRST + WORK_MORE * (uint64_t)records->index->n},
	};

	/* The latest first: a branch covers everything before it. */
	for (uint32_t i = report->nsteps; i-- > 0;) {
		uint32_t node = report->steps[i].node;

		if (w.done[node])
			continue;
		walk_branch(&w, node);
		if (progress != NULL)
			progress(context, report->nsteps - i, report->nsteps);
	}
}
