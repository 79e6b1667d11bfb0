/*
 * Two threads, each with a handle of its own, over one file and one store; and
 * a third one that takes over a handle of the first.  The file changes between
 * two versions, so that there are texts, markers and diffs.
 *
 *	threads DIRECTORY ROUNDS
 *
 * Ends with 0 if every answer was one that the file's versions allow.
 */
#include <pthread.h>
#include <readcache.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 60, ROOM = 1 << 16 };

struct reader {
	const char *dir;
	int number, rounds;
	struct rc *rc;
	int texts, markers, diffs, wrong;
	char entries[ROOM], request[2 * ROOM];
};

static void
write_file(const struct reader *r, int version)
{
	char name[4096];
	FILE *file;

	(void)snprintf(name, sizeof(name), "%s/%d.txt", r->dir, r->number);
	file = fopen(name, "w");
	for (int i = 0; i < LINES && file != NULL; i++)
		(void)fprintf(file, "line %d of version %d\n", i,
		    i == 7 ? version : 0);
	if (file == NULL || fclose(file) != 0)
		abort();
}

/* One read; what was answered becomes the session's, if KEEP. */
static void
read_once(struct reader *r, int leaf, int keep)
{
	const char *line, *result, *end;
	size_t n;

	(void)snprintf(r->request, sizeof(r->request),
	    "{\"v\":1,\"op\":\"read\",\"cwd\":\"%s\",\"params\":{\"path\":"
	    "\"%d.txt\"},\"session\":{\"leafId\":\"%d\",\"entries\":[%s]}}",
	    r->dir, r->number, leaf, r->entries);
	if (rc_answer(r->rc, r->request, strlen(r->request), &line, &n) !=
		RC_OK ||
	    strlen(line) != n || line[n - 1] != '\n') {
		r->wrong++;
		return;
	}
	if (strstr(line, "\"mode\":\"unchanged\",\"reason\"") != NULL)
		r->markers++;
	else if (strstr(line, "\"mode\":\"diff\",\"reason\"") != NULL)
		r->diffs++;
	else if (strstr(line, "\"mode\":\"full\",\"reason\"") != NULL)
		r->texts++;
	else
		r->wrong++;
	result = strstr(line, "\"content\"");
	end = strstr(line, "},\"decision\"");
	if (keep && result != NULL && end != NULL) {
		size_t at = strlen(r->entries);

		(void)snprintf(r->entries + at, ROOM - at,
		    ",{\"type\":\"message\",\"id\":\"2\",\"parentId\":\"1\","
		    "\"message\":{\"role\":\"toolResult\",\"toolName\":"
		    "\"read\",\"toolCallId\":\"c\",%.*s}}",
		    (int)(end - result), result);
	}
}

static void *
work(void *context)
{
	struct reader *r = context;

	for (int i = 0; i < r->rounds; i++) {
		(void)snprintf(r->entries, ROOM,
		    "{\"type\":\"message\",\"id\":\"1\",\"parentId\":null,"
		    "\"message\":{\"role\":\"assistant\",\"stopReason\":"
		    "\"toolUse\",\"content\":[{\"type\":\"toolCall\",\"id\":"
		    "\"c\",\"name\":\"read\",\"arguments\":{\"path\":"
		    "\"%d.txt\"}}]}}",
		    r->number);
		write_file(r, 2 * i);
		read_once(r, 1, 1);
		read_once(r, 2, 0);
		write_file(r, 2 * i + 1);
		read_once(r, 2, 0);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	static struct reader readers[2];
	pthread_t threads[2];
	int rounds = argc == 3 ? atoi(argv[2]) : 0, bad = rounds == 0;

	for (int i = 0; i < 2 && !bad; i++) {
		readers[i] = (struct reader){.dir = argv[1], .number = i,
		    .rounds = rounds, .rc = rc_open()};
		bad = readers[i].rc == NULL ||
		    pthread_create(&threads[i], NULL, work, &readers[i]) != 0;
	}
	for (int i = 0; i < 2 && !bad; i++)
		(void)pthread_join(threads[i], NULL);
	/* Another thread goes on with the first one's handle. */
	if (!bad && pthread_create(&threads[0], NULL, work, &readers[0]) == 0)
		(void)pthread_join(threads[0], NULL);
	for (int i = 0; i < 2 && !bad; i++) {
		const struct reader *r = &readers[i];
		int times = i == 0 ? 2 * rounds : rounds;

		(void)printf("%d: %d texts, %d markers, %d diffs, %d wrong\n",
		    i, r->texts, r->markers, r->diffs, r->wrong);
		bad = r->wrong > 0 || r->texts != times ||
		    r->markers != times || r->diffs != times;
		rc_close(r->rc);
	}
	return bad;
}
