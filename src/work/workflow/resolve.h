/*
 * resolve.h -- the texts of a node with everything in place.
 *
 * Nothing is guessed: a reference that leads nowhere, a file that cannot be
 * read, a value that is not what it is used for fails the node, with a
 * sentence.
 */
#ifndef READCACHE_WORK_WORKFLOW_RESOLVE_H
#define READCACHE_WORK_WORKFLOW_RESOLVE_H

#include "store/store.h"
#include "work/workflow/bundle.h"
#include "work/workflow/inputs.h"
#include "work/workflow/value.h"

struct resolver {
	struct arena *arena;
	struct span root; /* files are named from here */
	struct span called; /* how keys call it, see work_called */
	struct store *store; /* for values that are files */
	bool makes_files;    /* else these are only named */
	const struct bundle *bundle;
	const struct inputs *inputs;
	const struct value *values; /* of each node */
	const struct node *node;    /* whose texts these are */
	const struct digest *whole; /* what an approval is for */
	struct span agent;  /* for sh: answers agents without a command */
	struct span params; /* resolved, or empty: not yet */
	struct span item;   /* of a batch: JSON, or empty */
	size_t index;
	const char *why; /* after a failure */
};

/* The params of the node as canonical JSON; "{}" if it has none. */
bool resolve_params(struct resolver *r, struct span *params);

/* The words of its command. */
bool resolve_command(struct resolver *r, struct span **words, size_t *n);

/* What its command reads from standard input: every byte that was said. */
bool resolve_stdin(struct resolver *r, struct span *bytes);

/* The items of its batch, as JSON texts. */
bool resolve_items(struct resolver *r, struct span **items, size_t *n);

/* Is TEXT, a string of params, the name of a file that takes its place? */
bool resolve_names_file(struct span text, struct span *path);

#endif
