#include "serve/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/write_all.h"
#include "serve/response.h"
#include "serve/service.h"

#define FIRST_READ ((size_t)64 * 1024)
#define KEEP_ROOM ((size_t)1024 * 1024)

/* Bytes that were read and not used yet. */
struct input {
	int fd;
	char *p;
	size_t from, n, room; /* unused bytes are p[from..n) */
};

enum fill {
	FILL_MORE,
	FILL_END,
	FILL_FULL,      /* the request is too long */
	FILL_NO_MEMORY, /* for a request that is not too long */
	FILL_FAILED
};

/* Read once more.  Used bytes are dropped if room is needed. */
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
		char *p;

		if (in->room > REQUEST_MAX)
			return FILL_FULL;
		p = realloc(in->p, room);
		if (p == NULL)
			return FILL_NO_MEMORY;
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

/* After a long request, do not keep its memory for the next ones. */
static void
give_back(struct input *in)
{
	if (in->from < in->n || in->room <= KEEP_ROOM)
		return;
	free(in->p);
	*in = (struct input){.fd = in->fd};
}

/* The answer to a request that is not there as a whole; GOT says why. */
static enum service_status
refuse(struct service *service, struct buf *out, enum fill got)
{
	if (got == FILL_FULL)
		return service_too_large(service, out);
	memory_forget(service->memory);
	response_error(out, SPAN(""), "out_of_memory",
	    SPAN("Out of memory: there is no room for the request; "
		 "nothing was read."));
	return SERVICE_FAILED;
}

/*
 * Answer the request TEXT; or, if GOT is not FILL_MORE, a request that could
 * not be held.  Returns the exit status, or -1 if no answer can be given.
 */
static int
answer(struct service *service, enum fill got, struct span text, int fd)
{
	struct buf out;
	int status;

	if (!service_begin(service, &out))
		return -1;
	status = (int)(got == FILL_MORE
		? service_answer(service, text, &out)
		: refuse(service, &out, got));
	if (!write_all(fd, buf_span(&out)))
		status = -1;
	upkeep_run(service->arena, &service->upkeep);
	arena_reset(service->arena);
	return status;
}

int
serve_one(int in, int out)
{
	struct service service = {.arena = arena_new(SERVICE_MEMORY)};
	struct input input = {.fd = in};
	struct span text;
	enum fill got;
	int status = -1;

	do {
		got = fill(&input);
	} while (got == FILL_MORE && input.n <= REQUEST_MAX);
	text = (struct span){input.n > 0 ? input.p : "", input.n};
	if (got == FILL_END)
		got = FILL_MORE; /* all of it is there */
	if (service.arena != NULL && got != FILL_FAILED)
		status = answer(&service, got, text, out);
	free(input.p);
	arena_free(service.arena);
	return status < 0 ? SERVICE_UNUSABLE : status;
}

/*
 * Find the end of the line that begins at in->from.  *END is the offset after
 * its last byte.  FILL_FULL and FILL_NO_MEMORY: the line could not be held, and
 * was skipped.
 */
static enum fill
next_line(struct input *in, size_t *end)
{
	size_t looked = in->from;
	enum fill got = FILL_MORE, line = FILL_MORE;

	for (;;) {
		const char *lf = in->n > looked
		    ? memchr(in->p + looked, '\n', in->n - looked)
		    : NULL;
		size_t held;

		if (lf != NULL) {
			*end = (size_t)(lf - in->p);
			return line;
		}
		held = in->n - in->from;
		if (held > REQUEST_MAX || got != FILL_MORE) {
			line = got == FILL_NO_MEMORY ? got : FILL_FULL;
			in->from = in->n = held = 0;
		}
		got = fill(in);
		*end = in->n;
		/*
		 * Part of a line is not a request.  Without a buffer nothing
		 * can be read.
		 */
		if (got == FILL_FAILED ||
		    (got == FILL_NO_MEMORY && in->room == 0))
			return FILL_FAILED;
		if (got == FILL_END && line == FILL_MORE)
			return in->n > in->from ? FILL_MORE : FILL_END;
		if (got == FILL_END) {
			in->from = in->n;
			return line;
		}
		looked = in->from + held;
	}
}

int
serve_lines(int in, int out)
{
	struct service service;
	struct input input = {.fd = in};
	enum fill got = FILL_FAILED;
	struct span text;
	size_t end;
	int status = 0;

	if (!service_open(&service))
		return SERVICE_UNUSABLE;
	while (status >= 0) {
		got = next_line(&input, &end);
		if (got == FILL_END || got == FILL_FAILED)
			break;
		text = (struct span){input.p + input.from, end - input.from};
		status = answer(&service, got, text, out);
		input.from = end < input.n ? end + 1 : end;
		give_back(&input);
	}
	free(input.p);
	service_close(&service);
	return got == FILL_END ? SERVICE_OK : SERVICE_UNUSABLE;
}
