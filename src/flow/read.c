/*
 * One read, from the request to the response.  flow_read at the end is the
 * order of things; the functions above it gather one fact each.
 */
#include "answer/decide.h"
#include "answer/render.h"
#include "base/lines.h"
#include "diff/apply.h"
#include "diff/useful.h"
#include "flow/flow.h"
#include "flow/history.h"
#include "flow/subject.h"
#include "path/exclude.h"
#include "path/name.h"
#include "store/store.h"
#include "wire/response.h"

/* Larger files are read, but their versions are not kept. */
#define KEEP_MAX ((size_t)8 * 1024 * 1024)

/* An old version of the file, as far as the store has it. */
struct version {
	struct version *next;
	struct digest hash;
	bool there;
	struct span bytes;
};

/* All that is known about one read, growing from top to bottom. */
struct reading {
	struct arena *arena;
	const struct request *request;
	struct store store;
	struct subject subject;
	struct digest hash; /* of the file */
	struct scope scope; /* of the answer */
	struct trust_base base;
	struct version *versions;
	struct evidence evidence;
	struct span diff_text; /* the whole answer, if there is a diff */
};

static enum bar_fact
find_bar(const struct reading *r)
{
	const struct subject *subject = &r->subject;

	if (r->request->nested)
		return BAR_NESTED;
	if (exclude_matches(r->arena, subject->target.name) ||
	    exclude_matches(r->arena, subject->snap.key))
		return BAR_EXCLUDED;
	if (subject->view.notice == VIEW_FIRST_TOO_LONG)
		return BAR_NO_LINE;
	return subject->snap.key.n == 0 ? BAR_NO_KEY : BAR_NONE;
}

static enum base_fact
find_base(struct reading *r, const struct history *history)
{
	if (history->branch.state == BRANCH_NO_SESSION)
		return BASE_NO_SESSION;
	if (history->branch.state != BRANCH_OK)
		return BASE_NO_BRANCH;
	switch (trust_find(history->trust, r->subject.snap.key,
	    r->subject.target.name, r->scope, &r->base)) {
	case TRUST_FOUND:
		return digest_eq(&r->base.hash, &r->hash) ? BASE_SAME
							  : BASE_DIFFERS;
	case TRUST_NEVER:
		return BASE_NEVER;
	case TRUST_REFRESHED:
		return BASE_REFRESHED;
	case TRUST_MOVED:
		break;
	}
	return BASE_MOVED;
}

/* The object HASH, loaded once per request however often it is asked for. */
static bool
load_version(struct reading *r, const struct digest *hash, struct span *bytes)
{
	struct version *version = r->versions;

	while (version != NULL && !digest_eq(&version->hash, hash))
		version = version->next;
	if (version == NULL) {
		version = arena_array(r->arena, 1, sizeof(*version));
		version->hash = *hash;
		version->there = store_get(&r->store, hash, &version->bytes);
		version->next = r->versions;
		r->versions = version;
	}
	*bytes = version->bytes;
	return version->there;
}

/* Are lines FIRST to LAST of the version HASH what the file has there? */
static bool
lines_match(struct reading *r, const struct digest *hash, uint64_t first,
    uint64_t last)
{
	struct span old_text, old_lines, new_lines;

	return load_version(r, hash, &old_text) &&
	    lines_slice(old_text, first, last, &old_lines) &&
	    lines_slice(r->subject.snap.bytes, first, last, &new_lines) &&
	    span_eq(old_lines, new_lines);
}

/* Is what VIEW showed of the asked-for lines still so? */
static bool
view_holds(struct reading *r, const struct trust_view *view)
{
	uint64_t total = r->subject.view.total;
	bool full = r->scope.kind == SCOPE_FULL;
	uint64_t first = full ? 1 : r->scope.first;
	uint64_t last = full ? total : r->scope.last;

	if (view->veiled)
		return false;
	if (digest_eq(&view->hash, &r->hash))
		return true;
	/* It told how long the file is, or where it ends. */
	if ((full && view->total != total) ||
	    (view->ends && last > view->last))
		return false;
	if (first < view->first)
		first = view->first;
	if (last > view->last)
		last = view->last;
	return first > last || lines_match(r, &view->hash, first, last);
}

