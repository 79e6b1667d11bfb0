/*
 * duration.h -- spans of time as people write them.
 */
#ifndef READCACHE_BASE_DURATION_H
#define READCACHE_BASE_DURATION_H

#include <stdint.h>

#include "base/buf.h"

/*
 * Read a number and its unit, ms, s, m, h or d in upper or lower case: "30m",
 * "1.5h".  What is smaller than a millisecond is dropped.  False if TEXT is not
 * a duration, is 0, or is more than NUMBER_MAX ms.
 */
bool duration_parse(struct span text, uint64_t *ms);

/* The message for a text that duration_parse refuses. */
extern const char duration_fault[];

/*
 * Write MS as people say it: "850ms", "45s", "6m", "3h", "12d".  The largest
 * unit that fits is used, and what is left over is dropped.
 */
void duration_write(struct buf *buf, uint64_t ms);

#endif
