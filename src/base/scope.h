/*
 * scope.h -- which lines an answer speaks of.
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

/* The largest whole number JavaScript can tell from its neighbours. */
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

bool scope_eq(struct scope a, struct scope b);

/* "full" or "r:<first>:<last>". */
void scope_write(struct buf *buf, struct scope scope);
bool scope_parse(struct span text, struct scope *scope);

/* Decimal digits without sign, blank or leading zero, up to NUMBER_MAX. */
bool number_parse(struct span text, uint64_t *number);

#endif