/* T6: what was shown after the base must still be so. */
static enum newer_fact
find_newer(struct reading *r, const struct history *history)
{
	struct span path = r->subject.snap.key;
	struct span name = r->subject.target.name;
	const struct trust_view *view = trust_newest_view(history->trust,
	    path, name);

	while (view != NULL && view->seq > r->base.seq) {
		bool same = !view->veiled &&
		    digest_eq(&view->hash, &r->base.hash);

		if (!same && !view_holds(r, view))
			return NEWER_DISAGREES;
		view = trust_older_view(view, path, name);
	}
	return NEWER_AGREES;
}

static enum change_fact
find_diff(struct reading *r, struct span old_text)
{
	struct span new_text = r->subject.snap.bytes;
	uint64_t total = r->subject.view.total;
	struct diff_cost cost;
	struct diff diff;
	struct buf text;

	if (!diff_worth_trying(old_text.n, lines_count(old_text)) ||
	    !diff_worth_trying(new_text.n, total))
		return CHANGE_DIFF_USELESS;
	if (!diff_make(r->arena, old_text, new_text, &diff))
		return CHANGE_DIFF_FAILED;
	text = buf_new(r->arena, diff.hunks.n + 256);
	render_diff(&text, &diff, total, r->subject.target.asked);
	r->diff_text = buf_span(&text);
	cost = (struct diff_cost){
	    .answer_bytes = r->diff_text.n,
	    .answer_lines = lines_count(r->diff_text),
	    .diff_lines = diff.lines,
	    .plain_bytes = new_text.n,
	    .plain_lines = total,
	};
	if (!diff_useful(&cost))
		return CHANGE_DIFF_USELESS;
	return diff_applies(diff.hunks, old_text, new_text)
	    ? CHANGE_DIFF_USEFUL
	    : CHANGE_DIFF_FAILED; /* T10 */
}

static enum change_fact
find_change(struct reading *r)
{
	struct span old_text, old_lines;
	const struct view *view = &r->subject.view;

	if (!load_version(r, &r->base.hash, &old_text))
		return CHANGE_BASE_MISSING;
	if (r->scope.kind == SCOPE_FULL)
		return find_diff(r, old_text);
	return lines_slice(old_text, view->first, view->last, &old_lines) &&
		span_eq(old_lines, view->text)
	    ? CHANGE_LINES_SAME
	    : CHANGE_LINES_DIFFER;
}

/* The facts in the order in which they cost more. */
static void
gather(struct reading *r)
{
	struct evidence *ev = &r->evidence;
	struct history history;
	struct focus focus;

	ev->bar = find_bar(r);
	if (ev->bar != BAR_NONE)
		return;
	r->hash = digest_of(r->subject.snap.bytes);
	r->scope = view_scope(&r->subject.view);
	ev->scope = r->scope.kind;
	ev->base = BASE_BYPASSED;
	if (r->request->bypass)
		return;
	focus = (struct focus){
	    .path = r->subject.snap.key,
	    .name = r->subject.target.name,
	    .bytes = r->subject.snap.bytes,
	    .hash = r->hash,
	};
	history = history_load(r->arena, r->request, &focus);
	ev->base = find_base(r, &history);
	if (ev->base != BASE_SAME && ev->base != BASE_DIFFERS)
		return;
	ev->newer = find_newer(r, &history);
	if (ev->newer == NEWER_AGREES && ev->base == BASE_DIFFERS)
		ev->change = find_change(r);
}

/* What the host's own read gives. */
static struct span
render_plain(const struct reading *r)
{
	const struct view *view = &r->subject.view;
	struct buf text;

	if (view->notice == VIEW_WHOLE)
		return view->text; /* the file's own bytes, not copied */
	text = buf_new(r->arena, view->text.n + 256);
	view_write(&text, view, r->subject.target.asked);
	return buf_span(&text);
}

