/*
 * clock.h -- how old a result may be.
 *
 * There are two limits, and both must be met:
 *   - the writer's: a record is good before expires_at (now >= expires_at is
 *     expired);
 *   - the reader's: "no older than this"; exactly that old is still good
 *     (age > limit is too old).
 *
 * All times are milliseconds since 1970, except expires_at, which is in
 * seconds.
 */
#ifndef READCACHE_WORK_RECORD_CLOCK_H
#define READCACHE_WORK_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/duration.h"

/* Now, in milliseconds since 1970; 0 if the clock cannot be read. */
uint64_t clock_now(void);

enum freshness {
	FRESH,
	STALE_EXPIRED, /* by the writer; it may be deleted */
	STALE_TOO_OLD, /* for the reader; others may still want it */
	STALE_FUTURE   /* the clock went back: its age is not known */
};

struct lifetime {
	uint64_t created_ms;
	uint64_t ttl_ms;     /* set by the writer; 0: none */
	uint64_t expires_at; /* seconds; 0: never */
};

/*
 * Is a record with this LIFETIME good at NOW, for a reader who wants it no
 * older than MAX_AGE (0: any age)?  If there is any limit, a record that was
 * made more than two seconds after NOW is not good: if the clock went back, it
 * would otherwise be good for ever.
 */
enum freshness clock_judge(
    const struct lifetime *lifetime, uint64_t max_age, uint64_t now);

/*
 * The expires_at, rounded up, of something made at CREATED_MS; 0 without a
 * ttl.
 */
uint64_t clock_expiry(uint64_t created_ms, uint64_t ttl_ms);

#endif
