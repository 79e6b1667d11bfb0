#include <errno.h>

#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/session.h"
#include "path/range.h"
#include "session/append.h"

static const char help[] =
    "Examples:\n"
    "  readcache refresh src/main.c --session session.jsonl\n"
    "  readcache refresh src/main.c 120-160 --session session.jsonl\n"
    "  readcache refresh src/main.c --session session.jsonl --dry-run --json\n"
    "\n"
    "Usage: readcache refresh PATH [FIRST-LAST] --session FILE [options]\n"
    "\n"
    "Appends an entry to a pi session that makes the next read of the file, or\n"
    "of those lines, give the text. pi must not be running on the session: it\n"
    "would not see the entry. In a running pi use /readcache-refresh.\n"
    "\n"
    "Options:\n"
    "      --session FILE   the session; required\n"
    "  -n, --dry-run        append nothing\n"
    "      --json           show the entry\n"
    "  -h, --help           this text\n"
    "\n"
    "Exit status: 0 appended, 1 the file or the session cannot be used,\n"
    "2 unusable arguments.\n";

struct options {
	struct ask ask;
	const char *session;
	bool dry, help;
};

static int
parse(struct cli *cli, int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{"session", required_argument, NULL, 's'},
		{"dry-run", no_argument, NULL, 'n'},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int option;

	while ((option = cli_option(cli, argc, argv, ":nh", known)) != -1) {
		switch (option) {
		case 's':
			options->session = optarg;
			break;
		case 'n':
			options->dry = true;
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
	if (argc - optind < 1 || argc - optind > 2)
		return cli_usage(cli, "refresh takes a path, and a range of "
				      "lines if you like.");
	if (options->session == NULL)
		return cli_usage(cli, "refresh needs --session.");
	return CLI_OK;
}

/* "12-40" or "12" behind the path. */
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
append(struct cli *cli, const struct options *options,
    const struct answer *answer)
{
	struct index index;
	struct span line;

	if (!cli_session(cli, cli->arena, options->session, &index))
		return CLI_FOUND;
	if (index.version < 2) {
		(void)cli_unusable(cli, options->session,
		    "sessions of version 1 have no entries that can be "
		    "appended to; open it once with pi");
		return CLI_FOUND;
	}
	if (options->dry)
		return CLI_OK;
	if (!session_append(&index, span_str(options->session),
		members_of(cli, answer->entry), cli->arena, &line)) {
		(void)cli_unusable(cli, options->session, strerror(errno));
		return CLI_FOUND;
	}
	return CLI_OK;
}

int
cli_refresh(struct cli *cli, int argc, char **argv)
{
	struct options options = {.ask = {.op = "refresh"}};
	struct answer answer;
	int status = parse(cli, argc, argv, &options);

	if (options.help) {
		buf_str(&cli->out, help);
		return CLI_OK;
	}
	if (status != CLI_OK)
		return status;
	options.ask.path = argv[optind];
	if (!parse_lines(cli, argv[optind + 1], &options.ask))
		return cli_usage(cli, "the lines must be a range like 12-40.");
	if (!cli_ask(cli, &options.ask, &answer))
		return CLI_USAGE;
	status = answer_error(cli, &answer);
	if (status == CLI_OK)
		status = append(cli, &options, &answer);
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
