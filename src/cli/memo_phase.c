/* memo lookup and record: requests of hosts about their phases, as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lines.h"
#include "cli/memo.h"
#include "cli/tidy.h"
#include "json/emit.h"
#include "json/json.h"
#include "work/memo/memo.h"

/* What a process needs for all of its requests. */
struct asking {
	struct memo_task *task;
	enum memo_op op;
	struct hasher hasher;
	struct memo memo;
	enum dir_want tried; /* how the state was last opened, if not to look */
};

static int
refuse(struct asking *asking, const char *fault)
{
	struct buf *out = &asking->task->cli->out;

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_name(out, "error");
	buf_char(out, '{');
	emit_string_member(out, "code", SPAN("request"));
	emit_string_member(out, "message", span_str(fault));
	buf_str(out, "}}\n");
	return CLI_USAGE;
}

static bool
reads_files(const struct phase *phase)
{
	for (size_t i = 0; i < phase->nfingerprints; i++)
		if (fingerprint_reads_files(phase->fingerprints[i]))
			return true;
	return false;
}

/*
 * Open the state for the first request that has files to hash.  For all others
 * opening it would cost more than it saves.  Whoever only looks makes neither
 * a state nor a store.
 */
static void
open_state(struct asking *asking, const struct phase *phase, enum memo_op op)
{
	enum dir_want want = op == MEMO_RECORD ? DIR_MAKE : DIR_USE;

	if (asking->hasher.state != NULL || want <= asking->tried ||
	    !reads_files(phase))
		return;
	asking->tried = want;
	asking->hasher.state = state_open(&asking->task->opened.store, want);
}

/* "op" in the request overrides the command's name. */
static bool
choose_op(struct asking *asking, const struct phase *phase, enum memo_op *op)
{
	*op = asking->op;
	if (phase->op.p == NULL)
		return true;
	*op = span_eq(phase->op, SPAN("record")) ? MEMO_RECORD : MEMO_LOOKUP;
	return *op == MEMO_RECORD || span_eq(phase->op, SPAN("lookup"));
}

static int
lookup(struct asking *asking, const struct phase *phase)
{
	struct memo_answer answer;

	memo_look(&asking->memo, phase, &answer);
	memo_write_look(&asking->task->cli->out, phase, &answer);
	if (answer.failure != NULL)
		return CLI_STORE;
	return answer.verdict.decision == DECISION_REUSE ? CLI_OK : CLI_FOUND;
}

static int
keep(struct asking *asking, const struct phase *phase)
{
	struct memo_answer answer;

	memo_keep(&asking->memo, phase, &answer);
	memo_write_keep(&asking->task->cli->out, phase, &answer);
	if (answer.failure != NULL)
		return CLI_STORE;
	return answer.stored ? CLI_OK : CLI_FOUND;
}

static int
ask(struct asking *asking, struct span request)
{
	struct memo_task *task = asking->task;
	struct phase phase;
	const char *fault = phase_read(
	    task->cli->arena, request, task->opened.config.cwd, &phase);
	enum memo_op op;
	int status;

	if (fault != NULL)
		return refuse(asking, fault);
	if (!choose_op(asking, &phase, &op))
		return refuse(asking, "\"op\" is lookup or record.");
	if (task->arguments->explain)
		phase.explain = true;
	open_state(asking, &phase, op);
	status =
	    op == MEMO_RECORD ? keep(asking, &phase) : lookup(asking, &phase);
	(void)state_flush(asking->hasher.state);
	return status;
}

/*
 * With several answers the exit status only says whether something went wrong.
 */
static int
worse(int worst, int status)
{
	return status > CLI_FOUND && status > worst ? status : worst;
}

/*
 * Answer one request per line, each before the next is read.  A refused
 * request does not end this; its answer says so.
 */
static int
ask_lines(struct asking *asking)
{
	struct cli *cli = asking->task->cli;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int worst = CLI_OK;

	while ((n = getline(&line, &room, stdin)) > 0) {
		struct span request = json_trim((struct span){line, (size_t)n});

		if (request.n == 0)
			continue;
		worst = worse(worst, ask(asking, request));
		if (cli_flush(cli, CLI_OK) != CLI_OK)
			break;
		state_rest(asking->hasher.state);
	}
	free(line);
	return worst;
}

/*
 * Answer one request, or one on each line if the first line is a whole
 * request.
 */
static int
ask_all(struct asking *asking, struct span text)
{
	struct span rest = json_trim(text);
	struct span first = json_trim(lines_take(&rest));
	int worst;

	if (rest.n == 0 || !json_valid(asking->task->cli->arena, first))
		return ask(asking, text);
	worst = worse(CLI_OK, ask(asking, first));
	while (rest.n > 0) {
		struct span line = json_trim(lines_take(&rest));

		if (line.n > 0)
			worst = worse(worst, ask(asking, line));
	}
	return worst;
}

int
memo_phase(struct memo_task *task, enum memo_op op)
{
	struct cli *cli = task->cli;
	struct asking asking = {
	    .task = task, .op = op, .hasher = {.arena = cli->arena}};
	struct span request;
	int status;

	if (task->names.n > 0)
		return cli_usage(cli, "the request comes on standard input.");
	asking.memo = (struct memo){.arena = cli->arena,
	    .records = &task->records,
	    .hasher = &asking.hasher};
	if (isatty(STDIN_FILENO))
		(void)fputs("readcache: waiting for a phase as JSON on "
			    "standard input\n",
		    stderr);
	if (task->arguments->lines)
		status = ask_lines(&asking);
	else if (memo_read_input(cli, &request))
		status = ask_all(&asking, request);
	else
		return CLI_USAGE;
	state_close(asking.hasher.state);
	return op == MEMO_RECORD ? tidy(cli, &task->opened, status) : status;
}
