#include "flow/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/write_all.h"
#include "flow/flow.h"
#include "wire/response.h"

/* A request's entries, the file, its old version, and the answer. */
#define MEMORY_MAX ((size_t)4 * 1024 * 1024 * 1024)
#define FIRST_READ ((size_t)64 * 1024)
#define KEEP_ROOM ((size_t)1024 * 1024)

/* What has come in and was not used yet. */
struct input {
	int fd;
	char *p;
	size_t from, n, room; /* unused bytes are p[from..n) */
};

enum fill { FILL_MORE, FILL_END, FILL_FULL, FILL_FAILED };

/* Read once more; bytes already used are dropped when room is needed. */
static enum fill
fill(struct input *in)
{
	ssize_t n;

	if (in->n == in->room && in->from > 0) {
		memmove(in->p, in->p + in->from, in->n - in->from);
		in->n -= in->from;
		in->from = 0;
	}
	if (in->n == in->room) {
		size_t room = in->room > 0 ? in->room * 2 : FIRST_READ;
		char *p = in->room > REQUEST_MAX ? NULL
						 : realloc(in->p, room);

		if (p == NULL)
			return FILL_FULL;
		in->p = p;
		in->room = room;
	}
	do {
		n = read(in->fd, in->p + in->n, in->room - in->n);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return FILL_FAILED;
	in->n += (size_t)n;
	return n > 0 ? FILL_MORE : FILL_END;
}

/* After a long request: the memory is not kept for the next ones. */
static void
give_back(struct input *in)
{
	if (in->from < in->n || in->room <= KEEP_ROOM)
		return;
	free(in->p);
	*in = (struct input){.fd = in->fd};
}

/* Room for an answer that needs no more memory; false if there is none. */
static bool
reserve(struct arena *arena, struct buf *out)
{
	if (setjmp(*arena_guard(arena)) != 0)
		return false;
	*out = buf_new(arena, (size_t)16 * 1024);
	return true;
}

/*
 * Answer one request, or, if TEXT is NULL, one that was too long; the exit
 * status, or -1 if nobody can be answered.
 */
static int
answer(struct arena *arena, const struct span *text, int fd)
{
	struct upkeep upkeep = {.due = false};
	struct buf out;
	int status;

	if (!reserve(arena, &out))
		return -1;
	if (text == NULL || text->n > REQUEST_MAX) {
		response_error(&out, SPAN(""), "too_large",
		    SPAN("The request is longer than 256 MiB; nothing was "
			 "read."));
		status = OUTCOME_UNUSABLE;
	} else {
		status = (int)flow_answer(arena, *text, &out, &upkeep);
	}
	if (!write_all(fd, buf_span(&out)))
		status = -1;
	upkeep_run(arena, &upkeep);
	arena_reset(arena);
	return status;
}

int
serve_one(int in, int out)
{
	struct arena *arena = arena_new(MEMORY_MAX);
	struct input input = {.fd = in};
	struct span text;
	enum fill got;
	int status = -1;

	do {
		got = fill(&input);
	} while (got == FILL_MORE && input.n <= REQUEST_MAX);
	text = (struct span){input.n > 0 ? input.p : "", input.n};
	if (arena != NULL && got != FILL_FAILED)
		status = answer(arena, got == FILL_END ? &text : NULL, out);
	free(input.p);
	arena_free(arena);
	return status < 0 ? OUTCOME_UNUSABLE : status;
}

/*
 * Find the end of the line that begins at in->from.  *END is behind its last
 * byte.  FILL_FULL: it is too long; then it has been skipped.
 */
static enum fill
next_line(struct input *in, size_t *end)
{
	size_t looked = in->from;
	enum fill got = FILL_MORE;
	bool skipped = false;

	for (;;) {
		const char *lf = in->n > looked
		    ? memchr(in->p + looked, '\n', in->n - looked)
		    : NULL;
		size_t held;

		if (lf != NULL) {
			*end = (size_t)(lf - in->p);
			return skipped ? FILL_FULL : FILL_MORE;
		}
		held = in->n - in->from;
		if (held > REQUEST_MAX || got == FILL_FULL) {
			skipped = true;
			in->from = in->n = held = 0;
		}
		got = fill(in);
		if (got == FILL_FAILED || (got == FILL_END && !skipped)) {
			*end = in->n;
			return in->n > in->from ? FILL_MORE : FILL_END;
		}
		if (got == FILL_END) {
			*end = in->from = in->n;
			return FILL_FULL;
		}
		looked = in->from + held;
	}
}

int
serve_lines(int in, int out)
{
	struct arena *arena = arena_new(MEMORY_MAX);
	struct input input = {.fd = in};
	enum fill got = FILL_END;
	struct span text;
	size_t end;
	int status = 0;

	while (arena != NULL && status >= 0) {
		got = next_line(&input, &end);
		if (got == FILL_END)
			break;
		text = (struct span){input.p + input.from, end - input.from};
		status = answer(arena, got == FILL_FULL ? NULL : &text, out);
		input.from = end < input.n ? end + 1 : end;
		give_back(&input);
	}
	free(input.p);
	arena_free(arena);
	return got == FILL_END && arena != NULL ? OUTCOME_OK
						: OUTCOME_UNUSABLE;
}
