#include "work/workflow/parse.h"

#include <stdarg.h>

#include "base/near.h"
#include "json/canon.h"
#include "work/workflow/parse_inside.h"

void
parse_fault(struct parser *parser, const char *at, ...)
{
	struct buf sentence = buf_new(parser->arena, 96);
	const char *piece;
	va_list pieces;

	va_start(pieces, at);
	while ((piece = va_arg(pieces, const char *)) != NULL)
		buf_str(&sentence, piece);
	va_end(pieces);
	flow_fault_add(parser->faults, parser->file,
	    flow_faults_are_full(parser->faults)
		? 0
		: workflow_line(parser->workflow, at),
	    parser->node, arena_cstr(parser->arena, buf_span(&sentence)), NULL);
}

/* ---- values ---- */

/* A string that the system can take: without NUL. */
static bool
get_text(struct parser *parser, struct span value, struct span *text)
{
	struct json_text decoded;

	if (!json_text(parser->arena, value, &decoded) || decoded.lone ||
	    span_has(decoded.text, '\0'))
		return false;
	*text = decoded.text;
	return true;
}

void
parse_string(struct parser *parser, const char *member, struct span value,
    struct span *text)
{
	if (value.p != NULL && !get_text(parser, value, text))
		parse_fault(parser, value.p, "\"", member,
		    "\" must be a string (without NUL).", NULL);
}

void
parse_bool(
    struct parser *parser, const char *member, struct span value, bool *truth)
{
	enum json_kind kind = json_kind(value);

	*truth = kind == JSON_TRUE;
	if (kind != JSON_ABSENT && kind != JSON_TRUE && kind != JSON_FALSE)
		parse_fault(parser, value.p, "\"", member,
		    "\" must be true or false.", NULL);
}

void
parse_object(struct parser *parser, const char *member, struct span value,
    struct span *object)
{
	struct span canonical;
	const char *why;

	if (value.p == NULL)
		return;
	why = json_kind(value) == JSON_OBJECT
		  ? canon_json(parser->arena, value, &canonical)
		  : "it must be an object.";
	if (why == NULL)
		*object = value;
	else
		parse_fault(parser, value.p, "\"", member, "\": ", why, NULL);
}

void
parse_names(struct parser *parser, const char *member, struct span value,
    struct names *names)
{
	struct json_items items = json_items(&parser->doc, value);
	size_t n = json_kind(value) == JSON_STRING ? 1 : 0;
	struct span item;

	while (json_next(&items, &item))
		n++;
	names->at = arena_array(parser->arena, n, sizeof(struct span));
	if (json_kind(value) == JSON_STRING) {
		parse_string(parser, member, value, &names->at[names->n++]);
		return;
	}
	if (value.p != NULL && json_kind(value) != JSON_ARRAY)
		parse_fault(parser, value.p, "\"", member,
		    "\" must be a string or an array of strings.", NULL);
	items = json_items(&parser->doc, value);
	while (json_next(&items, &item))
		if (get_text(parser, item, &names->at[names->n]))
			names->n++;
		else
			parse_fault(parser, item.p, "\"", member,
			    "\" must hold strings only (without NUL).", NULL);
}

/* ---- members ---- */

static void
tell_unknown(struct parser *parser, const struct member_list *list,
    struct span name, const char *at)
{
	struct span known[MEMBERS_MAX];
	const struct span *near;

	for (size_t i = 0; i < list->n; i++)
		known[i] = span_str(list->names[i]);
	near = near_name(name, known, list->n);
	parse_fault(parser, at, "\"", arena_cstr(parser->arena, name),
	    "\" is nothing that ", list->what, " can have.",
	    near != NULL ? " Did you mean \"" : "", near != NULL ? near->p : "",
	    near != NULL ? "\"?" : "", NULL);
}

static size_t
find_member(const struct member_list *list, struct span name)
{
	size_t i = 0;

	while (i < list->n && !span_eq(name, span_str(list->names[i])))
		i++;
	return i;
}

bool
parse_members(
    struct parser *parser, struct span object, struct member_list *list)
{
	struct json_items members = json_members(&parser->doc, object);
	struct span name, value;

