/*
 * One read, from the request to the response.  service_read, at the end, puts
 * the steps in order.  Each function above it finds one fact.
 */
#include "answer/answer.h"
#include "config/config.h"
#include "host/host.h"
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
	struct excerpt shown; /* by the host's own read */
	enum bar_fact bar;
	struct digest hash; /* of the file */
	struct history history;
	struct siblings siblings;
};

/* Is the file excluded?  By any of its names, most often one and the same. */
static bool
is_excluded(const struct reading *r)
{
	const struct target *target = &r->subject.target;
	const struct span names[] = {
	    r->subject.snap.key, target->name, target->called};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (i > 0 && span_eq(names[i], names[i - 1]))
			continue;
		if (exclude_matches(names[i]) ||
		    config_excludes(r->arena, &r->config, names[i]))
			return true;
	}
	return false;
}

static enum bar_fact
find_bar(const struct reading *r)
{
	const struct subject *subject = &r->subject;

	if (r->request->nested)
		return BAR_NESTED;
	if (is_excluded(r))
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
	    .name = subject->target.called.n > 0 ? subject->target.called
						 : SPAN(""),
	    .bytes = SPAN(""),
	};

	if (r->bar == BAR_NONE) {
		r->hash = known_digest(r->known, subject->snap.key,
		    subject->snap.bytes);
		focus.bytes = subject->snap.bytes;
		focus.hash = r->hash;
	}
	r->history = history_load(r->arena, r->request, &focus);
	r->siblings = siblings_look(r->arena, r->request,
	    r->history.branch.pending, subject->target.name);
}

/* Why there is no trust table to ask; BASE_NEVER if there is one. */
static enum base_fact
find_no_trust(const struct reading *r)
{
	enum branch_state state = r->history.branch.state;

	if (r->request->bypass)
		return BASE_BYPASSED;
	if (state == BRANCH_NO_SESSION)
		return BASE_NO_SESSION;
	return state != BRANCH_OK ? BASE_NO_BRANCH : BASE_NEVER;
}

static struct question
ask(const struct reading *r)
{
	const struct subject *subject = &r->subject;

	return (struct question){
	    .path = subject->snap.key,
	    .name = subject->target.called,
	    .asked = subject->target.asked,
	    .hash = r->hash,
	    .shown = &r->shown,
	    .now = {subject->snap.bytes, 1},
	    .policy = r->request->has_policy ? r->request->policy
					     : r->config.policy,
	    .repeat = r->config.limits[LIMIT_REPEAT].value,
	    .diff_max_bytes = r->config.limits[LIMIT_DIFF_BYTES].value,
	    .diff_max_lines = r->config.limits[LIMIT_DIFF_LINES].value,
	    .bar = r->bar,
	    .beside = r->siblings.unknown ? BESIDE_UNKNOWN : BESIDE_NOTHING,
	    .read_beside = r->siblings.read,
	    .read_before = r->siblings.before,
	    .no_trust = find_no_trust(r),
	};
}

/* Has another tool delivered something other than the plain read? */
static bool
other_text(const struct reading *r)
{
	struct digest plain;

	if (!r->request->has_delivered)
		return false;
	plain = digest_of(excerpt_text(r->arena, &r->shown));
	return !digest_eq(&plain, &r->request->delivered);
}

static void
respond(const struct reading *r, const struct reply *answer, struct buf *out)
{
	enum mode mode = answer->verdict.mode;
	struct meta meta = {.read = answer->read, .rests = &answer->rests};
	struct response_read read = {
	    .text = answer->text,
	    .truncation = !mode_is_compact(mode) && r->shown.cut
		? &r->subject.view
		: NULL,
	    .meta = mode == MODE_PLAIN ? NULL : &meta,
	    .verdict = answer->verdict,
	    .scope = answer->read.scope,
	    .has_scope = mode != MODE_PLAIN,
	    .baseline_bytes = answer->read.bytes,
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
	r->bar = BAR_NO_KEY;
	recall(r);
	if (r->siblings.change)
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
	struct library library = {load_object, &r};
	struct question question;
	struct reply answer;

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
	r.shown = host->excerpt(arena, &r.subject.view, r.subject.target.asked);
	if (other_text(&r))
		return respond_delegate(&r, "other_text", out);
	r.bar = find_bar(&r);
	recall(&r);
	if (r.siblings.change)
		return respond_delegate(&r, "sibling", out); /* T14 */
	question = ask(&r);
	answer = answer_make(arena, &question,
	    question.no_trust == BASE_NEVER ? r.history.trust : NULL,
	    &library);
	respond(&r, &answer, out);

	/*
	 * Last, after the answer is complete.  A version is stored for a marker
	 * as well as for a text: if the text a marker rests on is taken away,
	 * the marker is sent as what it stood for.  Without a session nothing
	 * will ever refer to it.
	 */
	if (answer.verdict.mode != MODE_PLAIN &&
	    question.no_trust != BASE_NO_SESSION &&
	    r.subject.snap.bytes.n <= KEEP_MAX)
		service->upkeep = upkeep_for(&r.store, &r.config, &r.hash,
		    r.subject.snap.bytes);
	return SERVICE_OK;
}
