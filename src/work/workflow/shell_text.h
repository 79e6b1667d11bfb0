/*
 * shell_text.h -- what a shell does at a place in its text.
 *
 * A value is passed to a shell as a variable, so it must be known whether the
 * shell expands variables at that place.  The text is read as sh reads it:
 * quotes, comments, here-documents, $(...), `...`, ${...}, nested.  Where
 * shells differ, or where only a complete parser could know, nothing is
 * guessed: values are refused from there on.
 */
#ifndef READCACHE_WORK_WORKFLOW_SHELL_TEXT_H
#define READCACHE_WORK_WORKFLOW_SHELL_TEXT_H

#include "base/arena.h"

/* The byte that stands for a value in a text. */
#define SHELL_VALUE '\0'

struct shell_place {
	bool in_single; /* in single quotes, to be closed around it */
	const char *why; /* NULL, or a sentence: not possible here */
};

/*
 * Find the places of all values in TEXT, in their order.  PLACES has room for
 * each of them.
 */
void shell_places(
    struct arena *arena, struct span text, struct shell_place *places);

#endif
