#include "inspect/report_data.h"

#include "base/utf8.h"
#include "host/host.h"
#include "inspect/audit.h"
#include "inspect/report_tree.h"
#include "inspect/report_walk.h"
#include "inspect/shadow.h"
#include "json/json.h"
#include "path/exclude.h"

/* A call that is further back than this is not searched. */
enum { ASKED_MAX = 512 };

struct making {
	struct report *report;
	const struct session_records *records;
	const struct index *index;
	struct history_where where;
	struct arena *arena;
	index_progress *progress;
	void *context;
	struct map *file_of; /* path -> file */
	uint32_t *step_of;   /* by node */
};

static struct span
keep(const struct making *m, struct span text)
{
	return (struct span){arena_cstr(m->arena, text), text.n};
}

/* ---- sums ---- */

/* Sums of numbers that somebody else wrote stay within the numbers of JSON. */
static void
add_capped(uint64_t *sum, uint64_t number)
{
	*sum = number < NUMBER_MAX - *sum ? *sum + number : NUMBER_MAX;
}

void
report_add(struct report_sum *to, const struct report_sum *from)
{
	add_capped(&to->reads, from->reads);
	for (int m = 0; m < MODE_COUNT; m++)
		add_capped(&to->modes[m], from->modes[m]);
	add_capped(&to->baseline_bytes, from->baseline_bytes);
	add_capped(&to->served_bytes, from->served_bytes);
	add_capped(&to->violations, from->violations);
}

uint64_t
report_compact(const struct report_sum *sum)
{
	uint64_t compact = 0;

	for (int m = 0; m < MODE_COUNT; m++)
		if (mode_is_compact((enum mode)m))
			compact += sum->modes[m];
	return compact;
}

uint64_t
report_safe(const struct report_sum *sum)
{
	uint64_t compact = report_compact(sum);

	/* An answer without metadata may be wrong too. */
	return compact > sum->violations ? compact - sum->violations : 0;
}

static void
count_read(struct report *report, const struct report_read *read)
{
	struct report_sum one = {
	    .reads = 1,
	    .baseline_bytes = read->baseline_bytes,
	    .served_bytes = read->served_bytes,
	};

	one.modes[read->mode] = 1;
	report_add(&report->sum, &one);
	report_add(&report->by_mode[read->mode], &one);
	report_add(&report->files[read->file].sum, &one);
}

static void
count_reasons(struct report *report)
{
	for (uint32_t i = 0; i < report->nsteps; i++) {
		const struct report_read *read = &report->steps[i].read;

		if (report->steps[i].kind != REPORT_READ ||
		    read->reason == REASON_NONE)
			continue;
		report->reasons[read->reason]++;
		add_capped(&report->reason_bytes[read->reason],
		    read->served_bytes);
	}
}

/* ---- files ---- */

/* PATH as it is shown: relative to where the session was started. */
static struct span
show(const struct making *m, struct span path)
{
	struct span cwd = m->report->cwd;

	while (cwd.n > 0 && cwd.p[cwd.n - 1] == '/')
		cwd.n--;
	if (cwd.n > 0 && path.n > cwd.n + 1 && span_starts(path, cwd) &&
	    path.p[cwd.n] == '/')
		return span_from(path, cwd.n + 1);
	return path;
}

static uint32_t
find_file(struct making *m, struct span path)
{
	struct report *report = m->report;
	uint64_t *found = map_find(m->file_of, path);
	struct report_file *file;

	if (found != NULL)
		return (uint32_t)*found;
	file = &report->files[report->nfiles];
	file->path = keep(m, path);
	file->shown = show(m, file->path);
	*map_at(m->file_of, file->path, 0) = report->nfiles;
	return report->nfiles++;
}

/* ---- reads ---- */

/* The call of the read at NODE, searched on the way from there to the root. */
static struct record_read
find_call(const struct making *m, uint32_t node)
{
	uint32_t up[ASKED_MAX], down[ASKED_MAX];
	struct index_path path = {.nodes = down, .compaction = NODE_NONE};

	for (; node != NODE_NONE && path.n < ASKED_MAX;
	     node = m->index->nodes[node].parent)
		up[path.n++] = node;
	for (uint32_t i = 0; i < path.n; i++)
		down[i] = up[path.n - 1 - i];
	return records_read(m->records, &path, 0, path.n - 1);
}

