#include <stdio.h>

#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/options.h"

static const char help[] =
    "Examples:\n"
    "  readcache read src/main.c\n"
    "  readcache read src/main.c:120-160\n"
    "  readcache read src/main.c --session session.jsonl --explain\n"
    "\n"
    "Usage: readcache read PATH[:FIRST[-LAST]] [options]\n"
    "\n"
    "The answer that a read gets, as text. Without a session that is always\n"
    "the file, as pi's own read shows it; with one, what the model would get\n"
    "at that point of the session.\n"
    "\n"
    "Options:\n"
    "      --offset N       from line N on\n"
    "      --limit N        N lines at most\n"
    "      --session FILE   a pi session file\n"
    "      --leaf ID        the entry at which the read is made; else the last\n"
    "      --explain        say on standard error why it was answered so\n"
    "      --json           the protocol's answer (SPEC.md)\n"
    "  -h, --help           this text\n"
    "\n"
    "Exit status: 0 answered, 1 the read failed, 2 unusable arguments.\n";

struct options {
	struct ask ask;
	bool explain, help;
};

static int
parse(struct cli *cli, int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{"offset", required_argument, NULL, 'o'},
		{"limit", required_argument, NULL, 'n'},
		{"session", required_argument, NULL, 's'},
		{"leaf", required_argument, NULL, 'l'},
		{"explain", no_argument, NULL, 'e'},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int option;

	while ((option = cli_option(cli, argc, argv, ":h", known)) != -1) {
		switch (option) {
		case 'o':
			options->ask.offset = optarg;
			break;
		case 'n':
			options->ask.limit = optarg;
			break;
		case 's':
			options->ask.session = optarg;
			break;
		case 'l':
			options->ask.leaf = optarg;
			break;
		case 'e':
			options->explain = true;
			break;
		case 'j':
			cli->json = true;
			break;
		case 'h':
			options->help = true;
			return CLI_OK;
		default:
			return CLI_USAGE; /* cli_option has said why */
		}
	}
	if (argc - optind != 1)
		return cli_usage(cli, "read takes one path.");
	if (options->ask.leaf != NULL && options->ask.session == NULL)
		return cli_usage(cli, "--leaf needs --session.");
	options->ask.path = argv[optind];
	return CLI_OK;
}

/* The only block of the result's content. */
static struct span
result_text(const struct answer *answer)
{
	struct json_field f = {.name = SPAN("content")};
	struct json_items blocks;
	struct span block;

	json_pick(&answer->doc, answer->result, &f, 1);
	blocks = json_items(&answer->doc, f.value);
	if (!json_next(&blocks, &block))
		return SPAN("");
	return answer_text(answer, block, "text");
}

int
cli_read(struct cli *cli, int argc, char **argv)
{
	struct options options = {.ask = {.op = "read"}};
	struct answer answer;
	int status = parse(cli, argc, argv, &options);

	if (options.help) {
		buf_str(&cli->out, help);
		return CLI_OK;
	}
	if (status != CLI_OK || !cli_ask(cli, &options.ask, &answer))
		return CLI_USAGE;
	if (cli->json) {
		buf_add(&cli->out, answer.line);
		return json_kind(answer.error) == JSON_OBJECT ? CLI_FOUND
							       : CLI_OK;
	}
	status = answer_error(cli, &answer);
	if (status != CLI_OK)
		return status;
	if (json_kind(answer.delegate) == JSON_OBJECT) {
		explain_delegate(cli, options.ask.path,
		    answer_text(&answer, answer.delegate, "reason"));
		return CLI_FOUND;
	}
	if (options.ask.session != NULL &&
	    span_eq(answer_text(&answer, answer.decision, "reason"),
		SPAN("no_branch"))) {
		(void)cli_unusable(cli, options.ask.session,
		    "it is no session that can be used, or has no such entry");
		return CLI_FOUND;
	}
	buf_add(&cli->out, result_text(&answer));
	if (options.explain)
		explain_decision(cli, &answer);
	return CLI_OK;
}
