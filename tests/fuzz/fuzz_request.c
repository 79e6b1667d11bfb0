/*
 * Requests ("REQUEST NUL REQUEST NUL ..."), from their texts to the answers,
 * in a directory with some files.  In the input "/w is that directory.  What a
 * process answers does not depend on what it was asked before.
 */
#include "temp_dir.h"

#include "json/json.h"
#include "path/name.h"
#include "serve/memory.h"
#include "serve/service.h"

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int made = temp_make();

	(void)argc;
	(void)argv;
	EXPECT(setenv("HOME", dir, 1) == 0);
	EXPECT(unsetenv("XDG_CONFIG_HOME") == 0);
	temp_file("a.txt", SPAN("one\ntwo\nthree\n"));
	temp_file("b.txt", SPAN("no line end"));
	temp_file("empty", SPAN(""));
	temp_file("c:1-2", SPAN("a name with a colon\n"));
	temp_file("bytes", SPAN("\xff\xfe\0"));
	temp_link("link", "a.txt");
	return made;
}

/* INPUT with the directory's real name in place of /w. */
static struct span
localized(struct arena *arena, struct span input)
{
	struct buf out = buf_new(arena, input.n + 256);

	while (input.n > 0) {
		const char *at = memmem(input.p, input.n, "\"/w", 3);
		size_t n = at != NULL ? (size_t)(at - input.p) : input.n;

		buf_add(&out, (struct span){input.p, n});
		input = span_from(input, n);
		if (at != NULL) {
			buf_char(&out, '"');
			buf_str(&out, dir);
			input = span_from(input, 3);
		}
	}
	return buf_span(&out);
}

static bool
is_inside(struct arena *arena, struct span path)
{
	struct span name = name_normalize(arena, path);
	struct span root = span_str(dir);

	return span_starts(name, root) &&
	       (name.n == root.n || name.p[root.n] == '/');
}

/* A request that would write elsewhere is not for this test. */
static bool
stays_inside(struct arena *arena, struct span text)
{
	struct request request;
	const char *error;

	if (!request_parse(arena, NULL, text, &request, &error))
		return true;
	return is_inside(arena, request.cwd) &&
	       (request.store.n == 0 || is_inside(arena, request.store));
}

static void
check_answer(
    struct arena *arena, struct span answer, enum service_status outcome)
{
	struct json_doc doc = json_doc(arena);
	struct json_field f[] = {{.name = SPAN("v")}, {.name = SPAN("ok")},
	    {.name = SPAN("error")}, {.name = SPAN("result")},
	    {.name = SPAN("delegate")}, {.name = SPAN("entry")},
	    {.name = SPAN("status")}};
	int kinds = 0;

	EXPECT(answer.n > 0 && answer.p[answer.n - 1] == '\n');
	EXPECT(memchr(answer.p, '\n', answer.n) == answer.p + answer.n - 1);
	EXPECT(json_valid(arena, answer));
	json_pick(&doc, json_trim(answer), f, 7);
	EXPECT(span_eq(f[0].value, SPAN("1")));
	EXPECT(span_eq(
	    f[1].value, outcome == SERVICE_OK ? SPAN("true") : SPAN("false")));
	for (int i = 2; i < 7; i++)
		kinds += f[i].value.p != NULL;
	EXPECT(kinds == 1);
	EXPECT((f[2].value.p != NULL) == (outcome != SERVICE_OK));
}

/* The answer to TEXT, in ARENA; the request has an arena of its own. */
static struct span
answer(struct arena *arena, struct service *service, struct span text)
{
	static struct arena *own;
	enum service_status outcome;
	struct span line;
	struct buf out;

	if (own == NULL)
		own = arena_new(FUZZ_ARENA);
	EXPECT(own != NULL);
	service->arena = own;
	if (setjmp(*arena_guard(own)) != 0)
		fuzz_fail(__FILE__, __LINE__, "memory is enough");
	out = buf_new(own, (size_t)16 * 1024);
	outcome = service_answer(service, text, &out);
	check_answer(own, buf_span(&out), outcome);
	line = (struct span){arena_cstr(arena, buf_span(&out)), out.n};
	upkeep_run(own, &service->upkeep);
	arena_reset(own);
	return line;
}

/* Must a process without memory say the same? */
static bool
is_told_whole(struct arena *arena, struct span text)
{
	struct request request;
	const char *error;

	return request_parse(arena, NULL, text, &request, &error) &&
	       request.op == OP_READ && request.session.after.n == 0;
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct service service = {.memory = memory_new(), .known = known_new()};

	for (int i = 0; i < 4 && input.n > 0; i++) {
		struct span part = fuzz_part(&input, '\0');
		struct span text = localized(arena, part), kept, fresh;
		struct service nothing = {.memory = NULL};

		if (!stays_inside(arena, text))
			break;
		/* More than once: to begin with nothing is remembered. */
		(void)answer(arena, &service, text);
		kept = answer(arena, &service, text);
		fresh = answer(arena, &nothing, text);
		if (is_told_whole(arena, text))
			EXPECT(span_eq(kept, fresh));
	}
	known_free(service.known);
	memory_free(service.memory);
}
