/*
 * response.h -- one encoded response (SPEC 2.2).
 *
 * Each function writes one whole line.  ID is the raw id of the request; empty
 * if it has none.
 */
#ifndef READCACHE_SERVE_RESPONSE_H
#define READCACHE_SERVE_RESPONSE_H

#include "answer/decide.h"
#include "session/view.h"
#include "meta/meta.h"
#include "serve/branch.h"

struct response_read {
	struct span text;
	const struct view *truncation; /* NULL: the host would have none */
	const struct meta *meta;       /* NULL: none */
	struct decided verdict;
	struct scope scope;
	bool has_scope;
	uint64_t baseline_bytes;
};

void response_read(struct buf *buf, struct span id,
    const struct response_read *read);

/*
 * Let the host read.  RANGED: the path had a range suffix, which the host does
 * not know.  Then PATH, OFFSET and LIMIT (0: none) say what it must read.
 */
struct response_delegate {
	const char *reason;
	bool ranged;
	struct span path;
	uint64_t offset, limit;
};

void response_delegate(struct buf *buf, struct span id,
    const struct response_delegate *delegate);

void response_error(struct buf *buf, struct span id, const char *code,
    struct span message);

void response_refresh(struct buf *buf, struct span id, struct span path,
    struct scope scope, uint64_t at_ms, struct span text);

void response_expand(struct buf *buf, struct span id, struct span text);

struct response_status {
	uint64_t paths, scopes;
	uint64_t modes[MODE_PLAIN];
	uint64_t baseline_bytes, served_bytes;
	struct span store;
	uint64_t objects, object_bytes;
	enum branch_state branch;
};

void response_status(struct buf *buf, struct span id,
    const struct response_status *status, struct span text);

/* Tokens are estimated, and every figure names the rule. */
#define RESPONSE_BYTES_PER_TOKEN 4
#define RESPONSE_ESTIMATOR "bytes/4"

#endif
