#include "base/amount.h"

#include "base/scope.h"

void
amount_bytes(struct buf *buf, uint64_t bytes)
{
	static const char units[] = "KMGTPE";
	uint64_t unit = 1024;
	size_t i = 0;

	if (bytes < 1024) {
		amount_count(buf, bytes, "byte");
		return;
	}
	while (i + 1 < sizeof(units) - 1 && bytes / unit >= 1024) {
		unit *= 1024;
		i++;
	}
	buf_u64(buf, bytes / unit);
	if (bytes % unit >= unit / 10) {
		buf_char(buf, '.');
		buf_u64(buf, bytes % unit / (unit / 10 + 1));
	}
	buf_char(buf, ' ');
	buf_char(buf, units[i]);
	buf_str(buf, "iB");
}

void
amount_count(struct buf *buf, uint64_t n, const char *one)
{
	buf_u64(buf, n);
	buf_char(buf, ' ');
	buf_str(buf, one);
	if (n != 1)
		buf_char(buf, 's');
}

void
amount_time(struct buf *buf, time_t when)
{
	char text[32];
	struct tm tm;

	if (localtime_r(&when, &tm) == NULL ||
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm) == 0)
		buf_str(buf, "at no time that can be told");
	else
		buf_str(buf, text);
}

bool
amount_parse(const char *text, uint64_t *bytes)
{
	struct span digits = span_str(text);
	unsigned shift = 0;

	if (digits.n > 1)
		switch (digits.p[digits.n - 1]) {
		case 'K':
			shift = 10;
			break;
		case 'M':
			shift = 20;
			break;
		case 'G':
			shift = 30;
			break;
		default:
			break;
		}
	if (shift > 0)
		digits.n--;
	if (!number_parse(digits, bytes) || *bytes > NUMBER_MAX >> shift)
		return false;
	*bytes <<= shift;
	return true;
}
