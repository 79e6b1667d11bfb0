/*
 * scope.h -- which lines an answer is about: the whole file or a range.
 */
#ifndef READCACHE_BASE_SCOPE_H
#define READCACHE_BASE_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum scope_kind { SCOPE_FULL, SCOPE_RANGE, SCOPE_KINDS };

struct scope {
	enum scope_kind kind;
	uint64_t first, last; /* of a range; a full scope has 0, 0 */
};

/* The largest integer that JavaScript can tell from its neighbours. */
#define NUMBER_MAX ((uint64_t)9007199254740991)

static inline struct scope
scope_full(void)
{
	return (struct scope){SCOPE_FULL, 0, 0};
}

static inline struct scope
scope_range(uint64_t first, uint64_t last)
{
	return (struct scope){SCOPE_RANGE, first, last};
}

/* Of lines FIRST to LAST of a file that has TOTAL: full if they are all. */
static inline struct scope
scope_of_lines(uint64_t first, uint64_t last, uint64_t total)
{
	return first == 1 && last == total ? scope_full()
					   : scope_range(first, last);
}

bool scope_eq(struct scope a, struct scope b);

/*
 * The text form of a scope, "full" or "r:<first>:<last>".  scope_parse is false
 * if TEXT is anything else.
 */
void scope_write(struct buf *buf, struct scope scope);
bool scope_parse(struct span text, struct scope *scope);

/*
 * Read decimal digits without sign, blank or leading zero.  False if TEXT is
 * anything else, or more than NUMBER_MAX; *NUMBER is then undefined.
 */
bool number_parse(struct span text, uint64_t *number);

#endif
