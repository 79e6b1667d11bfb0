#include <sys/stat.h>

#include "base/scope.h"
#include "cli/adopt.h"
#include "cli/amount.h"
#include "cli/commands.h"
#include "cli/kept.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "cli/store_open.h"
#include "cli/store_show.h"
#include "flow/upkeep.h"
#include "store/dir.h"

static const char help[] =
    "Examples:\n"
    "  readcache cache stats          how much is kept, and since when\n"
    "  readcache cache verify -n      name what is damaged, keep it\n"
    "  readcache cache gc             remove what is old or too much\n"
    "  readcache cache gc -n --max-bytes 100M\n"
    "                                 tell what would go for 100 MiB\n"
    "  readcache cache settings ttl 48h\n"
    "\n"
    "Usage: readcache cache stats|verify|gc|clear|adopt|settings [options]\n"
    "       readcache cache status FILE\n"
    "       readcache cache clear FILE|--all\n"
    "\n"
    "One store keeps old versions of files (to make diffs from), results under\n"
    "their keys (memo, run, flow) and outputs of stages. All of it may be\n"
    "deleted at any time: things are then read, asked or made again.\n"
    "\n"
    "  stats   count what there is\n"
    "  verify  read everything; remove what is damaged\n"
    "  gc      remove temporary files older than an hour, results that have\n"
    "          expired, and versions and results that were not used for too\n"
    "          long; then the least recently used ones, until the versions\n"
    "          are within the size, and the results too (each for themselves,\n"
    "          256 MiB by default), and the results are 10,000 at most; then\n"
    "          outputs that no result and no stage's last run refers to. What\n"
    "          was used within the last hour stays, unless it has expired.\n"
    "          Outputs have no limit of their own: those of last runs stay\n"
    "          until clear\n"
    "  clear   remove everything; of a workflow's file, or of all of them,\n"
    "          forget the session, as flow clear does\n"
    "  status  what is kept of a workflow's file, as flow status tells it\n"
    "  adopt   use the project's store although it was not made by you on\n"
    "          this machine: all that is in it will be believed\n"
    "  settings [show]\n"
    "          the settings of the work cache and where they are from\n"
    "  settings ttl D | iteration-mode on|off | checkout-mode MODES\n"
    "          set one in your settings file (default as the value: unset it)\n"
    "\n"
    "Options:\n"
    "      --store DIR    this store (default: the one in force for the\n"
    "                     current directory, see readcache config)\n"
    "  -n, --dry-run      verify, gc: tell, but remove nothing\n"
    "      --max-bytes N  gc: this size for versions, and for results\n"
    "                     (default: the setting storeMaxBytes); K, M and G\n"
    "                     may follow the number\n"
    "      --max-age N    gc: so many days without a use (default: the\n"
    "                     setting storeMaxAgeDays)\n"
    "      --json         the same as one JSON object\n"
    "  -h, --help         this text\n"
    "\n"
    "\"readcache store\" is the same command under its older name.\n"
    "\n"
    "Exit status:\n"
    "  0  done\n"
    "  1  verify found something damaged\n"
    "  2  the arguments or the store cannot be used\n";

enum action {
	ACTION_STATS,
	ACTION_VERIFY,
	ACTION_GC,
	ACTION_CLEAR,
	ACTION_ADOPT,
	ACTION_SETTINGS
};

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

	while ((option = cli_option(cli, argc, argv, ":nh", options)) != -1)
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
		default:
			return CLI_USAGE; /* cli_option has said why */
		}
	return CLI_OK;
}

static int
parse_action(struct cli *cli, int argc, char **argv,
    struct arguments *arguments)
{
	const char *name = optind < argc ? argv[optind] : NULL;

	if (name == NULL)
		return cli_usage(cli, "say what to do: stats, verify, gc, "
				      "clear, adopt or settings.");
	if (strcmp(name, "stats") == 0)
		arguments->action = ACTION_STATS;
	else if (strcmp(name, "verify") == 0)
		arguments->action = ACTION_VERIFY;
	else if (strcmp(name, "gc") == 0)
		arguments->action = ACTION_GC;
	else if (strcmp(name, "clear") == 0)
		arguments->action = ACTION_CLEAR;
	else if (strcmp(name, "adopt") == 0)
		arguments->action = ACTION_ADOPT;
	else if (strcmp(name, "settings") == 0)
		arguments->action = ACTION_SETTINGS;
	else
		return cli_complain(cli, "\"", name,
		    "\" is none of stats, verify, gc, clear, adopt and "
		    "settings.");
	if (optind + 1 < argc && arguments->action != ACTION_SETTINGS)
		return cli_complain(cli, "\"", argv[optind + 1],
		    "\" is one argument too many.");
	if (arguments->store != NULL && arguments->action == ACTION_ADOPT)
		return cli_usage(cli, "a store that you name needs no "
				      "adopting.");
	if (arguments->max_bytes != NULL && arguments->action != ACTION_GC)
		return cli_usage(cli, "--max-bytes is for gc only.");
	if (arguments->max_age != NULL && arguments->action != ACTION_GC)
		return cli_usage(cli, "--max-age is for gc only.");
	if (arguments->dry && arguments->action != ACTION_VERIFY &&
	    arguments->action != ACTION_GC)
		return cli_usage(cli, "--dry-run is for verify and gc.");
	return CLI_OK;
}

