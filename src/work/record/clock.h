/*
 * clock.h -- how old a result may be.
 *
 * There are two bounds, and both are asked:
 *   - the writer's: a record is good until expires_at; at that moment it is
 *     not good any more (now >= expires_at: expired);
 *   - the reader's: "no older than this"; exactly that old is still good
 *     (age > limit: too old).
 *
 * All times are milliseconds since 1970, but for expires_at of the file,
 * which has seconds.
 */
#ifndef READCACHE_WORK_RECORD_CLOCK_H
#define READCACHE_WORK_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/duration.h"

/* Now. */
uint64_t clock_now(void);

enum freshness {
	FRESH,
	STALE_EXPIRED, /* the writer's bound; it may be deleted */
	STALE_TOO_OLD, /* the reader's bound; others may still want it */
	STALE_FUTURE   /* the clock went back: its age is not known */
};

struct lifetime {
	uint64_t created_ms;
	uint64_t ttl_ms;     /* the writer's; 0: none */
	uint64_t expires_at; /* seconds; 0: never */
};

/*
 * Is a record of that LIFETIME good at NOW for a reader who wants it no older
 * than MAX_AGE (0: any age)?  One made more than two seconds from now is not
 * good if any bound is in force, else a clock that went back would make it
 * good for ever.
 */
enum freshness clock_judge(
    const struct lifetime *lifetime, uint64_t max_age, uint64_t now);

/* The expires_at of something made at CREATED, rounded up; 0 for no ttl. */
uint64_t clock_expiry(uint64_t created_ms, uint64_t ttl_ms);

#endif
