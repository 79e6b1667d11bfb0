#include "host/pi/entry_events.h"

static void
add_read_result(struct events *events, const struct json_doc *doc,
    struct message *message, struct span call_id, enum edit edit, uint32_t at)
{
	struct event event;
	enum message_read read;

	message->asked = events_asked(events, call_id);
	read = message_read_event(doc, message, events->focus, &event);
	events_add_read(events, doc, read, &event, call_id, edit, at);
}

static void
add_message(struct events *events, const struct json_doc *doc,
    struct span value, enum edit edit, uint32_t at)
{
	struct message message = message_parse(doc, value);
	struct span call_id = text_keep(doc, message.call_id, events->arena);
	struct bill bill;

	switch (message.kind) {
	case MESSAGE_ASSISTANT:
		bill = bill_keep(doc, message_bill(doc, &message),
		    events->arena);
		events_add_calls(events,
		    message_calls(
			doc, message.content, events->focus, events->arena),
		    message.dropped || edit != EDIT_NONE, &bill, at);
		break;
	case MESSAGE_USER:
		events_add_user(events);
		break;
	case MESSAGE_READ_RESULT:
		add_read_result(events, doc, &message, call_id, edit, at);
		break;
	case MESSAGE_EDIT_ERROR:
		events_add_refused(events, call_id, at);
		break;
	case MESSAGE_EDITED:
		events_add_edited(events, call_id, edit, at);
		break;
	case MESSAGE_READ_ERROR:
	case MESSAGE_OTHER_RESULT:
		events_add_answered(events, call_id);
		break;
	case MESSAGE_OTHER:
		break;
	}
}

void
entry_add(struct events *events, const struct json_doc *doc,
    const struct entry *entry, enum edit edit, uint32_t at)
{
	struct event event;

	switch (entry->kind) {
	case ENTRY_MESSAGE:
		add_message(events, doc, entry->message, edit, at);
		break;
	case ENTRY_CUSTOM:
		if (invalidation_parse(doc->arena, entry->data, &event))
			events_add_event(events, doc, &event, at);
		break;
	case ENTRY_CONTEXT_EDIT:
		events_add_context_edit(events, entry->target.n > 0, at);
		break;
	case ENTRY_BOUNDARY:
	case ENTRY_OTHER:
		break;
	}
}