/* ---- the store ---- */

static bool
is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

static int
open_store(struct cli *cli, const char *named, struct store_task *task,
    struct store_opened *opened)
{
	/* What is removed must be what was named. */
	if (named != NULL && is_link(named))
		return cli_unusable(
		    cli, named, dir_fault_text(DIR_IN_THE_WAY));
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
		return cli_complain(cli, "\"", arguments->max_bytes,
		    "\" is no number of bytes such as 4096, 512K or 20M.");
	if (arguments->max_age != NULL &&
	    !number_parse(span_str(arguments->max_age), &limits->max_days))
		return cli_complain(cli, "\"", arguments->max_age,
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
show_stats(struct store_task *task, struct store *store)
{
	struct store_stats stats = store_stat(store);
	struct kept_stats kept = kept_stat(store);

	store_show_stats(task, &stats, &kept);
	return conclude(task, stats.partial);
}

static int
verify(struct store_task *task, struct store *store)
{
	struct verify_result verified =
	    verify_run(store, task->dry ? VERIFY_TELL : VERIFY_REMOVE);
	struct kept_verified kept =
	    kept_verify(store, task->dry ? GC_TELL : GC_REMOVE);

	store_show_verify(task, &verified, &kept);
	return verified.damaged > 0 || kept.damaged > 0
	    ? CLI_FOUND
	    : conclude(task, verified.partial);
}

static int
collect(struct store_task *task, struct store *store)
{
	enum gc_want want = task->dry ? GC_TELL : GC_REMOVE;
	struct gc_result result;
	struct kept_gone kept;

	if (!task->dry)
		(void)gc_begin(store); /* the next one may wait */
	result = gc_run(store, &task->limits, want);
	kept = kept_gc(store, &task->limits, want);
	store_show_gc(task, &result, &kept);
	return conclude(task, result.partial);
}

static int
run(struct store_task *task, struct store *store, enum action action)
{
	switch (action) {
	case ACTION_STATS:
		return show_stats(task, store);
	case ACTION_VERIFY:
		return verify(task, store);
	case ACTION_GC:
		return collect(task, store);
	case ACTION_CLEAR:
	case ACTION_ADOPT:
	case ACTION_SETTINGS:
		break;
	}
	store_show_clear(task, kept_clear(store));
	return CLI_OK;
}

/* The Nth word that is neither an option nor the directory of --store. */
static const char *
word_at(int argc, char **argv, int n)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--store") == 0)
			i++;
		else if (argv[i][0] != '-' && n-- == 0)
			return argv[i];
	}
	return NULL;
}

static bool
has_option(int argc, char **argv, const char *option)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], option) == 0)
			return true;
	return false;
}

/* "status FILE", "clear FILE" and "clear --all" are those of flow. */
static bool
is_of_flow(int argc, char **argv)
{
	const char *action = word_at(argc, argv, 0);

	if (action == NULL)
		return false;
	return strcmp(action, "status") == 0 ||
	    (strcmp(action, "clear") == 0 &&
		(word_at(argc, argv, 1) != NULL ||
		    has_option(argc, argv, "--all")));
}

int
cli_store(struct cli *cli, int argc, char **argv)
{
	struct arguments arguments = {.store = NULL};
	struct store_task task = {.cli = cli};
	struct store_opened opened;
	int status;

	if (is_of_flow(argc, argv))
		return cli_flow(cli, argc, argv);
	status = parse_options(cli, argc, argv, &arguments);
	if (status != CLI_OK)
		return status;
	if (arguments.help) {
		buf_str(&cli->out, help);
		return CLI_OK;
	}
	status = parse_action(cli, argc, argv, &arguments);
	if (status == CLI_OK && arguments.action == ACTION_SETTINGS)
		return store_choose_quietly(cli, arguments.store, &opened) ==
			CLI_OK
		    ? cli_settings(cli, &opened.config, argv + optind + 1,
			  argc - optind - 1)
		    : CLI_USAGE;
	if (status == CLI_OK && arguments.action == ACTION_ADOPT)
		return cli_adopt(cli);
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
