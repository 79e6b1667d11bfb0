#include "session/call.h"

struct span
text_keep(const struct json_doc *doc, struct span text, struct arena *arena)
{
	if (doc->arena == arena || text.n == 0)
		return text;
	return (struct span){arena_cstr(arena, text), text.n};
}

const struct own_change *
own_keep(const struct json_doc *doc, const struct own_change *own,
    struct arena *arena)
{
	struct own_change *kept;
	struct replacement *list;

	if (own == NULL || doc->arena == arena)
		return own;
	kept = arena_alloc(arena, sizeof(*kept));
	*kept = *own;
	kept->call_id = text_keep(doc, own->call_id, arena);
	kept->content = text_keep(doc, own->content, arena);
	list = arena_array(arena, own->n + 1, sizeof(*list));
	for (size_t i = 0; i < own->n; i++)
		list[i] = (struct replacement){
		    text_keep(doc, own->list[i].old_text, arena),
		    text_keep(doc, own->list[i].new_text, arena)};
	kept->list = list;
	return kept;
}

struct call
call_keep(const struct json_doc *doc, const struct call *call,
    struct arena *arena)
{
	return (struct call){
	    .id = text_keep(doc, call->id, arena),
	    .path = text_keep(doc, call->path, arena),
	    .tool = call->tool,
	    .own = own_keep(doc, call->own, arena),
	};
}

struct bill
bill_keep(const struct json_doc *doc, struct bill bill, struct arena *arena)
{
	bill.model = text_keep(doc, bill.model, arena);
	bill.provider = text_keep(doc, bill.provider, arena);
	return bill;
}
