#include "work/workflow/parts.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "path/name.h"
#include "json/canon.h"
#include "json/emit.h"

#define SHOWN_MAX 200 /* longer values are shown as hashes */

enum secrecy { PART_OPEN, PART_SECRET };

/* ---- one part ---- */

static struct span
show(struct arena *arena, struct span value, enum secrecy secrecy)
{
	struct buf out = buf_new(arena, 64);
	char hex[DIGEST_HEX + 1];
	struct digest hash;

	if (secrecy == PART_OPEN && value.n <= SHOWN_MAX && utf8_valid(value))
		return value;
	hash = digest_of(value);
	digest_hex(&hash, hex);
	buf_str(&out, "sha256:");
	buf_add(&out, (struct span){hex, 16});
	return buf_span(&out);
}

static void
add(struct parts *parts, enum reason reason, struct span name,
    struct span value, enum secrecy secrecy)
{
	struct part *more;

	if (parts->n == parts->room) {
		parts->room = parts->room * 2 + 4;
		more = arena_array(parts->arena, parts->room, sizeof(*more));
		if (parts->n > 0)
			memcpy(more, parts->at, parts->n * sizeof(*more));
		parts->at = more;
	}
	key_add(&parts->key, "part", name);
	key_add(&parts->key, "value", value);
	parts->at[parts->n++] = (struct part){reason, name,
	    show(parts->arena, value, secrecy), secrecy == PART_SECRET};
}

/* "PREFIX NAME". */
static struct span
named(const struct parts *parts, const char *prefix, struct span name)
{
	struct buf full = buf_new(parts->arena, name.n + 16);

	buf_str(&full, prefix);
	buf_add(&full, name);
	return buf_span(&full);
}

/* Add a part that is given by its hash. */
static void
add_digest(struct parts *parts, enum reason reason, const char *prefix,
    struct span name, const struct digest *value)
{
	char hex[DIGEST_HEX + 1];

	key_add_digest(&parts->key, "content", value);
	digest_hex(value, hex);
	add(parts, reason, named(parts, prefix, name),
	    span_str(arena_cstr(parts->arena, (struct span){hex, 16})),
	    PART_OPEN);
}

/* ---- the parts of a node ---- */

static void
add_command(struct parts *parts, const struct resolver *r)
{
	struct buf text = buf_new(parts->arena, 128);
	const struct node *node = r->node;
	bool from_variable = node->type == NODE_AGENT && node->run.n == 0;

	if (from_variable)
		buf_add(&text, r->agent);
	for (size_t i = 0; i < node->run.n; i++) {
		if (node->run_is_words)
			emit_string(&text, node->run.at[i]);
		else
			buf_add(&text, node->run.at[i]);
		if (i + 1 < node->run.n)
			buf_char(&text, ' ');
	}
	add(parts, REASON_COMMAND, SPAN("run"), buf_span(&text),
	    from_variable ? PART_SECRET : PART_OPEN);
}

static void
add_params(struct parts *parts, const struct node *node)
{
	struct json_doc doc = json_doc(parts->arena);
	struct span canonical, name, value;
	struct json_items members;

	if (node->params.n == 0 ||
	    canon_json(parts->arena, node->params, &canonical) != NULL)
		return;
	members = json_members(&doc, canonical);
	while (json_member(&members, &name, &value))
		add(parts, REASON_PARAM, named(parts, "param ", name), value,
		    PART_OPEN);
}

