#include "file/measure.h"

#include "base/lines.h"
#include "base/utf8.h"

/* Where a character begins that may go on behind TEXT; else its end. */
static size_t
before_last(struct span text)
{
	enum { LONGEST = 4 };

	for (size_t back = 1; back < LONGEST && back <= text.n; back++)
		if ((unsigned char)text.p[text.n - back] >= 0xc0)
			return text.n - back;
	return text.n;
}

static void
check(struct measure *measure, struct span text, size_t end)
{
	struct span part = {text.p + measure->checked,
	    end - measure->checked};

	measure->broken = measure->broken || !utf8_valid(part);
	measure->checked = end;
}

void
measure_more(struct measure *measure, struct span so_far)
{
	size_t end = before_last(so_far);

	/* The text before it has one line already. */
	measure->lines += lines_count(span_from(so_far, measure->passed)) - 1;
	measure->passed = so_far.n;
	if (end > measure->checked)
		check(measure, so_far, end);
}

void
measure_end(struct measure *measure, struct span all)
{
	measure_more(measure, all);
	check(measure, all, all.n);
}
