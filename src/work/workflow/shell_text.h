/*
 * shell_text.h -- what a shell makes of the places in its text.
 *
 * A value is handed to a shell as a variable, so it must be known whether the
 * shell replaces variables where it stands.  The text is read as sh reads it:
 * quotes, comments, here-documents, $(...), `...`, ${...}, nested.  Where
 * shells differ, or where only a whole parser could tell, nothing is guessed:
 * the value is refused from there on.
 */
#ifndef READCACHE_WORK_WORKFLOW_SHELL_TEXT_H
#define READCACHE_WORK_WORKFLOW_SHELL_TEXT_H

#include "base/arena.h"

/* In a text the byte that stands for a value. */
#define SHELL_VALUE '\0'

struct shell_place {
	bool in_single; /* in single quotes, which must be left for it */
	const char *why; /* NULL, or a sentence: it cannot stand there */
};

/* The places of all values in TEXT, in their order: room for each. */
void shell_places(
    struct arena *arena, struct span text, struct shell_place *places);

#endif
