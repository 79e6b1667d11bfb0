#include "session/events.h"

#include "base/map.h"
#include "replay/bill.h"

/*
 * The assistants' messages so far, newest first.  The one that asked for a
 * result is found here by the id of the call.  In a session of pi it is the
 * first one looked at.
 */
struct asking_message {
	struct asking_message *before;
	struct call *calls;
	bool many; /* it is an indexed_message */
	bool gone; /* edited or not sent again, like its results (T4) */
	bool edit; /* a context edit, which explains a lower bill */
	struct bill bill;
};

/* A message with many calls.  Most messages have one. */
struct indexed_message {
	struct asking_message asking;
	struct map *by_id; /* id -> its first call */
};

/* A call of the last message that has a result. */
struct answered {
	struct answered *before;
	struct span call_id;
};

enum {
	ASKING_MAX = 64, /* how far back a call is looked for */
	CALLS_FEW = 8	 /* up to this many are searched one by one */
};

struct events
events_new(struct arena *arena, const struct focus *focus)
{
	return (struct events){.arena = arena, .focus = focus};
}

void
events_append(struct events *events, const struct event *event)
{
	events->list = arena_more(events->arena, events->list, events->n,
	    &events->room, sizeof(*events->list));
	events->list[events->n++] = *event;
}

/* What a pieced answer rests on, so that it lives as long as ARENA. */
static void
keep_proof(const struct json_doc *doc, struct event *event,
    struct arena *arena)
{
	struct rests *rests;
	struct span *calls;

	if (event->pieces == 0 || doc->arena == arena)
		return;
	rests = arena_alloc(arena, sizeof(*rests));
	*rests = *event->rests;
	event->rests = rests;
	calls = arena_array(arena, event->ncalls + 1, sizeof(*calls));
	for (size_t i = 0; i < event->ncalls; i++)
		calls[i] = text_keep(doc, event->calls[i], arena);
	event->calls = calls;
}

struct event
event_keep(const struct json_doc *doc, const struct event *event,
    struct arena *arena)
{
	struct event kept = *event;

	kept.path = text_keep(doc, event->path, arena);
	kept.name = text_keep(doc, event->name, arena);
	kept.asked = text_keep(doc, event->asked, arena);
	keep_proof(doc, &kept, arena);
	return kept;
}

void
events_add_event(struct events *events, const struct json_doc *doc,
    const struct event *event, uint32_t at)
{
	struct event kept = event_keep(doc, event, events->arena);

	kept.at = at;
	events_append(events, &kept);
}

/* The first call with ID from CALL on, or NULL. */
static struct call *
same_id(struct call *call, struct span id)
{
	while (call != NULL && !span_eq(call->id, id))
		call = call->next;
	return call;
}

/* Is the path of CALL unclear, because another call has the same id? */
static bool
is_unclear(const struct call *call)
{
	for (const struct call *other = same_id(call->next, call->id);
	     other != NULL; other = same_id(other->next, call->id))
		if (!span_eq(other->path, call->path))
			return true;
	return false;
}

/* The calls of one message by their ids; NULL if there are few. */
static struct map *
index_calls(struct arena *arena, struct call *calls)
{
	struct map *by_id;
	size_t n = 0;

	for (const struct call *c = calls; c != NULL; c = c->next)
		n++;
	if (n <= CALLS_FEW)
		return NULL;
	by_id = map_new(arena, n);
	for (struct call *c = calls; c != NULL; c = c->next) {
		uint64_t *at = map_at(by_id, c->id, (uintptr_t)c);
		struct call *first = (struct call *)(uintptr_t)*at;

		first->twice = first->twice || c != first;
		if (!span_eq(first->path, c->path))
			first->unclear = true;
	}
	return by_id;
}

