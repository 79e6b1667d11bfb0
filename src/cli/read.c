#include <stdio.h>

#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/explain.h"

static const char head[] =
    "Examples:\n"
    "  readcache read src/main.c\n"
    "  readcache read src/main.c:120-160\n"
    "  readcache read src/main.c --session session.jsonl --explain\n"
    "\n"
    "Usage: readcache read PATH[:FIRST[-LAST]] [options]\n"
    "\n"
    "The answer that a read gets, as text. Without a session that is always\n"
    "the file, as pi's own read shows it; with one, what the model would get\n"
    "at that point of the session.\n";

static const char tail[] =
    "Exit status: 0 answered, 1 the read failed, 2 unusable arguments.\n";

struct read_given {
	struct ask ask;
	bool explain;
};

#define AT(member) offsetof(struct read_given, member)

static const struct command_option options[] = {
    {"offset", .value = "N", .kind = OPTION_TEXT, .at = AT(ask.offset),
	.help = "from line N on"},
    {"limit", .value = "N", .kind = OPTION_TEXT, .at = AT(ask.limit),
	.help = "N lines at most"},
    {"session", .value = "FILE", .kind = OPTION_TEXT, .at = AT(ask.session),
	.offer = OFFER_FILES, .help = "a pi session file"},
    {"leaf", .value = "ID", .kind = OPTION_TEXT, .at = AT(ask.leaf),
	.help = "the entry at which the read is made; else the last"},
    {"explain", .kind = OPTION_FLAG, .at = AT(explain),
	.help = "say on standard error why it was answered so"},
    {"json", .kind = OPTION_JSON, .help = "the protocol's answer (SPEC.md)"},
};

/* The text of the only block in the result's content. */
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

static int
run(struct cli *cli, const void *given, struct words words)
{
	const struct read_given *typed = given;
	struct ask ask = typed->ask;
	struct answer answer;
	int status;

	if (words.n != 1)
		return cli_usage(cli, "read takes one path.");
	if (ask.leaf != NULL && ask.session == NULL)
		return cli_usage(cli, "--leaf needs --session.");
	ask.op = "read";
	ask.path = words.at[0];
	if (!cli_ask(cli, &ask, &answer))
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
		explain_delegate(cli, ask.path,
		    answer_text(&answer, answer.delegate, "reason"));
		return CLI_FOUND;
	}
	if (ask.session != NULL &&
	    span_eq(answer_text(&answer, answer.decision, "reason"),
		SPAN("no_branch"))) {
		(void)cli_unusable(cli, ask.session,
		    "it is not a session that can be used, or has no such entry");
		return CLI_FOUND;
	}
	buf_add(&cli->out, result_text(&answer));
	if (typed->explain)
		explain_decision(cli, &answer);
	return CLI_OK;
}

const struct command cli_read = {
    .name = "read",
    .takes = "PATH",
    .summary = "the answer that a read gets",
    .offer = OFFER_FILES,
    .size = sizeof(struct read_given),
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
