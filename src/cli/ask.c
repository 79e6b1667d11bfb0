#include "cli/ask.h"

#include <stdio.h>

#include "base/utf8.h"
#include "path/name.h"
#include "json/emit.h"
#include "serve/service.h"

#define REQUEST_MEMORY ((size_t)4 * 1024 * 1024 * 1024)

/* Write a member with a path.  False (and a message) if it is not UTF-8. */
static bool
emit_path(struct cli *cli, struct buf *out, const char *name, struct span path)
{
	if (!utf8_valid(path)) {
		(void)cli_unusable(cli, name, "the name is not UTF-8");
		return false;
	}
	emit_string_member(out, name, path);
	return true;
}

/*
 * Write a member with a line number, if it was typed.  False (and a message)
 * if it is not one.
 */
static bool
emit_number(struct cli *cli, struct buf *out, const char *name,
    const char *typed)
{
	uint64_t number;

	if (typed == NULL)
		return true;
	if (!number_parse(span_str(typed), &number) || number == 0) {
		(void)fprintf(stderr,
		    "readcache: --%s must be a line number, from 1 on. "
		    "See readcache %s --help.\n",
		    name, cli->command);
		return false;
	}
	emit_number_member(out, name, number);
	return true;
}

static bool
emit_session(struct cli *cli, struct buf *out, const struct ask *ask,
    struct span cwd)
{
	struct span file;

	if (ask->session == NULL)
		return true;
	file = name_from(cli->arena, cwd, span_str(ask->session));
	emit_name(out, "session");
	buf_char(out, '{');
	if (!emit_path(cli, out, "file", file))
		return false;
	if (ask->leaf != NULL &&
	    !emit_path(cli, out, "leafId", span_str(ask->leaf)))
		return false;
	buf_char(out, '}');
	return true;
}

static bool
write_request(struct cli *cli, struct buf *out, const struct ask *ask)
{
	struct span cwd;

	if (!cli_cwd(cli, &cwd))
		return false;
	buf_str(out, "{\"v\":1");
	emit_string_member(out, "op", span_str(ask->op));
	if (!emit_path(cli, out, "cwd", cwd))
		return false;
	if (ask->path != NULL) {
		emit_name(out, "params");
		buf_char(out, '{');
		if (!emit_path(cli, out, "path", span_str(ask->path)) ||
		    !emit_number(cli, out, "offset", ask->offset) ||
		    !emit_number(cli, out, "limit", ask->limit))
			return false;
		buf_char(out, '}');
	}
	if (!emit_session(cli, out, ask, cwd))
		return false;
	buf_char(out, '}');
	return true;
}

/* A request has an arena of its own, which is freed as a whole. */
static struct span
get_answer(struct cli *cli, struct span request)
{
	struct arena *arena = arena_new(REQUEST_MEMORY);
	struct service service = {.arena = arena};
	struct span line = SPAN("");
	struct buf out;

	if (arena == NULL)
		return line;
	if (setjmp(*arena_guard(arena)) == 0) {
		out = buf_new(arena, (size_t)16 * 1024);
		(void)service_answer(&service, request, &out);
		line = (struct span){arena_cstr(cli->arena, buf_span(&out)),
		    out.n};
		upkeep_run(arena, &service.upkeep);
	}
	arena_free(arena);
	return line;
}

bool
cli_ask(struct cli *cli, const struct ask *ask, struct answer *answer)
{
	enum { RESULT, DELEGATE, ERROR, ENTRY, TEXT, DECISION, STATUS, COUNT };
	struct json_field f[COUNT] = {
		[RESULT] = {.name = SPAN("result")},
		[DELEGATE] = {.name = SPAN("delegate")},
		[ERROR] = {.name = SPAN("error")},
		[ENTRY] = {.name = SPAN("entry")},
		[TEXT] = {.name = SPAN("text")},
		[DECISION] = {.name = SPAN("decision")},
		[STATUS] = {.name = SPAN("status")},
	};
	struct buf request = buf_new(cli->arena, 512);
	struct json_text text = {.text = SPAN("")};

	if (!write_request(cli, &request, ask))
		return false;
	answer->line = get_answer(cli, buf_span(&request));
	if (answer->line.n == 0) {
		(void)cli_unusable(cli, ask->op, "out of memory");
		return false;
	}
	answer->doc = json_doc(cli->arena);
	json_pick(&answer->doc, json_trim(answer->line), f, COUNT);
	answer->result = f[RESULT].value;
	answer->delegate = f[DELEGATE].value;
	answer->error = f[ERROR].value;
	answer->entry = f[ENTRY].value;
	answer->decision = f[DECISION].value;
	answer->status = f[STATUS].value;
	(void)json_text(cli->arena, f[TEXT].value, &text);
	answer->text = text.text;
	return true;
}

struct span
answer_text(const struct answer *answer, struct span value, const char *name)
{
	struct json_field f = {.name = span_str(name)};
	struct json_text text = {.text = SPAN("")};

	json_pick(&answer->doc, value, &f, 1);
	(void)json_text(answer->doc.arena, f.value, &text);
	return text.text;
}

int
answer_error(struct cli *cli, const struct answer *answer)
{
	struct span code = answer_text(answer, answer->error, "code");
	struct span message = answer_text(answer, answer->error, "message");

	if (json_kind(answer->error) != JSON_OBJECT)
		return CLI_OK;
	(void)fprintf(stderr, "readcache: %s\n",
	    cli_visible(cli, arena_cstr(cli->arena, message)));
	return span_eq(code, SPAN("bad_request")) ? CLI_USAGE : CLI_FOUND;
}