static int
by_number(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The inputs that the node uses, by their indices, sorted. */
static size_t *
used_inputs(const struct parts *parts, const struct resolver *r, size_t *n)
{
	size_t node = (size_t)(r->node - r->bundle->workflow.nodes);
	const struct references *found = &r->bundle->graph.references[node];
	size_t all = r->bundle->workflow.ninputs;
	bool every = r->node->type == NODE_APPROVAL;
	size_t *used =
	    arena_array(parts->arena, every ? all : found->n, sizeof(*used));

	*n = 0;
	/* Whoever approves has seen all of them. */
	for (size_t i = 0; every && i < all; i++)
		used[(*n)++] = i;
	for (size_t i = 0; !every && i < found->n; i++)
		if (span_eq(found->at[i].base, SPAN("inputs"))) {
			used[*n] = inputs_find(r->inputs, found->at[i].field);
			*n += used[*n] < all;
		}
	qsort(used, *n, sizeof(*used), by_number);
	return used;
}

/* Add each declared input that is used once, in their order. */
static void
add_inputs(struct parts *parts, const struct resolver *r)
{
	size_t n, *used = used_inputs(parts, r, &n);

	for (size_t i = 0; i < n; i++)
		if (i == 0 || used[i] != used[i - 1])
			add(parts, REASON_PARAM,
			    named(parts, "input ",
				r->bundle->workflow.inputs[used[i]].name),
			    r->inputs->values[used[i]], PART_SECRET);
}

static void
add_environment(struct parts *parts, const struct node *node)
{
	for (size_t i = 0; i < node->env.n; i++) {
		const char *value =
		    getenv(arena_cstr(parts->arena, node->env.at[i]));

		/* A variable that is not set differs from an empty one. */
		add(parts, REASON_ENV, named(parts, "env ", node->env.at[i]),
		    value != NULL ? named(parts, "=", span_str(value))
				  : SPAN(""),
		    PART_SECRET);
	}
}

/* The context of a walk over the strings of a node. */
struct file_walk {
	struct parts *parts;
	struct hasher *hasher;
	struct span root;
};

static void
add_file(void *context, struct span text)
{
	struct file_walk *walk = context;
	struct parts *parts = walk->parts;
	struct digest hash;
	struct span path, name;

	if (!resolve_names_file(text, &path))
		return;
	name = name_from(parts->arena, walk->root, path);
	if (hash_file(walk->hasher, AT_FDCWD, arena_cstr(parts->arena, name),
		&hash, NULL) != HASHED) {
		struct buf why = buf_new(parts->arena, 128);

		buf_str(&why, "cannot read ");
		buf_add(&why, path);
		buf_str(&why, ", which a parameter names.");
		parts->why = arena_cstr(parts->arena, buf_span(&why));
		return;
	}
	add_digest(parts, REASON_DEP, "file ", path, &hash);
}

static void
add_files(struct file_walk *walk, const struct node *node)
{
	strings_each(walk->parts->arena, node->params, add_file, walk);
	strings_each(walk->parts->arena, node->batch, add_file, walk);
}

/* Add an inner workflow: its text, and what its nodes read. */
static void
add_inner(struct file_walk *walk, const struct bundle *inner)
{
	struct parts *parts = walk->parts;

	add_digest(parts, REASON_DEP, "file ", inner->source.shown,
	    &inner->source.hash);
	for (size_t i = 0; i < inner->workflow.nnodes; i++) {
		add_files(walk, &inner->workflow.nodes[i]);
		add_environment(parts, &inner->workflow.nodes[i]);
		if (inner->inner[i] != NULL)
			add_inner(walk, inner->inner[i]);
	}
}

static void
add_stdin(struct parts *parts, const struct node *node)
{
	if (node->has_stdin)
		add(parts, REASON_CONFIG, SPAN("stdin"), node->input,
		    PART_OPEN);
}

static void
add_batch(struct parts *parts, const struct node *node)
{
	struct span canonical;

	if (node->batch.n > 0 &&
	    canon_json(parts->arena, node->batch, &canonical) == NULL)
		add(parts, REASON_CONFIG, SPAN("batch"), canonical, PART_OPEN);
}

/* Stops at the first that cannot be resolved: nothing can be kept then. */
static void
add_fingerprints(struct file_walk *walk, const struct node *node)
{
	struct parts *parts = walk->parts;

	for (size_t i = 0; i < node->fingerprint.n; i++) {
		struct fingerprint fingerprint = fingerprint_resolve(
		    walk->hasher, walk->root, node->fingerprint.at[i]);

		if (!fingerprint.resolved) {
			parts->unresolved = fingerprint;
			return;
		}
		fingerprint_add(&parts->key, &fingerprint);
		add_digest(parts, REASON_FINGERPRINT, "fingerprint ",
		    fingerprint.spec, &fingerprint.digest);
	}
}

bool
parts_collect(struct resolver *r, struct hasher *hasher,
    const struct bundle *inner, struct parts *parts)
{
	struct file_walk walk = {parts, hasher, r->root};
	const struct node *node = r->node;

	*parts =
	    (struct parts){.arena = r->arena, .unresolved = {.spec = SPAN("")}};
	key_begin(&parts->key, "flow-config", 2);
	key_add(&parts->key, "cwd", r->called);
	add(parts, REASON_CONFIG, SPAN("type"),
	    span_str(node_type_name(node->type)), PART_OPEN);
	add_command(parts, r);
	add_params(parts, node);
	add_batch(parts, node);
	add_stdin(parts, node);
	add_inputs(parts, r);
	if (node->type == NODE_APPROVAL)
		add_digest(parts, REASON_DEP, "file ", r->bundle->source.shown,
		    r->whole);
	add_files(&walk, node);
	add_environment(parts, node);
	if (inner != NULL)
		add_inner(&walk, inner);
	add_fingerprints(&walk, node);
	parts->config = key_end(&parts->key);
	return parts->why == NULL;
}

/* ---- then and now ---- */

struct span
parts_json(const struct parts *parts)
{
	struct buf out = buf_new(parts->arena, 256);

	buf_char(&out, '{');
	for (size_t i = 0; i < parts->n; i++) {
		if (i > 0)
			buf_char(&out, ',');
		emit_string(&out, parts->at[i].name);
		buf_char(&out, ':');
		emit_string(&out, parts->at[i].shown);
	}
	buf_char(&out, '}');
	return buf_span(&out);
}

/* The name without the word that says which kind of part it is. */
static struct span
subject_of(const struct part *part)
{
	const char *blank = memchr(part->name.p, ' ', part->name.n);

	if (part->reason == REASON_COMMAND || blank == NULL)
		return part->reason == REASON_COMMAND ? SPAN("") : part->name;
	if (span_starts(part->name, SPAN("input ")))
		return part->name;
	return span_from(part->name, (size_t)(blank + 1 - part->name.p));
}

/* The reason for a part that is gone, by the first word of its name. */
static enum reason
reason_of(struct span name)
{
	if (span_starts(name, SPAN("param ")) ||
	    span_starts(name, SPAN("input ")))
		return REASON_PARAM;
	if (span_starts(name, SPAN("file ")))
		return REASON_DEP;
	if (span_starts(name, SPAN("env ")))
		return REASON_ENV;
	if (span_starts(name, SPAN("fingerprint ")))
		return REASON_FINGERPRINT;
	return REASON_CONFIG;
}

/* Was only the hash of the part NAME kept? */
static bool
is_secret(struct span name)
{
	return span_starts(name, SPAN("env ")) ||
	       span_starts(name, SPAN("input "));
}

/* Parts that were kept, by name. */
struct old_parts {
	struct map *names; /* name -> index in VALUES */
	struct span *values;
	size_t n, room;
};

static struct old_parts
members_of(struct arena *arena, struct span object)
{
	struct json_doc doc = json_doc(arena);
	struct json_items members = json_members(&doc, object);
	struct old_parts list = {.names = map_new(arena, 16)};
	struct span name, value;

	while (json_member(&members, &name, &value)) {
		list.values = arena_more(arena, list.values, list.n, &list.room,
		    sizeof(*list.values));
		(void)map_at(list.names, name, list.n);
		list.values[list.n++] = value;
	}
	return list;
}

/* Add the parts that OLD has and PARTS has not. */
static void
tell_gone(const struct parts *parts, struct span old, struct verdict *verdict)
{
	struct map *there = map_new(parts->arena, parts->n);
	struct json_doc doc = json_doc(parts->arena);
	struct json_items members = json_members(&doc, old);
	struct json_text text;
	struct span name, value;

	for (size_t i = 0; i < parts->n; i++)
		(void)map_at(there, parts->at[i].name, i);
	while (json_member(&members, &name, &value)) {
		struct part gone = {
		    reason_of(name), name, SPAN(""), is_secret(name)};

		if (map_find(there, name) != NULL)
			continue;
		verdict_add(parts->arena, verdict, gone.reason,
		    subject_of(&gone),
		    !gone.secret && json_text(parts->arena, value, &text)
			? text.text
			: VERDICT_UNKNOWN,
		    VERDICT_UNKNOWN);
	}
}

void
parts_compare(
    const struct parts *parts, struct span old, struct verdict *verdict)
{
	struct old_parts then = members_of(parts->arena, old);
	struct json_text text;

	for (size_t i = 0; i < parts->n; i++) {
		const struct part *part = &parts->at[i];
		const uint64_t *at = map_find(then.names, part->name);
		struct span value =
		    at != NULL ? then.values[*at] : (struct span){NULL, 0};

		if (json_text_is(value, part->shown))
			continue;
		verdict_add(parts->arena, verdict, part->reason,
		    subject_of(part),
		    !part->secret && json_text(parts->arena, value, &text)
			? text.text
			: VERDICT_UNKNOWN,
		    part->secret ? VERDICT_UNKNOWN : part->shown);
	}
	tell_gone(parts, old, verdict);
}
