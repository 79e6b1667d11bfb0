/*
 * progress.h -- a line on the terminal that says how far long work is.
 *
 * Only if standard error is a terminal, and only after a moment: work that is
 * soon done shows nothing.
 */
#ifndef READCACHE_CLI_PROGRESS_H
#define READCACHE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	const char *what; /* "reading x.jsonl" */
	struct timespec began;
	int percent; /* as it is shown, or -1 */
	bool silent;
};

struct progress progress_begin(const char *what);

/* So far; may be called as often as one likes (an index_progress). */
void progress_tell(void *progress, uint64_t done, uint64_t all);

/* Take the line away again. */
void progress_end(struct progress *progress);

#endif
