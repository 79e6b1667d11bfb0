/*
 * progress.h -- a line on the terminal that shows how far long work has come.
 *
 * It is shown only if standard error is a terminal, and only after a moment,
 * so that short work shows nothing.
 */
#ifndef READCACHE_CLI_PROGRESS_H
#define READCACHE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	const char *what; /* "reading x.jsonl" */
	struct timespec began;
	int percent; /* as shown, or -1 */
	bool silent;
};

/* Begin.  Nothing is shown yet. */
struct progress progress_begin(const char *what);

/*
 * Show how much is done.  It may be called as often as you like (an
 * index_progress).
 */
void progress_tell(void *progress, uint64_t done, uint64_t all);

/* Remove the line. */
void progress_end(struct progress *progress);

#endif
