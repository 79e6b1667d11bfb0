#include <getopt.h>

#include "base/scope.h"
#include "cli/amount.h"
#include "cli/commands.h"
#include "cli/store_open.h"
#include "cli/store_show.h"
#include "flow/upkeep.h"

static const char help[] =
    "Examples:\n"
    "  readcache store stats          how much is kept, and since when\n"
    "  readcache store verify -n      name damaged objects, keep them\n"
    "  readcache store gc             bring the store within its limits\n"
    "  readcache store gc -n --max-bytes 100M\n"
    "                                 tell what would go for 100 MiB\n"
    "\n"
    "Usage: readcache store stats|verify|gc [options]\n"
    "\n"
    "The store keeps old versions of files, to make diffs from. It is\n"
    "supporting data: all of it may be deleted at any time.\n"
    "\n"
    "  stats   count objects and temporary files\n"
    "  verify  hash every object; remove those that are damaged\n"
    "  gc      remove temporary files older than an hour, objects that were\n"
    "          not used for too long, then the least recently used ones until\n"
    "          the size is kept; what was used within the last hour stays\n"
    "\n"
    "Options:\n"
    "      --store DIR    this store (default: the one in force for the\n"
    "                     current directory, see readcache config)\n"
    "  -n, --dry-run      verify, gc: tell, but remove nothing\n"
    "      --max-bytes N  gc: this size (default: the setting\n"
    "                     storeMaxBytes); K, M and G may follow the number\n"
    "      --max-age N    gc: so many days without a use (default: the\n"
    "                     setting storeMaxAgeDays)\n"
    "      --json         the same as one JSON object\n"
    "  -h, --help         this text\n"
    "\n"
    "Exit status:\n"
    "  0  done\n"
    "  1  verify found damaged objects\n"
    "  2  the arguments or the store cannot be used\n";

enum action { ACTION_STATS, ACTION_VERIFY, ACTION_GC };

struct arguments {
	enum action action;
	const char *store;     /* NULL: the one in force */
	const char *max_bytes; /* NULL: the one in force */
	const char *max_age;   /* the same, in days */
	bool dry;
	bool help;
};

/* ---- arguments ---- */

static int
complain(const struct cli *cli, const char *before, const char *what,
    const char *after)
{
	struct buf sentence = buf_new(cli->arena, 128);

	buf_str(&sentence, before);
	buf_str(&sentence, what);
	buf_str(&sentence, after);
	return cli_usage(cli, arena_cstr(cli->arena, buf_span(&sentence)));
}

/* An option nobody knows: a letter of several, or the whole argument. */
static int
complain_option(const struct cli *cli, const char *argument)
{
	char letter[] = {'-', (char)optopt, '\0'};
	bool whole = argument[0] == '-' && argument[1] == '-';

	return complain(cli, "there is no option ",
	    whole || optopt == 0 ? argument : letter, ".");
}

static int
parse_options(struct cli *cli, int argc, char **argv,
    struct arguments *arguments)
{
	static const struct option options[] = {
	    {"store", required_argument, NULL, 's'},
	    {"dry-run", no_argument, NULL, 'n'},
	    {"max-bytes", required_argument, NULL, 'm'},
	    {"max-age", required_argument, NULL, 'a'},
	    {"json", no_argument, NULL, 'j'},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":nh", options, NULL)) != -1)
		switch (option) {
		case 's':
			arguments->store = optarg;
			break;
		case 'n':
			arguments->dry = true;
			break;
		case 'm':
			arguments->max_bytes = optarg;
			break;
		case 'a':
			arguments->max_age = optarg;
			break;
		case 'j':
			cli->json = true;
			break;
		case 'h':
			arguments->help = true;
			break;
		case ':':
			return complain(cli, "", argv[optind - 1],
			    " needs a value.");
		default:
			return complain_option(cli, argv[optind - 1]);
		}
	return CLI_OK;
}

static int
parse_action(struct cli *cli, int argc, char **argv,
    struct arguments *arguments)
{
	const char *name = optind < argc ? argv[optind] : NULL;

