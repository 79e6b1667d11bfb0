#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/options.h"

static const char help[] =
    "Examples:\n"
    "  readcache status --session session.jsonl\n"
    "  readcache status --session session.jsonl --leaf 4f1c2a9e --json\n"
    "\n"
    "Usage: readcache status [options]\n"
    "\n"
    "What is known and saved on a branch of a pi session, and how large the\n"
    "store of the current directory is.\n"
    "\n"
    "Options:\n"
    "      --session FILE   a pi session file\n"
    "      --leaf ID        the branch that ends there; else the last entry\n"
    "      --json           the protocol's answer (SPEC.md)\n"
    "  -h, --help           this text\n"
    "\n"
    "Exit status: 0 shown, 1 the session cannot be used, 2 unusable "
    "arguments.\n";

static int
parse(struct cli *cli, int argc, char **argv, struct ask *ask, bool *helped)
{
	static const struct option known[] = {
		{"session", required_argument, NULL, 's'},
		{"leaf", required_argument, NULL, 'l'},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int option;

	while ((option = cli_option(cli, argc, argv, ":h", known)) != -1) {
		switch (option) {
		case 's':
			ask->session = optarg;
			break;
		case 'l':
			ask->leaf = optarg;
			break;
		case 'j':
			cli->json = true;
			break;
		case 'h':
			*helped = true;
			return CLI_OK;
		default:
			return CLI_USAGE; /* cli_option has said why */
		}
	}
	if (argc != optind)
		return cli_usage(cli, "status takes no arguments but options.");
	if (ask->leaf != NULL && ask->session == NULL)
		return cli_usage(cli, "--leaf needs --session.");
	return CLI_OK;
}

/* Line by line: only names in them may hold anything else. */
static void
tell(struct cli *cli, struct span text)
{
	while (text.n > 0) {
		const char *lf = memchr(text.p, '\n', text.n);
		size_t n = lf != NULL ? (size_t)(lf - text.p) : text.n;

		cli_text(cli, (struct span){text.p, n});
		buf_char(&cli->out, '\n');
		text = span_from(text, lf != NULL ? n + 1 : n);
	}
}

int
cli_status(struct cli *cli, int argc, char **argv)
{
	struct ask ask = {.op = "status"};
	struct answer answer;
	struct span state;
	bool helped = false;
	int status = parse(cli, argc, argv, &ask, &helped);

	if (helped) {
		buf_str(&cli->out, help);
		return CLI_OK;
	}
	if (status != CLI_OK || !cli_ask(cli, &ask, &answer))
		return CLI_USAGE;
	status = answer_error(cli, &answer);
	if (status != CLI_OK)
		return status;
	state = answer_text(&answer, answer.status, "session");
	if (ask.session != NULL && !span_eq(state, SPAN("ok"))) {
		(void)cli_unusable(cli, ask.session,
		    span_eq(state, SPAN("no_leaf"))
			? "it has no such entry, or none that can be trusted"
			: "it is no session that can be read");
		return CLI_FOUND;
	}
	if (cli->json)
		buf_add(&cli->out, answer.line);
	else
		tell(cli, answer.text);
	return CLI_OK;
}
