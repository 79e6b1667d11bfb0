/*
 * before.h -- what happens to a file before every round, outside the time:
 * as between two reads of an agent.
 */
#include <stddef.h>

enum before_kind { BEFORE_NOTHING, BEFORE_APPEND, BEFORE_SWAP };

struct before {
	enum before_kind kind;
	const char *file;
	const char *from[2]; /* lines to append one by one; or two contents */

	char *text[2];
	size_t n[2], at;
	unsigned round;
};

/* Load what will be written; whatever goes wrong ends the program. */
void before_start(struct before *b);

/* Once per round. */
void before_round(struct before *b);
