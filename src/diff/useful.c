#include "diff/useful.h"

/* The host's own limits for the text of an answer. */
#define ANSWER_MAX_BYTES 51200
#define ANSWER_MAX_LINES 2000

bool
diff_useful(const struct diff_cost *cost)
{
	return cost->answer_bytes <= ANSWER_MAX_BYTES &&
	    cost->answer_lines <= ANSWER_MAX_LINES &&
	    cost->answer_bytes * 10 <= cost->plain_bytes * 9 &&
	    cost->diff_lines * 100 <= cost->plain_lines * 85;
}
