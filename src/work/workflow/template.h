/*
 * template.h -- ${...} in the strings of a workflow.
 *
 *	${inputs.x}        what the command line gave
 *	${params.x}        a member of the node's own params
 *	${batch.item}      the item of the batch, ${batch.index} its number
 *	${node.stdout}     what another node said, without the last newlines
 *	${node.stderr}, ${node.exit}, ${node.json}
 *	${node.stdout.file}  the name of a file that holds all of it
 *	${node.json.a.0}   a value inside of what it said, read as JSON
 *
 * Only what has a dot is ours: ${HOME} is left to the shell.  "$${" is a
 * literal "${".
 */
#ifndef READCACHE_WORK_WORKFLOW_TEMPLATE_H
#define READCACHE_WORK_WORKFLOW_TEMPLATE_H

#include "base/buf.h"
#include "json/json.h"

enum piece_kind { PIECE_TEXT, PIECE_REFERENCE };

/* Text as it stands, or a reference "base.field.path". */
struct template_piece {
	enum piece_kind kind;
	struct span text; /* of a reference: what stands between the braces */
	struct span base, field;
	struct span path; /* behind "field.", or empty */
};

struct template
{
	struct span rest;
};

static inline struct template template_of(struct span text)
{
	return (struct template){text};
}

/* The next piece of it, until false. */
bool template_next(struct template *t, struct template_piece *piece);

/* Is there a reference in TEXT? */
bool template_refers(struct span text);

/*
 * Is TEXT one reference to all that a node said, ${node.stdout} or
 * ${node.stderr}, and nothing else?
 */
bool template_is_said(struct span text, struct template_piece *reference);

/*
 * The value at PATH ("a.0.b"; empty: itself) inside of JSON, a valid text
 * that DOC knows.  False if there is none.
 */
bool template_dig(const struct json_doc *doc, struct span json,
    struct span path, struct span *value);

/* A value as text: a string decoded, everything else compact JSON. */
struct span template_text(struct arena *arena, struct span value);

/* What a reference stands for; false if it cannot be told now. */
typedef bool template_value(
    void *context, const struct template_piece *reference, struct span *value);

/* TEXT with every reference replaced by its value. */
bool template_fill(
    struct buf *out, struct span text, template_value *value, void *context);

/*
 * The words that make sh run TEXT with the values in it as data, whatever
 * they hold: each becomes a variable of the shell, set from an argument, in
 * single quotes too.  NULL if a value cannot be told, or if one stands where
 * template_shell_fault says.
 */
struct span *template_shell(struct arena *arena, struct span text,
    template_value *value, void *context, size_t *nwords);

/*
 * NULL, or a sentence: the shell would not put a value where the reference
 * *WHERE stands in TEXT, or it cannot be told whether it would.
 */
const char *template_shell_fault(
    struct arena *arena, struct span text, struct template_piece *where);

#endif
