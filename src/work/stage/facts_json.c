#include "work/stage/facts_json.h"

#include "json/emit.h"

/* A parameter is already JSON; everything else is text. */
static void
emit_value(struct buf *out, const struct fact *fact)
{
	if (fact->kind == FACT_PARAM)
		buf_add(out, fact->value);
	else
		emit_string(out, fact->value);
}

void
facts_emit(struct buf *out, const struct facts *facts, enum fact_kind kind,
    const char *before, const char *end)
{
	bool first = true;

	buf_char(out, '{');
	for (size_t i = 0; i < facts->n; i++) {
		if (facts->list[i].kind != kind)
			continue;
		if (!first)
			buf_char(out, ',');
		first = false;
		buf_str(out, before);
		emit_string(out, facts->list[i].name);
		buf_str(out, before[0] != '\0' ? ": " : ":");
		emit_value(out, &facts->list[i]);
	}
	if (!first)
		buf_str(out, end);
	buf_char(out, '}');
}

bool
facts_take(const struct json_doc *doc, struct span object, enum fact_kind kind,
    struct facts *facts)
{
	struct json_items members = json_members(doc, object);
	struct span name, value;

	if (json_kind(object) != JSON_OBJECT)
		return false;
	while (json_member(&members, &name, &value)) {
		struct json_text text = {value, false};

		if (kind != FACT_PARAM &&
		    (!json_text(doc->arena, value, &text) || text.lone))
			return false;
		facts_add(doc->arena, facts, kind, name, text.text);
	}
	return true;
}
