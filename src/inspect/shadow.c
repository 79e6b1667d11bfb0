/*
 * The walks: along the path to each leaf, with one step for each entry.
 */
#include "inspect/shadow.h"

#include "host/host.h"
#include "inspect/shadow_inside.h"
#include "os/bytes.h"
#include "path/exclude.h"

/* Steps of work: at the start, and more for every entry. */
enum { WORK_FIRST = 1 << 17, WORK_MORE = 16 };

/* Is it a text that the host itself gave, of a file that may be cached? */
static bool
is_plain(const struct replica *r)
{
	const struct record_result *result = r->read.result;

	if (result->has_meta &&
	    (!result->sealed || mode_is_compact(result->meta.read.mode)))
		return false;
	return !r->read.call->odd &&
	       !span_starts(r->text, SPAN("[readcache: ")) &&
	       !exclude_matches(r->name) &&
	       bytes_find(r->text.p, r->text.n, "\xef\xbf\xbd", 3) == NULL;
}

static void
walk_read(struct shadow_walk *w, uint32_t at)
{
	struct replica r = {
	    .read = records_read(w->records, w->path, w->start, at)};
	uint32_t node = w->path->nodes[at];
	const struct record_result *result = r.read.result;
	struct event blind = {.kind = EVENT_FORGET, .at = node};
	bool named = shadow_name(w, r.read.call, &r.name);
	struct shadow_read answered = {.node = node, .mode = MODE_PLAIN};

	if (r.read.asked_by != w->asking)
		shadow_end_batch(w);
	w->asking = r.read.asked_by;
	w->asked_by[node] = r.read.asked_by;
	if (w->counted[node]) {
		/* Counted on another path with the same beginning. */
		(void)shadow_deliver_again(w, node);
		return;
	}
	if (named && result != NULL && result->has_text &&
	    host->text(w->records, node, w->scratch, &r.text))
		r.known = is_plain(&r) && shadow_beside(w, &r) &&
			  host->recorded(w->scratch, r.text, r.read.call->offset,
			      r.read.call->limit, &r.view);
	if (result != NULL)
		answered.baseline_bytes = answered.served_bytes =
		    result->text_bytes;
	if (r.known) {
		shadow_answer(w, &r, &answered);
	} else {
		if (named)
			blind = (struct event){
			    .kind = EVENT_BLIND, .name = r.name, .at = node};
		if (named && result != NULL && result->long_line > 0)
			blind.scope =
			    scope_range(result->long_line, result->long_line);
		if (r.read.call != NULL)
			shadow_deliver(w, &blind); /* T12 */
	}
	if (result == NULL)
		return;
	w->counted[node] = true;
	answered.name = named ? r.name : SPAN("");
	shadow_count(w, &answered);
	if (result->has_meta && !r.known)
		w->shadow->compact++;
}

/* An edit, refused or done as KIND says. */
static void
walk_edit(struct shadow_walk *w, uint32_t at, enum event_kind kind)
{
	struct record_read edit =
	    records_read(w->records, w->path, w->start, at);
	struct event event = {.kind = kind, .at = edit.node};

	if (shadow_name(w, edit.call, &event.name))
		events_append(&w->batch, &event);
}

static void
walk_path(struct shadow_walk *w)
{
	const struct index *index = w->records->index;

	shadow_begin(w, 0);
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
			shadow_begin(w, i + 1);
			break;
		case NODE_CONTEXT_EDIT:
			shadow_end_batch(w);
			shadow_edit(w, record.edit, i);
			break;
		case NODE_CUSTOM:
			shadow_end_batch(w);
			if (record.invalidation != NULL)
				shadow_apply(w, record.invalidation);
			break;
		case NODE_ASSISTANT:
			if (record.asking != NULL && record.asking->lost)
				shadow_begin(w, i); /* T15 */
			else
				shadow_end_batch(w);
			break;
		case NODE_USER:
			shadow_end_batch(w);
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
			shadow_count(w,
			    &(struct shadow_read){.node = leaf,
				.name = SPAN(""),
				.mode = MODE_PLAIN,
				.baseline_bytes = result->text_bytes,
				.served_bytes = result->text_bytes});
	}
}

struct shadow
shadow_run_each(const struct session_records *records, enum policy policy,
    struct span home, shadow_each *each, void *context, struct arena *arena)
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
	    .asked_by =
		arena_array(arena, (size_t)index->n + 1, sizeof(uint32_t)),
	    .shadow = &shadow,
	    .each = each,
	    .context = context,
	    .by_name = map_new(arena, 64),
	    .by_hash = map_new(arena, 64),
	    .beside_of = NODE_NONE,
	    .beside_arena = arena_scratch(arena),
	    .budget = {WORK_FIRST + WORK_MORE * (uint64_t)index->n},
	};
	struct arena *paths = arena_scratch(arena);
	struct index_path path;

	w.library = (struct library){shadow_load, &w};
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
	shadow_list(&w);
	return shadow;
}

struct shadow
shadow_run(const struct session_records *records, enum policy policy,
    struct span home, struct arena *arena)
{
	return shadow_run_each(records, policy, home, NULL, NULL, arena);
}
