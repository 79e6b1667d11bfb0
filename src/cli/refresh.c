#include <errno.h>

#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/session.h"
#include "host/host.h"
#include "path/range.h"

static const char head[] =
    "Examples:\n"
    "  readcache refresh src/main.c --session session.jsonl\n"
    "  readcache refresh src/main.c 120-160 --session session.jsonl\n"
    "  readcache refresh src/main.c --session session.jsonl --dry-run --json\n"
    "\n"
    "Usage: readcache refresh PATH [FIRST-LAST] --session FILE [options]\n"
    "\n"
    "Appends an entry to a pi session that makes the next read of the file, or\n"
    "of those lines, give the text. pi must not be running on the session: it\n"
    "would not see the entry. In a running pi use /readcache-refresh.\n";

static const char tail[] =
    "Exit status: 0 appended, 1 the file or the session cannot be used,\n"
    "2 unusable arguments.\n";

struct refresh_given {
	const char *session;
	bool dry;
};

#define AT(member) offsetof(struct refresh_given, member)

static const struct command_option options[] = {
    {"session", .value = "FILE", .kind = OPTION_TEXT, .at = AT(session),
	.offer = OFFER_FILES, .help = "the session; required"},
    {"dry-run", .letter = 'n', .kind = OPTION_FLAG, .at = AT(dry),
	.help = "append nothing"},
    {"json", .kind = OPTION_JSON, .help = "show the entry"},
};

/* Parse "12-40" or "12", the word after the path. */
static bool
parse_lines(struct cli *cli, const char *typed, struct ask *ask)
{
	struct buf text = buf_new(cli->arena, 64), limit;
	struct range range;

	if (typed == NULL)
		return true;
	buf_str(&text, "x:");
	buf_str(&text, typed);
	if (range_split(buf_span(&text), &range) != RANGE_GOOD ||
	    (range.last > 0 && range.last < range.first))
		return false;
	limit = buf_new(cli->arena, 24);
	buf_u64(&limit, range.first);
	ask->offset = arena_cstr(cli->arena, buf_span(&limit));
	if (range.last == 0)
		return true;
	limit.n = 0;
	buf_u64(&limit, range.last - range.first + 1);
	ask->limit = arena_cstr(cli->arena, buf_span(&limit));
	return true;
}

/* {"customType":..,"data":..} as the members of an entry. */
static struct span
members_of(struct cli *cli, struct span entry)
{
	struct buf out = buf_new(cli->arena, entry.n + 32);

	buf_str(&out, "\"type\":\"custom\",");
	buf_add(&out, (struct span){entry.p + 1, entry.n - 2});
	return buf_span(&out);
}

static int
append(struct cli *cli, const struct refresh_given *typed,
    const struct answer *answer)
{
	struct index index;
	const char *bar;
	struct span line;

	if (!cli_session(cli, cli->arena, typed->session, &index))
		return CLI_FOUND;
	bar = host->append_bar(&index);
	if (bar != NULL) {
		(void)cli_unusable(cli, typed->session, bar);
		return CLI_FOUND;
	}
	if (typed->dry)
		return CLI_OK;
	if (!host->append(&index, span_str(typed->session),
		members_of(cli, answer->entry), cli->arena, &line)) {
		(void)cli_unusable(cli, typed->session, strerror(errno));
		return CLI_FOUND;
	}
	return CLI_OK;
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	const struct refresh_given *typed = given;
	struct ask ask = {.op = "refresh"};
	struct answer answer;
	int status;

	if (words.n < 1 || words.n > 2)
		return cli_usage(cli, "refresh takes a path, and a range of "
				      "lines if you like.");
	if (typed->session == NULL)
		return cli_usage(cli, "refresh needs --session.");
	ask.path = words.at[0];
	if (!parse_lines(cli, words.at[1], &ask))
		return cli_usage(cli, "the lines must be a range like 12-40.");
	if (!cli_ask(cli, &ask, &answer))
		return CLI_USAGE;
	status = answer_error(cli, &answer);
	if (status == CLI_OK)
		status = append(cli, typed, &answer);
	if (status != CLI_OK)
		return status;
	if (cli->json) {
		buf_str(&cli->out, "{\"v\":1,\"entry\":");
		buf_add(&cli->out, answer.entry);
		buf_str(&cli->out, "}\n");
	} else {
		cli_text(cli, answer.text);
		buf_char(&cli->out, '\n');
	}
	return CLI_OK;
}

const struct command cli_refresh = {
    .name = "refresh",
    .takes = "PATH",
    .summary = "make the next read of a file give its text",
    .offer = OFFER_FILES,
    .size = sizeof(struct refresh_given),
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
