/*
 * duration.h -- spans of time as people write them.
 */
#ifndef READCACHE_BASE_DURATION_H
#define READCACHE_BASE_DURATION_H

#include <stdint.h>

#include "base/buf.h"

/*
 * A number and its unit: ms, s, m, h or d, in either case; "1.5h" too.  More
 * than nothing.  False if TEXT is none, or more than 2^53 ms.
 */
bool duration_parse(struct span text, uint64_t *ms);

/* What is wrong with a text that is none. */
extern const char duration_fault[];

/* As people say it: "850ms", "45s", "6m", "3h", "12d". */
void duration_write(struct buf *buf, uint64_t ms);

#endif
