/*
 * One read, from the request to the response.  service_read, at the end, puts
 * the steps in order.  Each function above it finds one fact.
 */
#include "answer/decide.h"
#include "answer/render.h"
#include "answer/weigh.h"
#include "config/config.h"
#include "path/exclude.h"
#include "serve/history.h"
#include "serve/response.h"
#include "serve/service.h"
#include "serve/siblings.h"
#include "serve/subject.h"
#include "store/store.h"

/* Larger files are read, but their versions are not kept. */
#define KEEP_MAX ((size_t)8 * 1024 * 1024)

/* Everything known about one read, filled in from top to bottom. */
struct reading {
	struct arena *arena;
	struct known *known;
	const struct request *request;
	struct config config; /* the settings in force */
	struct store store;
	struct subject subject;
	struct digest hash; /* of the file */
	struct scope scope; /* of the answer */
	struct history history;
	enum siblings siblings;
	struct evidence evidence;
	struct weighed weighed;
};

static bool
is_excluded(const struct reading *r, struct span path)
{
	return exclude_matches(r->arena, path) ||
	    config_excludes(r->arena, &r->config, path);
}

static enum bar_fact
find_bar(const struct reading *r)
{
	const struct subject *subject = &r->subject;

	if (r->request->nested)
		return BAR_NESTED;
	if (is_excluded(r, subject->target.name) ||
	    is_excluded(r, subject->snap.key))
		return BAR_EXCLUDED;
	if (r->config.unread)
		return BAR_SETTINGS;
	if (subject->view.notice == VIEW_FIRST_TOO_LONG)
		return BAR_NO_LINE;
	return subject->snap.key.n == 0 ? BAR_NO_KEY : BAR_NONE;
}

/* Old versions come from the store. */
static bool
load_object(void *context, const struct digest *hash, struct piece *piece)
{
	struct reading *r = context;

	piece->first = 1;
	return store_get(&r->store, hash, &piece->text);
}

/*
 * Load the session's branch, as far as it is about the file.  An answer without
 * metadata needs only the calls that run beside the read.
 */
static void
recall(struct reading *r)
{
	const struct subject *subject = &r->subject;
	/* If the read fails, one or both of these may be unknown. */
	struct focus focus = {
	    .path = subject->snap.key.n > 0 ? subject->snap.key : SPAN(""),
	    .name = subject->target.name.n > 0 ? subject->target.name
					       : SPAN(""),
	    .bytes = SPAN(""),
	};

	if (r->evidence.bar == BAR_NONE) {
		r->hash = known_digest(r->known, subject->snap.key,
		    subject->snap.bytes);
		focus.bytes = subject->snap.bytes;
		focus.hash = r->hash;
	}
	r->history = history_load(r->arena, r->request, &focus);
	r->siblings = siblings_look(r->arena, r->request,
	    r->history.branch.pending, subject->target.name);
}

/* What the branch proves about the file and the requested lines. */
static enum base_fact
consult(struct reading *r)
{
	const struct subject *subject = &r->subject;
	struct question question = {
	    .policy = r->request->has_policy ? r->request->policy
					     : r->config.policy,
	    .repeat = r->config.limits[LIMIT_REPEAT].value,
	    .diff_max_bytes = r->config.limits[LIMIT_DIFF_BYTES].value,
	    .diff_max_lines = r->config.limits[LIMIT_DIFF_LINES].value,
	    .path = subject->snap.key,
	    .name = subject->target.name,
	    .asked = subject->target.asked,
	    .hash = r->hash,
	    .view = &subject->view,
	    .now = {subject->snap.bytes, 1},
	};
	struct library library = {load_object, r};
	enum branch_state state = r->history.branch.state;

	if (state == BRANCH_NO_SESSION)
		return BASE_NO_SESSION;
	if (state != BRANCH_OK)
		return BASE_NO_BRANCH;
	r->weighed = weigh(r->arena, &question, r->history.trust, &library);
	if (r->weighed.paged)
		r->scope = scope_full(); /* the diff covers all lines */
	return r->weighed.base;
}

/* The cheapest facts first. */
static void
gather(struct reading *r)
{
	struct evidence *ev = &r->evidence;

	if (ev->bar != BAR_NONE)
		return;
	r->scope = view_scope(&r->subject.view);
	ev->base = r->request->bypass ? BASE_BYPASSED : consult(r);
	ev->scope = r->scope.kind;
	ev->newer = r->weighed.newer;
	ev->change = r->weighed.change;
	ev->cover = r->weighed.cover;
	ev->pause = r->weighed.pause;
	ev->marker = r->weighed.marker;
	ev->beside = r->siblings == SIBLINGS_UNKNOWN ? BESIDE_UNKNOWN
						     : BESIDE_NOTHING;
}

