#include "work/record/clock.h"

#include <time.h>

#define FUTURE_MS 2000

uint64_t
clock_now(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_REALTIME, &now) != 0 || now.tv_sec < 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t
clock_expiry(uint64_t created_ms, uint64_t ttl_ms)
{
	return ttl_ms == 0 ? 0 : (created_ms + ttl_ms + 999) / 1000;
}

enum freshness
clock_judge(const struct lifetime *lifetime, uint64_t max_age, uint64_t now)
{
	uint64_t created = lifetime->created_ms;
	bool bounded = lifetime->expires_at != 0 || lifetime->ttl_ms != 0;

	if (lifetime->expires_at != 0 && now / 1000 >= lifetime->expires_at)
		return STALE_EXPIRED;
	if ((bounded || max_age != 0) && created > now + FUTURE_MS)
		return STALE_FUTURE;
	if (created > now)
		return FRESH;
	/* Exact, while expires_at had to be rounded up to seconds. */
	if (lifetime->ttl_ms != 0 && now - created >= lifetime->ttl_ms)
		return STALE_EXPIRED;
	return max_age != 0 && now - created > max_age ? STALE_TOO_OLD : FRESH;
}
