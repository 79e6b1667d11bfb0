/*
 * One node of a workflow file.
 */
#include "base/near.h"
#include "work/workflow/context.h"
#include "work/workflow/parse_inside.h"
#include "work/workflow/template.h"

enum {
	ID,
	TYPE,
	RUN,
	PARAMS,
	NEEDS,
	DEPS,
	CODE,
	OUTS,
	ENV,
	BATCH,
	PURPOSE,
	EFFECTS,
	CUTOFF,
	CACHE,
	CONTEXT,
	STDIN,
	MEMBERS
};

static const char member_names[MEMBERS][MEMBER_NAME] = {
    [ID] = "id",
    [TYPE] = "type",
    [RUN] = "run",
    [PARAMS] = "params",
    [NEEDS] = "needs",
    [DEPS] = "deps",
    [CODE] = "code",
    [OUTS] = "outs",
    [ENV] = "env",
    [BATCH] = "batch",
    [PURPOSE] = "purpose",
    [EFFECTS] = "effects",
    [CUTOFF] = "cutoff",
    [CACHE] = "cache",
    [CONTEXT] = "context",
    [STDIN] = "stdin",
};

/*
 * The index of VALUE among N names; 0 and a fault if it is not one of them.
 */
static size_t
choose(struct parser *parser, const char *member, struct span value,
    const char *(*name_of)(size_t), size_t n)
{
	struct span names[NODE_TYPES], text = SPAN("");
	const struct span *near;

	if (value.p == NULL)
		return 0;
	parse_string(parser, member, value, &text);
	if (json_kind(value) != JSON_STRING)
		return 0;
	for (size_t i = 0; i < n; i++) {
		names[i] = span_str(name_of(i));
		if (span_eq(text, names[i]))
			return i;
	}
	near = near_name(text, names, n);
	parse_fault(parser, value.p, "\"", arena_cstr(parser->arena, text),
	    "\" is no ", member, ".", near != NULL ? " Did you mean \"" : "",
	    near != NULL ? near->p : "", near != NULL ? "\"?" : "", NULL);
	return 0;
}

static const char *
type_name(size_t i)
{
	return node_type_name((enum node_type)i);
}

static const char *
scope_name(size_t i)
{
	return node_scope_name((enum node_scope)i);
}

/* Is ID valid?  It must fit into a template and into a file name. */
static bool
is_id(struct span id)
{
	return id.n <= 100 && template_is_name(id);
}

static void
read_id(struct parser *parser, struct span value, struct node *node)
{
	parse_string(parser, "id", value, &node->id);
	if (value.p == NULL) {
		parse_fault(
		    parser, node->source.p, "a node needs an \"id\".", NULL);
		return;
	}
	if (json_kind(value) == JSON_STRING && !is_id(node->id)) {
		parse_fault(parser, value.p, "\"",
		    arena_cstr(parser->arena, node->id),
		    "\" is not an id: letters, digits, _, - and @ only, at "
		    "most "
		    "100 of them.",
		    NULL);
		node->id = SPAN("");
	} else if (span_eq(node->id, SPAN("inputs")) ||
		   span_eq(node->id, SPAN("params")) ||
		   span_eq(node->id, SPAN("batch"))) {
		parse_fault(parser, value.p, "a node cannot be called \"",
		    arena_cstr(parser->arena, node->id),
		    "\": ${...} would have two meanings.", NULL);
	}
	parser->node = node->id;
}

static void
read_cache(struct parser *parser, struct span value, struct node *node)
{
	static const char names[][MEMBER_NAME] = {
	    "scope", "ttl", "fingerprint"};
	struct member_list list = {"\"cache\"", names, 3, NULL};

	if (value.p == NULL)
		return;
	if (!parse_members(parser, value, &list)) {
		parse_fault(
		    parser, value.p, "\"cache\" must be an object.", NULL);
		return;
	}
	node->scope = (enum node_scope)choose(
	    parser, "scope", list.values[0], scope_name, NODE_SCOPES);
	node->has_ttl = list.values[1].p != NULL;
	parse_string(parser, "ttl", list.values[1], &node->ttl);
	parse_names(parser, "fingerprint", list.values[2], &node->fingerprint);
}

/*
 * Add fingerprints for the context: what an agent reads is part of the
 * question.
 */
