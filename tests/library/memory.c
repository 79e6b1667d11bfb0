/*
 * Every allocation of the library fails once.  That is an error value or the
 * answer that the host shall read by itself, and the handle goes on.
 *
 *	memory DIRECTORY		with a file a.txt in it
 *
 * To be linked with --wrap for the functions below.
 */
#include <readcache.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static long left = -1; /* allocations until the one that fails; -1: none */
static int failed;

static int
fails(void)
{
	if (left != 0) {
		left -= left > 0;
		return 0;
	}
	left = -1;
	failed++;
	return 1;
}

void *
__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

/* Is it the file's text? */
static int
is_text(struct rc *rc, const char *request)
{
	const char *line;
	size_t n;

	return rc_answer(rc, request, strlen(request), &line, &n) == RC_OK &&
	       strstr(line, "a line of it") != NULL;
}

/* Answer REQUEST with the allocation AT failing.  False: something is wrong. */
static int
survives(const char *request, long at)
{
	const char *line = request;
	struct rc *rc;
	size_t n = 1;
	int fine;

	left = at;
	rc = rc_open();
	if (rc == NULL)
		return failed > 0;
	switch (rc_answer(rc, request, strlen(request), &line, &n)) {
	case RC_OK:
	case RC_FAILED:
	case RC_UNUSABLE:
		fine = line != NULL && n > 0 && line[n - 1] == '\n' &&
		       line[n] == '\0';
		break;
	case RC_NO_MEMORY:
	default:
		fine = line == NULL && n == 0 && failed > 0;
		break;
	}
	left = -1;
	fine = fine && is_text(rc, request);
	rc_close(rc);
	return fine;
}

int
main(int argc, char **argv)
{
	char request[8192];
	long at = 0;

	if (argc != 2)
		return 2;
	(void)snprintf(request, sizeof(request),
	    "{\"v\":1,\"op\":\"read\",\"cwd\":\"%s\",\"params\":{\"path\":"
	    "\"a.txt\"},\"session\":{\"leafId\":null,\"entries\":[]}}",
	    argv[1]);
	do {
		failed = 0;
		if (!survives(request, at)) {
			(void)printf("allocation %ld\n", at);
			return 1;
		}
	} while (failed > 0 && ++at < 100000);
	(void)printf("%ld allocations failed, one at a time\n", at);
	return at < 3; /* none was seen: it was not linked as it must be */
}
