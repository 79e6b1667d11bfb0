#include "record/clock.h"

#include <time.h>

#include "base/scope.h"

#define FUTURE_MS 2000

const char duration_fault[] = "write a number with its unit: ms, s, m, h or "
			      "d, as in 30m or 1.5h.";

uint64_t
clock_now(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_REALTIME, &now) != 0 || now.tv_sec < 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The milliseconds of a unit; 0 if there is no such one. */
static uint64_t
unit_ms(struct span unit)
{
	if (unit.n == 2 && lower(unit.p[0]) == 'm' && lower(unit.p[1]) == 's')
		return 1;
	if (unit.n != 1)
		return 0;
	switch (lower(unit.p[0])) {
	case 's':
		return 1000;
	case 'm':
		return 60 * 1000;
	case 'h':
		return 60 * 60 * 1000;
	case 'd':
		return 24 * 60 * 60 * 1000;
	default:
		return 0;
	}
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Whole and fraction by themselves: no binary fraction rounds "0.1s".  What
 * is smaller than a millisecond is cut.
 */
bool
duration_parse(struct span text, uint64_t *ms)
{
	uint64_t whole = 0, part = 0, scale = 1, unit;
	size_t i = 0, digits = 0;

	for (; i < text.n && is_digit(text.p[i]); i++, digits++) {
		if (whole > NUMBER_MAX / 10)
			return false;
		whole = whole * 10 + (uint64_t)(text.p[i] - '0');
	}
	if (digits > 0 && i + 1 < text.n && text.p[i] == '.' &&
	    is_digit(text.p[i + 1]))
		for (i++; i < text.n && is_digit(text.p[i]); i++)
			if (scale < 1000000000) {
				part = part * 10 + (uint64_t)(text.p[i] - '0');
				scale *= 10;
			}
	unit = unit_ms(span_from(text, i));
	if (digits == 0 || unit == 0 || whole > NUMBER_MAX / unit)
		return false;
	*ms = whole * unit + part * unit / scale;
	return *ms > 0 && *ms <= NUMBER_MAX;
}

void
duration_write(struct buf *buf, uint64_t ms)
{
	static const struct {
		uint64_t ms;
		char name[4];
	} units[] = {{UINT64_C(86400000), "d"}, {3600000, "h"}, {60000, "m"},
	    {1000, "s"}, {1, "ms"}};
	size_t i = 0;

	while (i + 1 < sizeof(units) / sizeof(units[0]) && ms < units[i].ms)
		i++;
	buf_u64(buf, ms / units[i].ms);
	buf_str(buf, units[i].name);
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
	/* Exact, where expires_at had to be rounded up to seconds. */
	if (lifetime->ttl_ms != 0 && now - created >= lifetime->ttl_ms)
		return STALE_EXPIRED;
	return max_age != 0 && now - created > max_age ? STALE_TOO_OLD : FRESH;
}
