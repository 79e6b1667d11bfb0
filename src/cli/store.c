#include <sys/stat.h>

#include "base/amount.h"
#include "base/scope.h"
#include "cli/adopt.h"
#include "cli/clear.h"
#include "cli/commands.h"
#include "cli/settings.h"
#include "cli/store_open.h"
#include "cli/store_show.h"
#include "serve/upkeep.h"
#include "store/dir.h"
#include "work/kept/kept.h"

static const char head[] =
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
    "deleted at any time: things are then read, asked or made again.\n";

static const char body[] =
    "\n"
    "gc removes temporary files older than an hour, results that have expired,\n"
    "and versions and results that were not used for too long; then the least\n"
    "recently used ones, until the versions are within the size, and the\n"
    "results too (each for themselves, 256 MiB by default), and the results\n"
    "are 10,000 at most; then outputs that no result and no stage's last run\n"
    "refers to. What was used within the last hour stays, unless it has\n"
    "expired. Outputs have no limit of their own: those of last runs stay\n"
    "until clear.\n"
    "\n"
    "settings ttl D, settings iteration-mode on|off and settings checkout-mode\n"
    "MODES set one in your settings file; default as the value unsets it.\n"
    "status FILE tells what is kept of a workflow's file, and clear FILE or\n"
    "clear --all forgets it, as flow status and flow clear do.\n";

static const char tail[] =
    "\"readcache store\" is the same command under its older name.\n"
    "\n"
    "Exit status:\n"
    "  0  done\n"
    "  1  verify found something damaged\n"
    "  2  the arguments or the store cannot be used\n";

struct cache_given {
	const char *store;     /* NULL: the one in force */
	const char *max_bytes; /* NULL: the one in force */
	const char *max_age;   /* in days; NULL: the one in force */
	bool dry;
};

#define AT(member) offsetof(struct cache_given, member)

static const struct command_option options[] = {
    {"store", .value = "DIR", .kind = OPTION_TEXT, .at = AT(store),
	.offer = OFFER_DIRECTORIES,
	.help = "this store (default: the one in force for the\n"
		"current directory, see readcache config)"},
    {"dry-run", .letter = 'n', .kind = OPTION_FLAG, .at = AT(dry),
	.help = "verify, gc: tell, but remove nothing"},
    {"max-bytes", .value = "N", .kind = OPTION_TEXT, .at = AT(max_bytes),
	.help = "gc: this size for versions, and for results\n"
		"(default: the setting storeMaxBytes); K, M and G\n"
		"may follow the number"},
    {"max-age", .value = "N", .kind = OPTION_TEXT, .at = AT(max_age),
	.help = "gc: so many days without a use (default: the\n"
		"setting storeMaxAgeDays)"},
    {"json", .kind = OPTION_JSON, .help = "the same as one JSON object"},
};

enum store_action {
	ACTION_STATS,
	ACTION_VERIFY,
	ACTION_GC,
	ACTION_CLEAR,
	ACTION_ADOPT,
	ACTION_SETTINGS
};

static const struct command_action actions[] = {
    [ACTION_STATS] = {"stats", .help = "count what there is"},
    [ACTION_VERIFY] = {"verify",
	.help = "read everything; remove what is damaged"},
    [ACTION_GC] = {"gc", .help = "remove what is old, or too much (see below)"},
    [ACTION_CLEAR] = {"clear", .help = "remove everything"},
    [ACTION_ADOPT] = {"adopt",
	.help = "use the project's store although it was not made by you\n"
		"on this machine: all that is in it will be believed"},
    [ACTION_SETTINGS] = {"settings",
	.help = "the settings of the work cache and where they are from,\n"
		"or set one (see below)",
	.words = "show ttl iteration-mode checkout-mode"},
};

/* ---- arguments ---- */

static int
check(const struct cli *cli, const struct cache_given *given,
    enum store_action action, struct words words)
{
	if (words.n > 0 && action != ACTION_SETTINGS)
		return cli_complain(cli, "\"", words.at[0],
		    "\" is one argument too many.");
	if (given->store != NULL && action == ACTION_ADOPT)
		return cli_usage(cli, "a store that you name needs no "
				      "adopting.");
	if (given->max_bytes != NULL && action != ACTION_GC)
		return cli_usage(cli, "--max-bytes is for gc only.");
	if (given->max_age != NULL && action != ACTION_GC)
		return cli_usage(cli, "--max-age is for gc only.");
	if (given->dry && action != ACTION_VERIFY && action != ACTION_GC)
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
	/* Not through a link: what is removed must be what was named. */
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

/* What was typed overrides the settings. */
static int
choose_limits(const struct cli *cli, const struct cache_given *given,
    struct gc_limits *limits)
{
	if (given->max_bytes != NULL &&
	    !amount_parse(given->max_bytes, &limits->max_bytes))
		return cli_complain(cli, "\"", given->max_bytes,
		    "\" is not a number of bytes such as 4096, 512K or 20M.");
	if (given->max_age != NULL &&
	    !number_parse(span_str(given->max_age), &limits->max_days))
		return cli_complain(cli, "\"", given->max_age,
		    "\" is not a number of days.");
	return CLI_OK;
}

/* The exit status after a look at the store that may have been incomplete. */
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
		(void)gc_begin(store); /* the automatic one may wait */
	result = gc_run(store, &task->limits, want);
	kept = kept_gc(store, &task->limits, want);
	store_show_gc(task, &result, &kept);
	return conclude(task, result.partial);
}

static int
act(struct store_task *task, struct store *store, enum store_action action)
{
	struct clear_result cleared;

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
	cleared = clear_store(store);
	store_show_clear(task, &cleared);
	return CLI_OK;
}

/* Word number N that is neither an option nor the value of --store. */
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

/* "status FILE", "clear FILE" and "clear --all" are actions of flow. */
static const struct command *
instead(int argc, char **argv)
{
	const char *action = word_at(argc, argv, 0);

	if (action == NULL)
		return NULL;
	return strcmp(action, "status") == 0 ||
		(strcmp(action, "clear") == 0 &&
		    (word_at(argc, argv, 1) != NULL ||
			has_option(argc, argv, "--all")))
	    ? &cli_flow
	    : NULL;
}

static int
run_on_store(
    struct cli *cli, const struct cache_given *given, enum store_action action)
{
	struct store_task task = {.cli = cli, .dry = given->dry};
	struct store_opened opened;
	int status = open_store(cli, given->store, &task, &opened);

	if (status == CLI_OK)
		status = choose_limits(cli, given, &task.limits);
	return status == CLI_OK ? act(&task, &opened.store, action) : status;
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	const struct cache_given *typed = given;
	int action = command_take_action(cli, &cli_cache, &words);
	struct store_opened opened;
	int status;

	if (action < 0)
		return CLI_USAGE;
	status = check(cli, typed, (enum store_action)action, words);
	if (status != CLI_OK)
		return status;
	if (action == ACTION_ADOPT)
		return cli_adopt(cli);
	if (action != ACTION_SETTINGS)
		return run_on_store(cli, typed, (enum store_action)action);
	return store_choose_quietly(cli, typed->store, &opened) == CLI_OK
	    ? cli_settings(cli, &opened.config, words.at, words.n)
	    : CLI_USAGE;
}

const struct command cli_cache = {
    .name = "cache",
    .older = "store",
    .summary = "stats, gc, clear, adopt, settings: all that is kept",
    .size = sizeof(struct cache_given),
    COMMAND_OPTIONS(options),
    COMMAND_ACTIONS(actions),
    .head = head,
    .body = body,
    .tail = tail,
    .instead = instead,
    .run = run,
};
