#include "wire/events.h"

#include "wire/json.h"

/*
 * The assistant's messages so far, newest first: a result is found there by
 * the id of its call.  In a session of pi it is the first one looked at.
 */
struct asking {
	struct asking *before;
	struct call *calls;
	bool gone; /* edited, or never sent again: so are its results (T4) */
};

enum { ASKING_MAX = 64 }; /* how far back a call is looked for */

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

static void
add(struct events *events, const struct json_doc *doc,
    const struct event *event, uint32_t at)
{
	struct event kept = *event;

	kept.at = at;
	kept.path = entry_keep(doc, event->path, events->arena);
	kept.name = entry_keep(doc, event->name, events->arena);
	kept.asked = entry_keep(doc, event->asked, events->arena);
	events_append(events, &kept);
}

void
events_add_calls(struct events *events, struct call *calls, bool gone)
{
	struct asking *asking = arena_alloc(events->arena, sizeof(*asking));

	*asking = (struct asking){events->asking, calls, gone};
	events->asking = asking;
}

/* The path of CALL; empty if another one has the same id and another path. */
static struct span
call_path(const struct call *call)
{
	const struct call *other = call->next;

	while (other != NULL && (!span_eq(other->id, call->id) ||
				    span_eq(other->path, call->path)))
		other = other->next;
	return other != NULL ? SPAN("") : call->path;
}

/*
 * Who asked for the result with CALL_ID, and for which PATH, empty if that
 * cannot be told; NULL if nobody did.  One that may stand too far back to be
 * looked for counts as gone.
 */
static const struct asking *
find_asking(const struct events *events, struct span call_id,
    struct span *path)
{
	static const struct asking too_far = {.gone = true};
	const struct asking *asking = events->asking;

	for (int i = 0; i < ASKING_MAX && asking != NULL; i++) {
		const struct call *call = asking->calls;

		while (call != NULL && !span_eq(call->id, call_id))
			call = call->next;
		if (call != NULL && call_id.n > 0) {
			*path = call_path(call);
			return asking;
		}
		asking = asking->before;
	}
	return asking != NULL ? &too_far : NULL;
}

bool
events_elsewhere(const struct events *events, struct span call_id)
{
	struct span asked = SPAN("");

	(void)find_asking(events, call_id, &asked);
	return !focus_asked(events->focus, asked);
}

/* T4: the model does not see it any more. */
static void
take_back(struct event *event, enum edit edit, const struct asking *asking)
{
	if (edit == EDIT_NONE && (asking == NULL || !asking->gone))
		return;
	event->kind = EVENT_SIGHTING;
	event->doubt = edit != EDIT_NONE ? DOUBT_EDITED : DOUBT_CALL_GONE;
	if (edit == EDIT_REPLACED)
		event->veiled = true;
}

static void
add_read_result(struct events *events, const struct json_doc *doc,
    struct message *message, enum edit edit, uint32_t at)
{
	const struct asking *asking = find_asking(events, message->call_id,
	    &message->asked);
	struct event event;

	switch (message_read_event(doc, message, events->focus, &event)) {
	case MESSAGE_READ_EVENT:
		if (asking != NULL && event.nameless)
			event.asked = message->asked;
		take_back(&event, edit, asking);
		add(events, doc, &event, at);
		break;
	case MESSAGE_READ_UNKNOWN:
		event = (struct event){
		    .kind = EVENT_BLIND,
		    .name = message->asked,
		    .doubt = DOUBT_NO_METADATA,
		};
		if (message->asked.n == 0)
			event.kind = EVENT_FORGET; /* it may be any file */
		add(events, doc, &event, at); /* T12 */
		break;
	case MESSAGE_READ_ELSEWHERE:
		break;
	}
}

/* SPEC 16: the model does not know the text as well as it thinks. */
static void
add_edit_error(struct events *events, const struct json_doc *doc,
    const struct message *message, uint32_t at)
{
	struct event event = {.kind = EVENT_EDIT_FAILED};
	const struct asking *asking = find_asking(events, message->call_id,
	    &event.name);

	if (asking != NULL && event.name.n > 0)
		add(events, doc, &event, at);
}

void
events_add_edited(struct events *events, struct span call_id, uint32_t at)
{
	struct event event = {
	    .kind = EVENT_EDITED, .name = SPAN(""), .at = at};

	(void)find_asking(events, call_id, &event.name);
	if (event.name.n == 0)
		event.kind = EVENT_FORGET; /* it may be any file */
	else if (focus_part_is_name(event.name) &&
	    !focus_asked(events->focus, event.name))
		return;
	events_append(events, &event);
}

static void
add_message(struct events *events, const struct json_doc *doc,
    struct span value, enum edit edit, uint32_t at)
{
	struct message message = message_parse(doc, value);

	switch (message.kind) {
	case MESSAGE_ASSISTANT:
		events_add_calls(events,
		    message_calls(doc, message.content, events->arena),
		    message.dropped || edit != EDIT_NONE);
		break;
	case MESSAGE_READ_RESULT:
		add_read_result(events, doc, &message, edit, at);
		break;
	case MESSAGE_EDIT_ERROR:
		add_edit_error(events, doc, &message, at);
		break;
	case MESSAGE_EDITED:
		events_add_edited(events, message.call_id, at);
		break;
	case MESSAGE_OTHER:
		break;
	}
}

void
events_add(struct events *events, const struct json_doc *doc,
    const struct entry *entry, enum edit edit, uint32_t at)
{
	struct event event;

	switch (entry->kind) {
	case ENTRY_MESSAGE:
		add_message(events, doc, entry->message, edit, at);
		break;
	case ENTRY_CUSTOM:
		if (invalidation_parse(doc->arena, entry->data, &event))
			add(events, doc, &event, at);
		break;
	case ENTRY_CONTEXT_EDIT:
		event = (struct event){
		    .kind = EVENT_FORGET, .doubt = DOUBT_UNKNOWN_EDIT};
		if (entry->target.n == 0)
			add(events, doc, &event, at); /* T4 */
		break;
	case ENTRY_COMPACTION:
	case ENTRY_OTHER:
		break;
	}
}
