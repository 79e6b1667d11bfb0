/*
 * request.h -- one decoded request (SPEC 2.1).
 */
#ifndef READCACHE_SERVE_REQUEST_H
#define READCACHE_SERVE_REQUEST_H

#include <stdint.h>

#include "replay/policy.h"
#include "serve/branch.h"

#define REQUEST_MAX ((size_t)256 * 1024 * 1024)

enum op { OP_READ, OP_REFRESH, OP_STATUS, OP_EXPAND };

/* offset and limit: absent, usable, or something only the host understands. */
enum arg_kind { ARG_ABSENT, ARG_NUMBER, ARG_OTHER };

struct arg {
	enum arg_kind kind;
	uint64_t number; /* from 1 to NUMBER_MAX */
};

struct request {
	struct json_doc doc; /* the text it was decoded from */
	enum op op;
	struct span id; /* raw JSON, empty if absent */
	struct span cwd;
	struct span call_id; /* the host's id of the call; may be empty */
	struct span metadata; /* raw JSON: the metadata to expand */
	enum policy policy;
	bool has_policy; /* the request names it */
	bool nested;
	bool bypass;
	struct span path;      /* may contain NUL */
	bool path_has_lone;    /* a lone surrogate, which UTF-8 cannot have */
	struct arg offset, limit;
	bool has_delivered; /* another tool has answered this read: */
	struct digest delivered; /* the hash of that text */
	struct session session;
	struct span store; /* absolute; empty: the settings decide */
};

/*
 * Decode TEXT.  False if it cannot be used; then *ERROR is a sentence that says
 * why, and only request->id is valid.  MEMORY is the process's, or NULL;
 * entries that it knows are not validated again.
 */
bool request_parse(struct arena *arena, struct memory *memory,
    struct span text, struct request *request, const char **error);

#endif