/* When NODE was recorded, if the host noted it in its usual form. */
static struct span
find_time(const struct making *m, uint32_t node)
{
	struct arena *scratch = m->index->scratch;
	struct span time;

	arena_reset(scratch);
	time = host->time(m->index, node, scratch);
	if (time.n > 32)
		return SPAN("");
	for (size_t i = 0; i < time.n; i++)
		if (!memchr("0123456789-:.TZ+", time.p[i], 16))
			return SPAN("");
	return keep(m, time);
}

/* A read about which only the call says something. */
static void
fill_plain(struct making *m, const struct record_read *found,
    struct report_read *read)
{
	struct span path = found->call != NULL ? found->call->path : SPAN("");
	struct name_error ignored;
	struct span name;

	if (path.n == 0 ||
	    name_resolve(m->arena, path, m->where.here.cwd, m->where.here.home, &name,
		&ignored) != NAME_OK)
		name = path;
	read->file = find_file(m, name);
	read->name = SPAN("");
	read->mode = MODE_PLAIN;
	read->reason = REASON_NOT_BY_READCACHE;
	if (exclude_matches(name))
		read->reason = REASON_EXCLUDED;
	else if (!found->result->has_text)
		read->reason = REASON_NO_TEXT;
	read->served_bytes = read->baseline_bytes = found->result->text_bytes;
}

static void
fill_cached(struct making *m, const struct record_result *result,
    struct report_read *read)
{
	const struct event *meta = &result->meta.read;

	read->file = find_file(m, meta->path);
	read->name = span_eq(meta->name, meta->path) ? SPAN("")
						     : keep(m, meta->name);
	read->mode = meta->mode;
	read->reason = REASON_UNKNOWN;
	read->scope = meta->scope;
	read->hash = meta->served;
	read->pieces = meta->pieces;
	read->calls = meta->ncalls;
	read->doubt = DOUBT_CALL_GONE;
	read->base = read->key = REPORT_NONE;
	read->found = TRUST_NEVER;
	/* Only metadata that has both sizes counts as saved. */
	read->served_bytes = read->baseline_bytes = result->text_bytes;
	if (meta->has_text_bytes) {
		read->baseline_bytes = meta->bytes;
		read->served_bytes = meta->text_bytes;
	}
	m->report->cached = true;
}

static void
fill_read(struct making *m, uint32_t node, struct report_read *read)
{
	struct record_read found = find_call(m, node);

	read->asked_by = found.asked_by;
	if (found.call != NULL && !found.call->odd) {
		read->offset = found.call->offset;
		read->limit = found.call->limit;
	}
	read->time = find_time(m, node);
	read->violation = SPAN("");
	if (found.result->has_meta)
		fill_cached(m, found.result, read);
	else
		fill_plain(m, &found, read);
	count_read(m->report, read);
}

/* ---- steps ---- */

static void
fill_refresh(struct making *m, const struct event *event,
    struct report_step *step)
{
	step->refreshed = SPAN("");
	step->scope = event->scope;
	if (event->kind == EVENT_INVALIDATE)
		step->refreshed = show(m, keep(m, event->path));
}

/* What kind of step NODE is; false if it is not a step. */
static bool
kind_of(const struct making *m, uint32_t node, enum report_kind *kind)
{
	const struct index_node *at = &m->index->nodes[node];
	union node_record record = m->records->of[node];

	*kind = REPORT_UNREADABLE;
	if (at->unreadable || index_find(m->index, at->id) != node)
		return true;
	switch (at->kind) {
	case NODE_READ_RESULT:
		*kind = REPORT_READ;
		return record.result != NULL;
	case NODE_COMPACTION:
		*kind = REPORT_COMPACTION;
		return true;
	case NODE_CONTEXT_EDIT:
		*kind = REPORT_EDIT;
		return record.edit != NULL;
	case NODE_CUSTOM:
		*kind = REPORT_REFRESH;
		return record.invalidation != NULL;
	case NODE_OTHER:
	case NODE_USER:
	case NODE_ASSISTANT:
	case NODE_READ_ERROR:
	case NODE_EDIT_ERROR:
	case NODE_EDITED:
	case NODE_TOOL_RESULT:
		break;
	}
	return false;
}

