/*
 * resolve.h -- the texts of a node with all references replaced.
 *
 * Nothing is guessed.  A reference that leads nowhere, a file that cannot be
 * read, or a value that is not what it is used for fails the node, with a
 * sentence in why.  All functions are false then.
 */
#ifndef READCACHE_WORK_WORKFLOW_RESOLVE_H
#define READCACHE_WORK_WORKFLOW_RESOLVE_H

#include "store/store.h"
#include "work/workflow/bundle.h"
#include "work/workflow/inputs.h"
#include "work/workflow/value.h"

struct resolver {
	struct arena *arena;
	struct span root; /* file names are relative to it */
	struct span called; /* its name in keys, see work_called */
	struct store *store; /* for values that are files */
	bool makes_files;    /* else their names are only computed */
	const struct bundle *bundle;
	const struct inputs *inputs;
	const struct value *values; /* of each node */
	const struct node *node;    /* whose texts are resolved */
	const struct digest *whole; /* what an approval is for */
	struct span agent;  /* sh command for agents without one */
	struct span params; /* resolved, or empty: not yet */
	struct span item;   /* of a batch: JSON, or empty */
	size_t index;
	struct span judged; /* the JSON text that DOC knows, or empty */
	struct json_doc doc;
	const char *why; /* a sentence, after a failure */
};

/* The params of the node as canonical JSON; "{}" if it has none. */
bool resolve_params(struct resolver *r, struct span *params);

/* The words of its command, *N of them. */
bool resolve_command(struct resolver *r, struct span **words, size_t *n);

/* The standard input of its command: every byte of the output it refers to. */
bool resolve_stdin(struct resolver *r, struct span *bytes);

/* The items of its batch, *N of them, as JSON texts. */
bool resolve_items(struct resolver *r, struct span **items, size_t *n);

/*
 * Is TEXT, a string of params, "@" and the path of a file whose content
 * replaces it?
 */
bool resolve_names_file(struct span text, struct span *path);

#endif