/* The call of ASKING with this ID, or NULL; *PATH is the path it is for. */
static const struct call *
find_call(
    const struct asking_message *asking, struct span id, struct span *path)
{
	const uint64_t *found;
	const struct call *call;
	bool unclear;

	if (asking->many) {
		found = map_find(
		    ((const struct indexed_message *)asking)->by_id, id);
		call = found != NULL ? (struct call *)(uintptr_t)*found : NULL;
		unclear = call != NULL && call->unclear;
	} else {
		call = same_id(asking->calls, id);
		unclear = call != NULL && is_unclear(call);
	}
	if (call != NULL)
		*path = unclear ? SPAN("") : call->path;
	return call;
}

/* What the call CALL_ID of ASKING changed; NULL: another has the same id. */
static const struct own_change *
own_of(const struct asking_message *asking, struct span call_id)
{
	const struct call *call;

	if (asking->many) {
		call = (const struct call *)(uintptr_t)*map_find(
		    ((const struct indexed_message *)asking)->by_id, call_id);
		return call->twice ? NULL : call->own;
	}
	call = same_id(asking->calls, call_id);
	return same_id(call->next, call_id) == NULL ? call->own : NULL;
}

static void
push(struct events *events, struct asking_message asking)
{
	struct map *by_id = index_calls(events->arena, asking.calls);
	struct indexed_message *indexed;
	struct asking_message *pushed;

	asking.before = events->turn.asking;
	asking.many = by_id != NULL;
	if (asking.many) {
		indexed = arena_alloc(events->arena, sizeof(*indexed));
		indexed->by_id = by_id;
		pushed = &indexed->asking;
	} else {
		pushed = arena_alloc(events->arena, sizeof(*pushed));
	}
	*pushed = asking;
	events->turn.asking = pushed;
}

/*
 * T15: did BILL's request contain much less than an earlier one, without a
 * record of what was taken out?
 */
static bool
bill_fell(const struct events *events, const struct bill *bill)
{
	const struct asking_message *before = events->turn.asking;

	for (int i = 0; i < ASKING_MAX && before != NULL && !before->edit; i++) {
		if (before->bill.tokens > 0 &&
		    span_eq(before->bill.model, bill->model) &&
		    span_eq(before->bill.provider, bill->provider))
			return bill_is_loss(before->bill.tokens, bill->tokens);
		before = before->before;
	}
	return false;
}

void
events_add_calls(struct events *events, struct call *calls, bool gone,
    const struct bill *bill, uint32_t at)
{
	const struct event loss = {
	    .kind = EVENT_FORGET, .doubt = DOUBT_LOSS, .at = at};

	if (bill->tokens > 0 && bill_fell(events, bill))
		events_append(events, &loss);
	push(events, (struct asking_message){
			 .calls = calls, .gone = gone, .bill = *bill});
	events->turn.answered = NULL;
	events->turn.over = false;
}

void
events_add_answered(struct events *events, struct span call_id)
{
	struct answered *answered = arena_alloc(events->arena,
	    sizeof(*answered));

	*answered = (struct answered){events->turn.answered, call_id};
	events->turn.answered = answered;
}

void
events_add_user(struct events *events)
{
	events->turn.over = true;
}

struct call *
events_pending(const struct turn *turn, struct arena *arena)
{
	const struct asking_message *asking = turn->asking;
	struct call *first = NULL, **end = &first;
	struct map *done = map_new(arena, 4);

	while (asking != NULL && asking->edit)
		asking = asking->before;
	if (asking == NULL || turn->over)
		return NULL;
	for (const struct answered *a = turn->answered; a != NULL; a = a->before)
		(void)map_at(done, a->call_id, 1);
	for (const struct call *c = asking->calls; c != NULL; c = c->next) {
		if (map_find(done, c->id) != NULL)
			continue;
		*end = arena_alloc(arena, sizeof(**end));
		**end = *c;
		(*end)->next = NULL;
		end = &(*end)->next;
	}
	return first;
}

/*
 * The message that asked for the result with CALL_ID; NULL if there is none.
 * If its call is found, *PATH is the path it asked for, or "" if that is
 * unclear.  If it may be too far back to look for, it counts as gone.
 */
static const struct asking_message *
find_asking(const struct events *events, struct span call_id,
    struct span *path)
{
	static const struct asking_message too_far = {.gone = true};
	const struct asking_message *asking = events->turn.asking;

