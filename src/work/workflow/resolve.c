#include "work/workflow/resolve.h"

#include <errno.h>
#include <unistd.h>

#include "base/slurp.h"
#include "base/utf8.h"
#include "path/name.h"
#include "json/canon.h"
#include "json/emit.h"
#include "work/workflow/value_file.h"

/* The system does not take longer words in a command. */
#define WORD_MAX ((size_t)128 * 1024 - 1)
#define FILE_MAX ((size_t)64 * 1024 * 1024)

/* ---- failing ---- */

static bool
fail(
    struct resolver *r, const char *before, struct span what, const char *after)
{
	struct buf sentence = buf_new(r->arena, 128);

	buf_str(&sentence, before);
	buf_add(&sentence, what);
	buf_str(&sentence, after);
	r->why = arena_cstr(r->arena, buf_span(&sentence));
	return false;
}

static bool
fail_reference(
    struct resolver *r, const struct template_piece *reference, const char *why)
{
	struct buf sentence = buf_new(r->arena, 128);

	buf_str(&sentence, "${");
	buf_add(&sentence, reference->text);
	buf_str(&sentence, "}: ");
	buf_str(&sentence, why);
	r->why = arena_cstr(r->arena, buf_span(&sentence));
	return false;
}

/* ---- references ---- */

/* The value at PATH inside of JSON, as text. */
static bool
dig(struct resolver *r, const struct template_piece *reference,
    struct span json, struct span path, struct span *value)
{
	struct span found;

	/* Many references lead into the same text. */
	if (json.p != r->judged.p || json.n != r->judged.n) {
		r->judged = SPAN("");
		if (!json_judge(r->arena, json, &r->doc))
			return fail_reference(
			    r, reference, "what was said is not valid JSON.");
		r->judged = json;
	}
	if (!template_dig(&r->doc, json, path, &found))
		return fail_reference(
		    r, reference, "there is nothing of that name in it.");
	*value = template_text(r->arena, found);
	return true;
}

static struct span
without_last_newlines(struct span text)
{
	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	return text;
}

/* The output SAID, or the name of a file that holds every byte of it. */
static bool
said_value(struct resolver *r, const struct template_piece *reference,
    struct span said, struct span *value)
{
	if (reference->path.n == 0) {
		*value = without_last_newlines(said);
		return true;
	}
	if (r->makes_files && !value_file_write(r->store, said))
		return fail_reference(r, reference,
		    "the file cannot be made; the store cannot be written.");
	*value = value_file_name(r->arena, r->store, r->root, said);
	return true;
}

/* The value of the node that REFERENCE names. */
static bool
find_value(struct resolver *r, const struct template_piece *reference,
    const struct value **from)
{
	*from = &r->values[graph_find(&r->bundle->graph, reference->base)];
	return (*from)->known ||
	       fail_reference(r, reference,
		   "its value is not known; run the whole workflow first.");
}

static bool
node_value(struct resolver *r, const struct template_piece *reference,
    struct span *value)
{
	const struct value *from;
	struct buf number = buf_new(r->arena, 4);

	if (!find_value(r, reference, &from))
		return false;
	if (span_eq(reference->field, SPAN("stdout")))
		return said_value(r, reference, from->out, value);
	if (span_eq(reference->field, SPAN("stderr")))
		return said_value(r, reference, from->err, value);
	if (span_eq(reference->field, SPAN("exit"))) {
		buf_u64(&number, (uint64_t)from->exit);
		*value = buf_span(&number);
		return true;
	}
	return dig(r, reference, from->json.n > 0 ? from->json : from->out,
	    reference->path, value);
}

static struct span
inside_field(const struct template_piece *reference)
{
	/* "params.a.b": field is "a"; the path inside of params is "a.b". */
	return (struct span){
	    reference->field.p, (size_t)(reference->text.p + reference->text.n -
					 reference->field.p)};
}

static bool
batch_value(struct resolver *r, const struct template_piece *reference,
    struct span *value)
{
	struct buf number = buf_new(r->arena, 8);

	if (span_eq(reference->field, SPAN("item")))
		return dig(r, reference, r->item, reference->path, value);
	if (!span_eq(reference->field, SPAN("index")))
		return fail_reference(
		    r, reference, "a batch has an item and an index.");
	buf_u64(&number, r->index);
	*value = buf_span(&number);
	return true;
}

static bool
reference_value(
    void *context, const struct template_piece *reference, struct span *value)
{
	struct resolver *r = context;
	bool ok;

	if (span_eq(reference->base, SPAN("inputs")))
		ok = inputs_get(r->inputs, reference->field, value) ||
		     fail_reference(r, reference, "there is no such input.");
	else if (span_eq(reference->base, SPAN("params")))
		ok = dig(
		    r, reference, r->params, inside_field(reference), value);
	else if (span_eq(reference->base, SPAN("batch")))
		ok = batch_value(r, reference, value);
	else
		ok = node_value(r, reference, value);
	return ok;
}

/* ---- params ---- */

