/*
 * Read a file twice through the library: the second answer is a marker.
 *
 *	cc twice.c $(pkg-config --cflags --libs readcache) -o twice
 *	./twice DIRECTORY FILE
 *
 * Nothing here quotes JSON: DIRECTORY and FILE are plain names.
 */
#include <readcache.h>
#include <stdio.h>
#include <string.h>

#define CALL \
	"{\"type\":\"message\",\"id\":\"1\",\"parentId\":null,\"message\":{\"role\":\"assistant\"," \
	"\"stopReason\":\"toolUse\",\"content\":[{\"type\":\"toolCall\",\"id\":" \
	"\"c\",\"name\":\"read\",\"arguments\":{\"path\":\"%s\"}}]}}"
#define RESULT \
	",{\"type\":\"message\",\"id\":\"2\",\"parentId\":\"1\",\"message\":{" \
	"\"role\":\"toolResult\",\"toolName\":\"read\",\"toolCallId\":\"c\",%.*s}}"

int
main(int argc, char **argv)
{
	static char entries[1 << 20], request[1 << 21];
	struct rc *rc = rc_open();
	const char *line = "", *result;
	size_t n = 0;

	if (argc != 3 || rc == NULL)
		return 2;
	(void)snprintf(entries, sizeof(entries), CALL, argv[2]);
	for (int i = 1; i <= 2; i++) {
		(void)snprintf(request, sizeof(request),
		    "{\"v\":1,\"op\":\"read\",\"cwd\":\"%s\",\"params\":{\"path\":"
		    "\"%s\"},\"session\":{\"leafId\":\"%d\",\"entries\":[%s]}}",
		    argv[1], argv[2], i, entries);
		if (rc_answer(rc, request, strlen(request), &line, &n) != RC_OK)
			break;
		(void)fwrite(line, 1, n, stdout);
		/* What the model was given is in its session from now on. */
		result = strstr(line, "\"content\"");
		if (i == 1 && result != NULL)
			(void)snprintf(entries + strlen(entries),
			    sizeof(entries) - strlen(entries), RESULT,
			    (int)(strstr(line, "},\"decision\"") - result), result);
	}
	rc_close(rc);
	return n > 0 ? 0 : 1;
}