	for (int i = 0; i < ASKING_MAX && asking != NULL; i++) {
		if (call_id.n > 0 && find_call(asking, call_id, path) != NULL)
			return asking;
		asking = asking->before;
	}
	return asking != NULL ? &too_far : NULL;
}

struct span
events_asked(const struct events *events, struct span call_id)
{
	struct span asked = SPAN("");

	(void)find_asking(events, call_id, &asked);
	return asked;
}

bool
events_elsewhere(const struct events *events, struct span call_id)
{
	return !focus_asked(events->focus, events_asked(events, call_id));
}

/* T4: the model no longer sees it. */
static void
take_back(
    struct event *event, enum edit edit, const struct asking_message *asking)
{
	if (edit == EDIT_NONE && (asking == NULL || !asking->gone))
		return;
	event->kind = EVENT_SIGHTING;
	event->doubt = edit != EDIT_NONE ? DOUBT_EDITED : DOUBT_CALL_GONE;
	if (edit == EDIT_REPLACED)
		event->veiled = true;
	if (edit == EDIT_OMITTED)
		event->omitted = true;
}

/* Add what READ and EVENT say of a result whose message ASKING asked ASKED. */
static void
finish_read(struct events *events, const struct json_doc *doc,
    enum message_read read, struct event event,
    const struct asking_message *asking, struct span asked, enum edit edit,
    uint32_t at)
{
	switch (read) {
	case MESSAGE_READ_EVENT:
		if (asking != NULL && event.nameless)
			event.asked = asked;
		take_back(&event, edit, asking);
		events_add_event(events, doc, &event, at);
		break;
	case MESSAGE_READ_UNKNOWN:
	case MESSAGE_READ_LONG_LINE:
		if (edit == EDIT_REPLACED) /* it says something else now */
			event.scope = scope_full();
		event.name = asked;
		if (asked.n == 0)
			event.kind = EVENT_FORGET; /* it may be any file */
		events_add_event(events, doc, &event, at); /* T12 */
		break;
	case MESSAGE_READ_ELSEWHERE:
		break;
	}
}

void
events_add_read(struct events *events, const struct json_doc *doc,
    enum message_read read, const struct event *event, struct span call_id,
    enum edit edit, uint32_t at)
{
	struct span asked = SPAN("");
	const struct asking_message *asking =
	    find_asking(events, call_id, &asked);

	events_add_answered(events, call_id);
	finish_read(events, doc, read, *event, asking, asked, edit, at);
}

/* SPEC 16: the model does not know the text as well as it thinks. */
void
events_add_refused(struct events *events, struct span call_id, uint32_t at)
{
	struct event event = {.kind = EVENT_EDIT_FAILED, .at = at};
	const struct asking_message *asking =
	    find_asking(events, call_id, &event.name);

	events_add_answered(events, call_id);
	if (asking != NULL && event.name.n > 0)
		events_append(events, &event);
}

void
events_add_context_edit(struct events *events, bool known, uint32_t at)
{
	const struct event event = {
	    .kind = EVENT_FORGET, .doubt = DOUBT_UNKNOWN_EDIT, .at = at};

	push(events, (struct asking_message){.edit = true});
	if (!known)
		events_append(events, &event); /* T4 */
}

void
events_add_edited(struct events *events, struct span call_id, enum edit edit,
    uint32_t at)
{
	struct event event = {
	    .kind = EVENT_EDITED, .name = SPAN(""), .at = at};
	const struct asking_message *asking =
	    find_asking(events, call_id, &event.name);

	/* Nobody knows what the model is told of it now. */
	if (asking != NULL && !asking->gone && edit == EDIT_NONE &&
	    event.name.n > 0)
		event.own = own_of(asking, call_id);
	events_add_answered(events, call_id);
	if (event.name.n == 0)
		event.kind = EVENT_FORGET; /* it may be any file */
	else if (!focus_asked(events->focus, event.name))
		return;
	events_append(events, &event);
}