/* Has another tool delivered something else than the plain read? */
static bool
other_text(const struct reading *r)
{
	struct digest plain;

	if (!r->request->has_delivered)
		return false;
	plain = digest_of(render_plain(r));
	return !digest_eq(&plain, &r->request->delivered);
}

static struct span
render(struct reading *r, struct verdict verdict)
{
	const struct view *view = &r->subject.view;
	struct buf text;

	switch (verdict.mode) {
	case MODE_DIFF:
		return r->diff_text;
	case MODE_UNCHANGED:
	case MODE_UNCHANGED_RANGE:
		text = buf_new(r->arena, 160);
		render_marker(&text, view, r->evidence.base == BASE_DIFFERS);
		return buf_span(&text);
	case MODE_FULL:
	case MODE_FALLBACK:
	case MODE_PLAIN:
	case MODE_COUNT:
		break;
	}
	return render_plain(r);
}

static struct meta
make_meta(const struct reading *r, enum mode mode, uint64_t plain_bytes)
{
	enum base_fact base = r->evidence.base;

	return (struct meta){
	    .read =
		{
		    .kind = EVENT_READ,
		    .path = r->subject.snap.key,
		    .name = r->subject.target.name,
		    .scope = r->scope,
		    .mode = mode,
		    .has_base = base == BASE_SAME || base == BASE_DIFFERS,
		    .served = r->hash,
		    .base = r->base.hash,
		    .total = r->subject.view.total,
		    .bytes = plain_bytes,
		},
	};
}

static void
respond(const struct reading *r, struct verdict verdict, struct span text,
    struct buf *out)
{
	const struct subject *subject = &r->subject;
	uint64_t plain = view_bytes(r->arena, &subject->view,
	    subject->target.asked);
	struct meta meta = make_meta(r, verdict.mode, plain);
	bool compact = verdict.mode == MODE_DIFF ||
	    verdict.mode == MODE_UNCHANGED ||
	    verdict.mode == MODE_UNCHANGED_RANGE;
	struct response_read read = {
	    .text = text,
	    .truncation = !compact && view_truncated(&subject->view)
		? &subject->view
		: NULL,
	    .meta = verdict.mode == MODE_PLAIN ? NULL : &meta,
	    .verdict = verdict,
	    .scope = r->scope,
	    .has_scope = verdict.mode != MODE_PLAIN,
	    .baseline_bytes = plain,
	};

	response_read(out, r->request->id, &read);
}

static enum outcome
respond_delegate(const struct reading *r, struct buf *out)
{
	const struct subject *subject = &r->subject;
	struct response_delegate delegate = {
	    .reason = subject->reason,
	    .ranged = subject->target.ranged,
	    .path = subject->target.asked,
	    .offset = subject->offset,
	    .limit = subject->limit,
	};

	response_delegate(out, r->request->id, &delegate);
	return OUTCOME_OK;
}

enum outcome
flow_read(struct arena *arena, const struct request *request, struct buf *out)
{
	struct reading r = {.arena = arena, .request = request};
	struct verdict verdict;
	struct span text;

	r.store = store_at(arena, name_normalize(arena, request->store),
	    name_normalize(arena, request->cwd));
	switch (subject_load(arena, request, &r.subject)) {
	case SUBJECT_OK:
		break;
	case SUBJECT_ERROR:
		response_error(out, request->id, r.subject.code,
		    r.subject.message);
		return OUTCOME_FAILED;
	case SUBJECT_DELEGATE:
		return respond_delegate(&r, out);
	}
	if (other_text(&r)) {
		r.subject.reason = "other_text";
		return respond_delegate(&r, out);
	}
	gather(&r);
	verdict = decide(r.evidence);
	text = render(&r, verdict);
	respond(&r, verdict, text, out);

	/*
	 * Last, when the answer stands.  A base of the same hash was kept when
	 * it was shown; to look after it again would slow the commonest read.
	 */
	if (verdict.mode != MODE_PLAIN && r.evidence.base != BASE_SAME &&
	    r.subject.snap.bytes.n <= KEEP_MAX)
		(void)store_put(&r.store, &r.hash, r.subject.snap.bytes);
	return OUTCOME_OK;
}