static void
fill_step(struct making *m, uint32_t node, struct report_step *step)
{
	union node_record record = m->records->of[node];

	step->node = node;
	step->line = m->index->nodes[node].line;
	step->id = report_id(m->index, node, m->arena);
	step->forgets = step->kind == REPORT_COMPACTION ||
	    step->kind == REPORT_UNREADABLE;
	step->target = SPAN("");
	if (step->kind == REPORT_READ) {
		fill_read(m, node, &step->read);
	} else if (step->kind == REPORT_EDIT) {
		step->target = keep(m, record.edit->target);
		step->replaced = record.edit->replaced;
	} else if (step->kind == REPORT_REFRESH) {
		fill_refresh(m, record.invalidation, step);
	}
}

static void
fill_steps(struct making *m)
{
	const uint32_t *stretch_of = report_tree(m->report, m->index,
	    m->arena);
	enum report_kind kind;
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->index->n; i++)
		n += kind_of(m, i, &kind);
	m->report->steps = arena_array(m->arena, (size_t)n + 1,
	    sizeof(*m->report->steps));
	m->report->files = arena_array(m->arena, (size_t)n + 1,
	    sizeof(*m->report->files));
	for (uint32_t i = 0; i < m->index->n; i++) {
		struct report_step *step;

		m->step_of[i] = REPORT_NONE;
		if (!kind_of(m, i, &kind))
			continue;
		m->step_of[i] = m->report->nsteps;
		step = &m->report->steps[m->report->nsteps++];
		step->kind = kind;
		step->stretch = stretch_of[i];
		fill_step(m, i, step);
	}
}

/*
 * Could the reader know each answer?  The audit looks at the texts themselves.
 */
static void
fill_violations(struct making *m)
{
	struct audit audit = audit_session(m->records, m->where.here.home,
	    m->arena, m->progress, m->context);

	for (size_t i = 0; i < audit.n; i++) {
		uint32_t at = m->step_of[audit.violations[i].node];
		struct report_read *read;

		if (at == REPORT_NONE ||
		    m->report->steps[at].kind != REPORT_READ)
			continue;
		read = &m->report->steps[at].read;
		read->violation = audit.violations[i].why;
		m->report->sum.violations++;
		m->report->files[read->file].sum.violations++;
	}
}

/* ---- policies ---- */

static struct report_sum
sum_shadow(const struct shadow *shadow)
{
	struct report_sum sum = {
	    .reads = shadow->all.reads,
	    .baseline_bytes = shadow->all.baseline_bytes,
	    .served_bytes = shadow->all.served_bytes,
	    .violations = shadow->violations,
	};

	memcpy(sum.modes, shadow->all.modes, sizeof(sum.modes));
	return sum;
}

/* Answer every read once more, by each policy. */
static void
fill_shadow(struct making *m)
{
	struct report_shadow *to = &m->report->shadow;
	struct arena *room = arena_scratch(m->index->arena);
	struct shadow shadow;

	if (m->report->sum.reads == 0)
		return;
	shadow = shadow_run(m->records, POLICY_STRICT, m->where.here.home, room);
	to->strict = sum_shadow(&shadow);
	to->compact = shadow.compact;
	arena_reset(room);
	shadow = shadow_run(m->records, POLICY_COVERAGE, m->where.here.home, room);
	to->coverage = sum_shadow(&shadow);
	arena_reset(room);
}

struct report
report_make(const struct session_records *records, struct span file,
    struct span home, struct arena *arena, index_progress *progress,
    void *context)
{
	const struct index *index = records->index;
	struct report report = {
	    .file = file,
	    .cwd = SPAN(""),
	    .version = index->version,
	    .bytes = index->bytes,
	    .skipped = index->skipped,
	    .entries = index->n,
	};
	struct making m = {
	    .report = &report,
	    .records = records,
	    .index = index,
	    .where = {{index->cwd, home}, index->dirs},
	    .arena = arena,
	    .progress = progress,
	    .context = context,
	    .file_of = map_new(index->arena, 64),
	    .step_of = arena_array(index->arena, (size_t)index->n + 1,
		sizeof(*m.step_of)),
	};

	if (utf8_valid(index->cwd))
		report.cwd = keep(&m, index->cwd);
	fill_steps(&m);
	if (report.cached)
		report_walk(&report, records, m.step_of, m.file_of, &m.where,
		    arena, progress, context);
	fill_violations(&m);
	fill_shadow(&m);
	count_reasons(&report);
	return report;
}