	if (name == NULL)
		return cli_usage(cli, "say what to do: stats, verify or gc.");
	if (strcmp(name, "stats") == 0)
		arguments->action = ACTION_STATS;
	else if (strcmp(name, "verify") == 0)
		arguments->action = ACTION_VERIFY;
	else if (strcmp(name, "gc") == 0)
		arguments->action = ACTION_GC;
	else
		return complain(cli, "\"", name,
		    "\" is none of stats, verify and gc.");
	if (optind + 1 < argc)
		return complain(cli, "\"", argv[optind + 1],
		    "\" is one argument too many.");
	if (arguments->max_bytes != NULL && arguments->action != ACTION_GC)
		return cli_usage(cli, "--max-bytes is for gc only.");
	if (arguments->max_age != NULL && arguments->action != ACTION_GC)
		return cli_usage(cli, "--max-age is for gc only.");
	if (arguments->dry && arguments->action == ACTION_STATS)
		return cli_usage(cli, "stats changes nothing; --dry-run is "
				      "for verify and gc.");
	return CLI_OK;
}

/* ---- the store ---- */

static int
open_store(struct cli *cli, const char *named, struct store_task *task,
    struct store_opened *opened)
{
	if (store_choose(cli, named, opened) != CLI_OK ||
	    store_check(cli, opened) != CLI_OK)
		return CLI_USAGE;
	task->root = opened->store.root;
	task->limits = upkeep_limits(&opened->store, &opened->config);
	task->absent = opened->absent;
	if (task->absent && named != NULL)
		return cli_unusable(cli, named, "there is no such directory.");
	return CLI_OK;
}

/* What was typed stands above the settings. */
static int
choose_limits(const struct cli *cli, const struct arguments *arguments,
    struct gc_limits *limits)
{
	if (arguments->max_bytes != NULL &&
	    !amount_parse(arguments->max_bytes, &limits->max_bytes))
		return complain(cli, "\"", arguments->max_bytes,
		    "\" is no number of bytes such as 4096, 512K or 20M.");
	if (arguments->max_age != NULL &&
	    !number_parse(span_str(arguments->max_age), &limits->max_days))
		return complain(cli, "\"", arguments->max_age,
		    "\" is no number of days.");
	return CLI_OK;
}

/* The exit status after a look at the store that may not have been whole. */
static int
conclude(const struct store_task *task, bool partial)
{
	if (!partial || task->absent)
		return CLI_OK;
	return cli_unusable(task->cli,
	    arena_cstr(task->cli->arena, task->root),
	    "not all of it could be read; look at its permissions, or try "
	    "again.");
}

static int
run(struct store_task *task, struct store *store, enum action action)
{
	struct verify_result verified;
	struct store_stats stats;
	struct gc_result result;

	switch (action) {
	case ACTION_STATS:
		stats = store_stat(store);
		store_show_stats(task, &stats);
		return conclude(task, stats.partial);
	case ACTION_VERIFY:
		verified = verify_run(store,
		    task->dry ? VERIFY_TELL : VERIFY_REMOVE);
		store_show_verify(task, &verified);
		return verified.damaged > 0 ? CLI_FOUND
					    : conclude(task, verified.partial);
	case ACTION_GC:
		break;
	}
	if (!task->dry)
		(void)gc_begin(store); /* the next one may wait */
	result = gc_run(store, &task->limits,
	    task->dry ? GC_TELL : GC_REMOVE);
	store_show_gc(task, &result);
	return conclude(task, result.partial);
}

int
cli_store(struct cli *cli, int argc, char **argv)
{
	struct arguments arguments = {.store = NULL};
	struct store_task task = {.cli = cli};
	struct store_opened opened;
	int status = parse_options(cli, argc, argv, &arguments);

	if (status != CLI_OK)
		return status;
	if (arguments.help) {
		buf_str(&cli->out, help);
		return CLI_OK;
	}
	status = parse_action(cli, argc, argv, &arguments);
	if (status == CLI_OK)
		status = open_store(cli, arguments.store, &task, &opened);
	if (status != CLI_OK)
		return status;
	task.dry = arguments.dry;
	status = choose_limits(cli, &arguments, &task.limits);
	if (status != CLI_OK)
		return status;
	return run(&task, &opened.store, arguments.action);
}
