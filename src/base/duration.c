#include "base/duration.h"

#include "base/scope.h"

const char duration_fault[] = "write a number with its unit: ms, s, m, h or "
			      "d, as in 30m or 1.5h.";

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The milliseconds of a unit; 0 if there is no such unit. */
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
 * The whole part and the fraction are read separately, as integers.  A binary
 * fraction would round "0.1s".
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