bool
resolve_names_file(struct span text, struct span *path)
{
	if (!span_starts(text, SPAN("@./")) &&
	    !span_starts(text, SPAN("@../")) && !span_starts(text, SPAN("@/")))
		return false;
	*path = span_from(text, 1);
	return true;
}

static bool
file_content(struct resolver *r, struct span path, struct span *content)
{
	struct span name = name_from(r->arena, r->root, path);
	int fd = slurp_open(arena_cstr(r->arena, name));
	enum slurp got;

	if (fd < 0)
		return fail(r, "cannot read ", path,
		    errno == ENOENT ? ": there is no such file."
				    : ": it cannot be opened.");
	got = slurp(r->arena, fd, FILE_MAX, content);
	(void)close(fd);
	if (got != SLURP_OK)
		return fail(r, "cannot read ", path,
		    got == SLURP_TOO_LARGE ? ": it is larger than 64 MiB."
					   : ".");
	return true;
}

/* Write what a string of params stands for. */
static bool
fill_string(void *context, struct span text, struct buf *out)
{
	struct resolver *r = context;
	struct buf filled = buf_new(r->arena, text.n);
	struct span path, content;

	if (resolve_names_file(text, &path)) {
		if (!file_content(r, path, &content))
			return false;
	} else {
		if (!template_fill(&filled, text, reference_value, r))
			return false;
		content = buf_span(&filled);
	}
	if (!utf8_valid(content))
		return fail(r, "the parameter \"", text,
		    "\" stands for something that is not UTF-8 text.");
	emit_string(out, content);
	return true;
}

bool
resolve_params(struct resolver *r, struct span *params)
{
	struct buf filled = buf_new(r->arena, r->node->params.n + 2);
	const char *why;

	if (r->node->params.n == 0) {
		r->params = *params = SPAN("{}");
		return true;
	}
	if (!strings_replace(
		r->arena, r->node->params, fill_string, r, &filled))
		return false;
	why = canon_json(r->arena, buf_span(&filled), params);
	if (why != NULL)
		return fail(r, "the params: ", span_str(why), "");
	r->params = *params;
	return true;
}

/* ---- commands ---- */

static bool
check_words(struct resolver *r, const struct span *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (span_has(words[i], '\0'))
			return fail(r,
			    "a value in the command holds a NUL, which no "
			    "command can take; use \"stdin\", or "
			    "${node.stdout.file}, the name of a file that "
			    "holds it.",
			    SPAN(""), "");
		if (words[i].n > WORD_MAX)
			return fail(r,
			    "a value in the command is larger than 128 KiB, "
			    "which the system does not take; use \"stdin\", "
			    "or ${node.stdout.file}, the name of a file that "
			    "holds it.",
			    SPAN(""), "");
	}
	return true;
}

bool
resolve_command(struct resolver *r, struct span **words, size_t *n)
{
	const struct names *run = &r->node->run;

	if (!r->node->run_is_words) {
		*words =
		    template_shell(r->arena, run->at[0], reference_value, r, n);
		return *words != NULL && check_words(r, *words, *n);
	}
	*n = run->n;
	*words = arena_array(r->arena, run->n, sizeof(struct span));
	for (size_t i = 0; i < run->n; i++) {
		struct buf word = buf_new(r->arena, run->at[i].n);

		if (!template_fill(&word, run->at[i], reference_value, r))
			return false;
		(*words)[i] = buf_span(&word);
	}
	return check_words(r, *words, *n);
}

bool
resolve_stdin(struct resolver *r, struct span *bytes)
{
	const struct value *from;
	struct template_piece reference;

	*bytes = SPAN("");
	if (!r->node->has_stdin ||
	    !template_is_said(r->node->input, &reference))
		return true; /* check.h refuses anything else */
	if (!find_value(r, &reference, &from))
		return false;
	*bytes = span_eq(reference.field, SPAN("stdout")) ? from->out
							  : from->err;
	return true;
}

bool
resolve_items(struct resolver *r, struct span **items, size_t *n)
{
	struct buf filled = buf_new(r->arena, r->node->batch.n);
	struct json_field field = {.name = SPAN("items")};
	struct json_items each;
	struct json_doc doc;
	struct json_text text;
	struct span list, item;

	if (!strings_replace(
		r->arena, r->node->batch, fill_string, r, &filled) ||
	    !json_judge(r->arena, buf_span(&filled), &doc))
		return false;
	json_pick(&doc, buf_span(&filled), &field, 1);
	list = field.value;
	/* It was a string, a reference: its value must be an array. */
	if (json_text(r->arena, list, &text)) {
		list = json_trim(text.text);
		if (!json_judge(r->arena, list, &doc) ||
		    json_kind(list) != JSON_ARRAY)
			return fail(r,
			    "the items of the batch are not a JSON "
			    "array.",
			    SPAN(""), "");
	}
	*n = 0;
	each = json_items(&doc, list);
	while (json_next(&each, &item))
		++*n;
	*items = arena_array(r->arena, *n, sizeof(struct span));
	each = json_items(&doc, list);
	for (size_t i = 0; i < *n; i++)
		(void)json_next(&each, &(*items)[i]);
	return true;
}
