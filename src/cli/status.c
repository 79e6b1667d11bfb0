#include "base/lines.h"
#include "cli/ask.h"
#include "cli/commands.h"

static const char head[] =
    "Examples:\n"
    "  readcache status --session session.jsonl\n"
    "  readcache status --session session.jsonl --leaf 4f1c2a9e --json\n"
    "\n"
    "Usage: readcache status [options]\n"
    "\n"
    "What is known and saved on a branch of a pi session, and how large the\n"
    "store of the current directory is.\n";

static const char tail[] =
    "Exit status: 0 shown, 1 the session cannot be used, 2 unusable "
    "arguments.\n";

#define AT(member) offsetof(struct ask, member)

static const struct command_option options[] = {
    {"session", .value = "FILE", .kind = OPTION_TEXT, .at = AT(session),
	.offer = OFFER_FILES, .help = "a pi session file"},
    {"leaf", .value = "ID", .kind = OPTION_TEXT, .at = AT(leaf),
	.help = "the branch that ends there; else the last entry"},
    {"json", .kind = OPTION_JSON, .help = "the protocol's answer (SPEC.md)"},
};

/* Write TEXT line by line, with control characters in names made visible. */
static void
tell(struct cli *cli, struct span text)
{
	while (text.n > 0) {
		cli_text(cli, lines_take(&text));
		buf_char(&cli->out, '\n');
	}
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	struct ask ask = *(const struct ask *)given;
	struct answer answer;
	struct span state;
	int status;

	if (words.n > 0)
		return cli_usage(cli, "status takes no arguments but options.");
	if (ask.leaf != NULL && ask.session == NULL)
		return cli_usage(cli, "--leaf needs --session.");
	ask.op = "status";
	if (!cli_ask(cli, &ask, &answer))
		return CLI_USAGE;
	status = answer_error(cli, &answer);
	if (status != CLI_OK)
		return status;
	state = answer_text(&answer, answer.status, "session");
	if (ask.session != NULL && !span_eq(state, SPAN("ok"))) {
		(void)cli_unusable(cli, ask.session,
		    span_eq(state, SPAN("no_leaf"))
			? "it has no such entry, or none that can be trusted"
			: "it is not a session that can be read");
		return CLI_FOUND;
	}
	if (cli->json)
		buf_add(&cli->out, answer.line);
	else
		tell(cli, answer.text);
	return CLI_OK;
}

const struct command cli_status = {
    .name = "status",
    .summary = "what is known and saved on a session's branch",
    .size = sizeof(struct ask),
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
