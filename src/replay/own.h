/*
 * own.h -- a change that the model made itself, by its own call.
 *
 * The arguments of the call are in the model's context, so it knows what it
 * wrote as well as what it was shown.  They prove something only together with
 * the bytes of the file: answer/trace.h.
 */
#ifndef READCACHE_REPLAY_OWN_H
#define READCACHE_REPLAY_OWN_H

#include <stddef.h>

#include "base/replacement.h"

enum own_kind {
	OWN_EDITS, /* pieces of the text were replaced */
	OWN_WRITE  /* the whole file was written */
};

struct own_change {
	enum own_kind kind;
	struct span call_id;
	struct span content;		/* OWN_WRITE */
	const struct replacement *list; /* OWN_EDITS */
	size_t n;
};

enum { OWN_CALLS_MAX = 32 }; /* that one answer may rest on */

#endif
