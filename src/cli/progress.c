#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUIET_MS 300 /* nothing is shown before this */

struct progress
progress_begin(const char *what)
{
	const char *term = getenv("TERM");
	struct progress progress = {.what = what, .percent = -1};

	progress.silent = !isatty(STDERR_FILENO) || term == NULL ||
	    strcmp(term, "dumb") == 0;
	(void)clock_gettime(CLOCK_MONOTONIC, &progress.began);
	return progress;
}

static bool
is_early(const struct progress *progress)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - progress->began.tv_sec) * 1000 +
	    (now.tv_nsec - progress->began.tv_nsec) / 1000000 <
	    QUIET_MS;
}

void
progress_tell(void *context, uint64_t done, uint64_t all)
{
	struct progress *progress = context;
	int percent = all > 0 ? (int)(done * 100 / all) : 0;

	if (progress->silent || percent == progress->percent ||
	    is_early(progress))
		return;
	progress->percent = percent;
	(void)fprintf(stderr, "\r%s %3d %%\033[K", progress->what, percent);
	(void)fflush(stderr);
}

void
progress_end(struct progress *progress)
{
	if (progress->percent >= 0)
		(void)fputs("\r\033[K", stderr);
	progress->percent = -1;
}
