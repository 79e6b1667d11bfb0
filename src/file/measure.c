#include "file/measure.h"

#include "base/lines.h"
#include "base/utf8.h"

/*
 * Where the last character begins, if it may continue after TEXT.  Otherwise
 * the end of TEXT.
 */
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

	/* A text without LF has one line, and that one was counted before. */
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
