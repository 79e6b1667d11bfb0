/*
 * call.h -- the tool calls of an assistant's message, and what its request
 * cost.
 */
#ifndef READCACHE_SESSION_CALL_H
#define READCACHE_SESSION_CALL_H

#include <stdint.h>

#include "json/json.h"
#include "replay/own.h"

/* What a tool may do to files. */
enum tool {
	TOOL_UNKNOWN,  /* anything: a shell, or a tool we do not know */
	TOOL_HARMLESS, /* nothing */
	TOOL_READS,    /* nothing; show the one file at the path it is given */
	TOOL_CHANGES   /* change the one file at the path it is given */
};

/* One tool call of an assistant's message. */
struct call {
	struct call *next;
	struct span id;	  /* empty if it is not a string */
	struct span path; /* the path argument; empty if it is not a string */
	enum tool tool;
	const struct own_change *own; /* of TOOL_CHANGES; NULL: not known */
	bool twice;   /* another call has the same id */
	bool unclear; /* and another path */
};

/*
 * What the provider counted for the request that an assistant's message answers
 * (T15).
 */
struct bill {
	uint64_t tokens; /* of that request; 0: not known */
	struct span model, provider;
};

/*
 * A copy of CALL, which was found in DOC, that lives as long as ARENA.  It is
 * not in a list.
 */
struct call call_keep(
    const struct json_doc *doc, const struct call *call, struct arena *arena);

/* A copy of OWN, which may be NULL and was found in DOC, in ARENA. */
const struct own_change *own_keep(const struct json_doc *doc,
    const struct own_change *own, struct arena *arena);

/* A copy of BILL, which was found in DOC, that lives as long as ARENA. */
struct bill bill_keep(
    const struct json_doc *doc, struct bill bill, struct arena *arena);

/*
 * TEXT, which was found in DOC, so that it lives as long as ARENA.  It is
 * copied only if DOC has another arena.
 */
struct span text_keep(
    const struct json_doc *doc, struct span text, struct arena *arena);

#endif