	list->values = arena_array(parser->arena, list->n, sizeof(struct span));
	if (json_kind(object) != JSON_OBJECT)
		return false;
	while (json_member(&members, &name, &value)) {
		size_t i = find_member(list, name);

		if (i == list->n)
			tell_unknown(parser, list, name, value.p);
		else if (list->values[i].p != NULL)
			parse_fault(parser, value.p, "\"", list->names[i],
			    "\" is there twice.", NULL);
		else
			list->values[i] = value;
	}
	return true;
}

/* ---- inputs ---- */

/*
 * The text of a default: a string as it is; a number, true or false as
 * written.
 */
static void
read_default(
    struct parser *parser, struct span value, struct workflow_input *input)
{
	switch (json_kind(value)) {
	case JSON_ABSENT:
	case JSON_NULL:
		return;
	case JSON_STRING:
		input->has_value = true;
		parse_string(parser, "inputs", value, &input->value);
		return;
	case JSON_NUMBER:
	case JSON_TRUE:
	case JSON_FALSE:
		input->has_value = true;
		input->value = value;
		return;
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	parse_fault(parser, value.p,
	    "the default of an input must be a string, a number, true or "
	    "false.",
	    NULL);
}

static void
read_input(
    struct parser *parser, struct span value, struct workflow_input *input)
{
	static const char names[][MEMBER_NAME] = {
	    "default", "purpose", "description"};
	struct member_list list = {"an input", names, 3, NULL};

	if (parse_members(parser, value, &list))
		read_default(parser, list.values[0], input);
	else
		read_default(parser, value, input);
}

static void
read_inputs(struct parser *parser, struct span value)
{
	struct workflow *workflow = parser->workflow;
	struct json_items members;
	struct span name, item, object = {NULL, 0};
	size_t n = 0;

	parse_object(parser, "inputs", value, &object);
	members = json_members(&parser->doc, object);
	while (json_member(&members, &name, &item))
		n++;
	workflow->inputs =
	    arena_array(parser->arena, n, sizeof(struct workflow_input));
	members = json_members(&parser->doc, object);
	while (json_member(&members, &name, &item)) {
		struct workflow_input *input =
		    &workflow->inputs[workflow->ninputs++];

		input->name = name;
		input->value = SPAN("");
		read_input(parser, item, input);
	}
}

/* ---- the whole ---- */

static void
read_nodes(struct parser *parser, struct span value)
{
	struct workflow *workflow = parser->workflow;
	struct json_items items = json_items(&parser->doc, value);
	struct span item;
	size_t n = 0;

	while (json_next(&items, &item))
		n++;
	if (n == 0)
		parse_fault(parser,
		    value.p != NULL ? value.p : workflow->text.p,
		    "\"nodes\" must be an array with at least one node.", NULL);
	workflow->nodes = arena_array(parser->arena, n, sizeof(struct node));
	items = json_items(&parser->doc, value);
	while (json_next(&items, &item)) {
		parse_node(parser, item, &workflow->nodes[workflow->nnodes++]);
		parser->node = SPAN("");
	}
}

void
parse_workflow(struct arena *arena, struct span file, struct span text,
    struct workflow *workflow, struct flow_faults *faults)
{
	static const char names[][MEMBER_NAME] = {
	    "name", "inputs", "nodes", "purpose", "description"};
	struct parser parser = {
	    arena, json_doc(arena), file, workflow, faults, SPAN("")};
	struct member_list list = {"a workflow", names, 5, NULL};

	*workflow = (struct workflow){.text = text, .name = SPAN("")};
	if (!json_judge(arena, text, &parser.doc)) {
		flow_fault_add(
		    faults, file, 0, SPAN(""), "it is not valid JSON.", NULL);
		return;
	}
	if (!parse_members(&parser, json_trim(text), &list)) {
		flow_fault_add(faults, file, 0, SPAN(""),
		    "it is not a JSON object with \"nodes\" in it.", NULL);
		return;
	}
	parse_string(&parser, "name", list.values[0], &workflow->name);
	read_inputs(&parser, list.values[1]);
	read_nodes(&parser, list.values[2]);
}
