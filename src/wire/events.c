#include "wire/events.h"

#include "wire/json.h"

/* One tool call, by which its result is found. */
struct call {
	struct call *next;
	struct span id;
	struct span path; /* that it asks for; empty if that is no text */
};

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
	if (events->n == events->room) {
		size_t room = events->room > 0 ? events->room * 2 : 16;
		struct event *list = arena_array(events->arena, room,
		    sizeof(*list));

		if (events->n > 0)
			memcpy(list, events->list, events->n * sizeof(*list));
		events->list = list;
		events->room = room;
	}
	events->list[events->n++] = *event;
}

/* TEXT of DOC, so that it outlives it. */
static struct span
keep(const struct events *events, const struct json_doc *doc, struct span text)
{
	if (doc->arena == events->arena || text.n == 0)
		return text;
	return (struct span){arena_cstr(events->arena, text), text.n};
}

static void
add(struct events *events, const struct json_doc *doc,
    const struct event *event, uint32_t at)
{
	struct event kept = *event;

	kept.at = at;
	kept.path = keep(events, doc, event->path);
	kept.name = keep(events, doc, event->name);
	kept.asked = keep(events, doc, event->asked);
	events_append(events, &kept);
}

static void
add_asking(struct events *events, const struct json_doc *doc,
    const struct message *message, enum edit edit)
{
	struct asking *asking = arena_alloc(events->arena, sizeof(*asking));
	struct json_items blocks = json_items(doc, message->content);
	struct call **end = &asking->calls;
	struct span block, id, path;

	*asking = (struct asking){events->asking, NULL,
	    edit != EDIT_NONE || message->dropped};
	while (json_next(&blocks, &block)) {
		struct call *call;

		if (!message_call(doc, block, &id, &path))
			continue;
		call = arena_alloc(events->arena, sizeof(*call));
		*call = (struct call){NULL, keep(events, doc, id),
		    keep(events, doc, path)};
		*end = call;
		end = &call->next;
	}
	events->asking = asking;
}

/*
 * Who asked for the result with CALL_ID, and for which PATH; NULL if nobody
 * did.  One that may stand too far back to be looked for counts as gone.
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
			*path = call->path;
			return asking;
		}
		asking = asking->before;
	}
	return asking != NULL ? &too_far : NULL;
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
		if (asking == NULL)
			break;
		event = (struct event){
		    .kind = EVENT_BLIND,
		    .name = message->asked,
		    .doubt = DOUBT_NO_METADATA,
		};
		if (message->asked.n == 0)
			event.kind = EVENT_FORGET;
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

static void
add_message(struct events *events, const struct json_doc *doc,
    struct span value, enum edit edit, uint32_t at)
{
	struct message message = message_parse(doc, value);

	switch (message.kind) {
	case MESSAGE_ASSISTANT:
		add_asking(events, doc, &message, edit);
		break;
	case MESSAGE_READ_RESULT:
		add_read_result(events, doc, &message, edit, at);
		break;
	case MESSAGE_EDIT_ERROR:
		add_edit_error(events, doc, &message, at);
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