static void
watch_context(struct parser *parser, struct node *node)
{
	size_t n = node->fingerprint.n + node->context.n;
	struct span *specs;

	if (node->context.n == 0)
		return;
	specs = arena_array(parser->arena, n, sizeof(*specs));
	for (size_t i = 0; i < node->fingerprint.n; i++)
		specs[i] = node->fingerprint.at[i];
	for (size_t i = 0; i < node->context.n; i++)
		specs[node->fingerprint.n + i] = context_fingerprint(
		    parser->arena, node->context.at[i]);
	node->fingerprint = (struct names){specs, n};
}

static void
read_out(struct parser *parser, struct span value, struct node_out *out)
{
	static const char names[][MEMBER_NAME] = {"path", "cache"};
	struct member_list list = {"an output", names, 2, NULL};

	out->path = SPAN("");
	out->kept = true;
	if (json_kind(value) == JSON_STRING) {
		parse_string(parser, "outs", value, &out->path);
		return;
	}
	if (!parse_members(parser, value, &list) || list.values[0].p == NULL) {
		parse_fault(parser, value.p,
		    "an output is a path, or an object with \"path\" and "
		    "\"cache\".",
		    NULL);
		return;
	}
	parse_string(parser, "path", list.values[0], &out->path);
	if (list.values[1].p != NULL)
		parse_bool(parser, "cache", list.values[1], &out->kept);
}

static void
read_outs(struct parser *parser, struct span value, struct node *node)
{
	struct json_items items = json_items(&parser->doc, value);
	enum json_kind kind = json_kind(value);
	struct span item;
	size_t n = 1;

	if (kind == JSON_ABSENT)
		return;
	while (json_next(&items, &item))
		n++;
	node->outs = arena_array(parser->arena, n, sizeof(struct node_out));
	if (kind != JSON_ARRAY) {
		read_out(parser, value, &node->outs[node->nouts++]);
		return;
	}
	items = json_items(&parser->doc, value);
	while (json_next(&items, &item))
		read_out(parser, item, &node->outs[node->nouts++]);
}

void
parse_node(struct parser *parser, struct span value, struct node *node)
{
	struct member_list list = {"a node", member_names, MEMBERS, NULL};
	struct json_field id = {.name = SPAN("id")};
	struct span purpose = SPAN("");

	*node = (struct node){.id = SPAN(""),
	    .source = value,
	    .params = SPAN(""),
	    .batch = SPAN(""),
	    .input = SPAN(""),
	    .ttl = SPAN("")};
	if (json_kind(value) != JSON_OBJECT) {
		parse_fault(parser, value.p, "a node must be an object.", NULL);
		return;
	}
	/*
	 * First, wherever it is in the text: other faults can then name the
	 * node.
	 */
	json_pick(&parser->doc, value, &id, 1);
	read_id(parser, id.value, node);
	(void)parse_members(parser, value, &list);
	node->type = (enum node_type)choose(
	    parser, "type", list.values[TYPE], type_name, NODE_TYPES);
	parse_names(parser, "run", list.values[RUN], &node->run);
	node->run_is_words = json_kind(list.values[RUN]) == JSON_ARRAY;
	parse_object(parser, "params", list.values[PARAMS], &node->params);
	node->has_needs = list.values[NEEDS].p != NULL;
	parse_names(parser, "needs", list.values[NEEDS], &node->needs);
	parse_names(parser, "deps", list.values[DEPS], &node->deps);
	parse_names(parser, "code", list.values[CODE], &node->code);
	read_outs(parser, list.values[OUTS], node);
	parse_names(parser, "env", list.values[ENV], &node->env);
	parse_object(parser, "batch", list.values[BATCH], &node->batch);
	node->has_stdin = list.values[STDIN].p != NULL;
	parse_string(parser, "stdin", list.values[STDIN], &node->input);
	parse_string(parser, "purpose", list.values[PURPOSE], &purpose);
	parse_bool(parser, "effects", list.values[EFFECTS], &node->effects);
	parse_bool(parser, "cutoff", list.values[CUTOFF], &node->cutoff);
	read_cache(parser, list.values[CACHE], node);
	parse_names(parser, "context", list.values[CONTEXT], &node->context);
	watch_context(parser, node);
}
