/*
 * A recorded read, answered as readcache answers.
 */
#include "answer/answer.h"
#include "diff/useful.h"
#include "inspect/shadow_inside.h"

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

void
shadow_answer(struct shadow_walk *w, const struct replica *r,
    struct shadow_read *answered)
{
	struct excerpt shown = shown_by(r);
	struct question question = {
	    .path = r->name,
	    .name = r->name,
	    .asked = r->read.call->path,
	    .hash = shadow_hash(w, r),
	    .shown = &shown,
	    .now = {r->view.text, r->view.first},
	    .policy = w->policy,
	    .repeat = REPEAT_DEFAULT,
	    .diff_max_bytes = DIFF_MAX_BYTES,
	    .diff_max_lines = DIFF_MAX_LINES,
	    .beside = r->beside,
	    .read_beside = r->read_beside,
	    .read_before = r->read_beside, /* or after it: at least */
	};
	struct reply answer =
	    answer_make(w->scratch, &question, w->trust, &w->library);
	struct event event = answer.read;

	event.kind = is_gone(w, r->read.asked_by) ? EVENT_SIGHTING : EVENT_READ;
	event.at = r->read.node;
	event.sealed = true;
	answered->mode = event.mode;
	answered->reason = answer.verdict.reason;
	answered->served_bytes = answer.text.n;
	if (mode_is_compact(event.mode) &&
	    !witness_agrees(
		w->witness, &w->events, &event, answer.text, w->scratch))
		w->shadow->violations++;
	shadow_keep(w, &question.hash, &r->read);
	shadow_deliver(w, &event);
}
