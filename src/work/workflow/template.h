/*
 * template.h -- ${...} in the strings of a workflow.
 *
 *	${inputs.x}        an input of the workflow
 *	${params.x}        a member of the node's own params
 *	${batch.item}      the item of the batch, ${batch.index} its number
 *	${node.stdout}     the output of a node, without the last newlines
 *	${node.stderr}, ${node.exit}, ${node.json}
 *	${node.stdout.file}  the name of a file that holds all of it
 *	${node.json.a.0}   a value inside of its output, read as JSON
 *
 * Only a name with a dot is a reference: ${HOME} is left to the shell.  "$${"
 * is a literal "${".
 */
#ifndef READCACHE_WORK_WORKFLOW_TEMPLATE_H
#define READCACHE_WORK_WORKFLOW_TEMPLATE_H

#include "base/buf.h"
#include "json/json.h"

enum piece_kind { PIECE_TEXT, PIECE_REFERENCE };

/* Plain text, or a reference "base.field.path". */
struct template_piece {
	enum piece_kind kind;
	struct span text; /* of a reference: what is between the braces */
	struct span base, field;
	struct span path; /* after "field.", or empty */
};

struct template
{
	struct span rest;
};

static inline struct template template_of(struct span text)
{
	return (struct template){text};
}

/* Can NAME be the name before the dot? */
bool template_is_name(struct span name);

/* The next piece; false at the end. */
bool template_next(struct template *t, struct template_piece *piece);

/* Does TEXT have a reference? */
bool template_refers(struct span text);

/*
 * Is TEXT exactly one reference to the whole output of a node: ${node.stdout}
 * or ${node.stderr}?
 */
bool template_is_said(struct span text, struct template_piece *reference);

/*
 * The value at PATH ("a.0.b"; empty: JSON itself) inside of JSON, a valid text
 * that DOC knows.  False if there is none.
 */
bool template_dig(const struct json_doc *doc, struct span json,
    struct span path, struct span *value);

/* A value as text: a decoded string, or compact JSON for anything else. */
struct span template_text(struct arena *arena, struct span value);

/* The value of a reference; false if it is not known. */
typedef bool template_value(
    void *context, const struct template_piece *reference, struct span *value);

/*
 * Write TEXT with every reference replaced by its value.  False if VALUE was
 * false.
 */
bool template_fill(
    struct buf *out, struct span text, template_value *value, void *context);

/*
 * The words of a command by which sh runs TEXT with its values as data,
 * whatever they hold.  Each value becomes a shell variable that is set from an
 * argument, also inside of single quotes.  NULL if a value is not known, or if
 * template_shell_fault refuses TEXT.
 */
struct span *template_shell(struct arena *arena, struct span text,
    template_value *value, void *context, size_t *nwords);

/*
 * NULL; or a sentence, if the shell would not expand a value at the reference
 * *WHERE in TEXT, or if that cannot be known.
 */
const char *template_shell_fault(
    struct arena *arena, struct span text, struct template_piece *where);

#endif