/* The text that the host's own read gives. */
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

/* Has another tool delivered something other than the plain read? */
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
render(struct reading *r, struct decided verdict)
{
	const struct view *view = &r->subject.view;
	struct buf text;

	switch (verdict.mode) {
	case MODE_DIFF:
		return r->weighed.diff_text;
	case MODE_UNCHANGED:
	case MODE_UNCHANGED_RANGE:
		text = buf_new(r->arena, 160);
		render_marker(&text, view, weighed_elsewhere(&r->weighed));
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
	const struct evidence *ev = &r->evidence;

	return (struct meta){
	    .rests = mode_is_compact(mode) ? &r->weighed.rests : NULL,
	    .read =
		{
		    .kind = EVENT_READ,
		    .path = r->subject.snap.key,
		    .name = r->subject.target.name,
		    .scope = r->scope,
		    .mode = mode,
		    .has_base = ev->base == BASE_SAME ||
			ev->base == BASE_DIFFERS || ev->cover == COVER_ALL,
		    .served = r->hash,
		    .base = r->weighed.base_hash,
		    .total = r->subject.view.total,
		    .bytes = plain_bytes,
		},
	};
}

static void
respond(const struct reading *r, struct decided verdict, struct span text,
    struct buf *out)
{
	const struct subject *subject = &r->subject;
	uint64_t plain = view_bytes(r->arena, &subject->view,
	    subject->target.asked);
	struct meta meta = make_meta(r, verdict.mode, plain);
	bool compact = mode_is_compact(verdict.mode);
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

static enum service_status
respond_delegate(const struct reading *r, const char *reason, struct buf *out)
{
	const struct subject *subject = &r->subject;
	struct response_delegate delegate = {
	    .reason = reason,
	    .ranged = subject->target.ranged,
	    .path = subject->target.asked,
	    .offset = subject->offset,
	    .limit = subject->limit,
	};

	response_delegate(out, r->request->id, &delegate);
	return SERVICE_OK;
}

/*
 * The read fails, for now.  If a call that runs beside it makes the file, the
 * host's own read may come after that call.
 */
static enum service_status
respond_error(struct reading *r, struct buf *out)
{
	r->evidence.bar = BAR_NO_KEY;
	recall(r);
	if (r->siblings == SIBLINGS_CHANGE)
		return respond_delegate(r, "sibling", out);
	response_error(out, r->request->id, r->subject.code,
	    r->subject.message);
	return SERVICE_FAILED;
}

enum service_status
service_read(struct service *service, const struct request *request,
    struct buf *out)
{
	struct arena *arena = service->arena;
	struct reading r = {
	    .arena = arena, .known = service->known, .request = request};
	struct config_where where = config_where(request->cwd);
	struct decided verdict;
	struct span text;

	r.config = config_load(arena, &where);
	r.store = service_store(arena, request, &r.config);
	switch (subject_load(arena, request, &r.subject)) {
	case SUBJECT_OK:
		break;
	case SUBJECT_ERROR:
		return respond_error(&r, out);
	case SUBJECT_DELEGATE:
		return respond_delegate(&r, r.subject.reason, out);
	}
	if (other_text(&r))
		return respond_delegate(&r, "other_text", out);
	r.evidence.bar = find_bar(&r);
	recall(&r);
	if (r.siblings == SIBLINGS_CHANGE)
		return respond_delegate(&r, "sibling", out); /* T14 */
	gather(&r);
	verdict = decide(r.evidence);
	text = render(&r, verdict);
	respond(&r, verdict, text, out);

	/*
	 * Last, after the answer is complete.  A version is stored for a marker
	 * as well as for a text: if the text a marker rests on is taken away,
	 * the marker is sent as what it stood for.  Without a session nothing
	 * will ever refer to it.
	 */
	if (verdict.mode != MODE_PLAIN &&
	    r.evidence.base != BASE_NO_SESSION &&
	    r.subject.snap.bytes.n <= KEEP_MAX)
		service->upkeep = upkeep_for(&r.store, &r.config, &r.hash,
		    r.subject.snap.bytes);
	return SERVICE_OK;
}
