#include <stdlib.h>

#include "cli/commands.h"
#include "cli/flow.h"

#define JOBS_MAX 256

static const char head[] =
    "Examples:\n"
    "  readcache flow ./flow.json             run it; what is unchanged is\n"
    "                                         not done again\n"
    "  readcache flow ./flow.json topic=cats --jobs 4\n"
    "  readcache flow ./flow.json --explain   what would run, and why\n"
    "  readcache flow status ./flow.json      what is kept of it\n"
    "  readcache flow save ./flow.json nightly && readcache flow nightly\n"
    "\n"
    "Usage: readcache flow FILE|NAME [INPUT=VALUE...] [options]\n"
    "       readcache flow status|validate FILE|NAME [options]\n"
    "       readcache flow checkout|commit FILE|NAME [NODE...] [options]\n"
    "       readcache flow save FILE NAME\n"
    "       readcache flow clear FILE|--all\n"
    "\n"
    "A workflow is a JSON file of nodes: commands that wait for each other\n"
    "(see SPEC.md). One that is named with a slash or .json is being worked\n"
    "on: results of its nodes are kept for 24 hours, and a node is done\n"
    "again only if it, or a node before it, has changed. A saved workflow\n"
    "(.pi/flows/NAME.json) remembers nothing. Nodes with \"deps\" or\n"
    "\"outs\" compare the content of files, in both. What a node said is\n"
    "${node.stdout} for others, in a command or, whole and of any size, as\n"
    "their \"stdin\".\n";

static const char tail[] =
    "Exit status:\n"
    "  0  done             1  a node failed; or --exit-code\n"
    "  2  the arguments or the workflow cannot be used\n"
    "  3  the store cannot be written (checkout, commit, save)\n"
    "  4  blocked: a gate said no, or an approval is missing\n";

#define AT(member) offsetof(struct flow_given, member)

static const struct command_option options[] = {
    {"only", .value = "NODE", .kind = OPTION_TEXT, .at = AT(only),
	.help = "run just this node, on the results of the others"},
    {"rerun", .value = "NODE", .kind = OPTION_LIST, .at = AT(rerun),
	.help = "do this node again (may be repeated)"},
    {"no-cache", .kind = OPTION_FLAG, .at = AT(no_cache),
	.help = "do all nodes again"},
    {"jobs", .value = "N", .kind = OPTION_TEXT, .at = AT(jobs),
	.help = "so many nodes at the same time (default 1)"},
    {"approve", .value = "NODE", .kind = OPTION_LIST, .at = AT(approve),
	.help = "approve it (may be repeated)"},
    {"resume", .value = "RUN", .kind = OPTION_TEXT, .at = AT(resume),
	.help = "go on with a run that was blocked or failed"},
    {"explain", .kind = OPTION_FLAG, .at = AT(explain),
	.help = "tell what would be done and why; change nothing\n"
		"(a node after one that would run is said to run,\n"
		"whether or not what it reads will have changed)"},
    {"dry-run", .kind = OPTION_FLAG, .at = AT(explain),
	.help = "the same as --explain"},
    {"exit-code", .kind = OPTION_FLAG, .at = AT(exit_code),
	.help = "status, --explain: 1 if something would be done"},
    {"force", .kind = OPTION_FLAG, .at = AT(force),
	.help = "checkout, save: replace what differs"},
    {"only-missing", .kind = OPTION_FLAG, .at = AT(only_missing),
	.help = "checkout: leave alone what is there"},
    {"all", .kind = OPTION_FLAG, .at = AT(all),
	.help = "clear: forget what is kept of all files"},
    {"quiet", .letter = 'q', .kind = OPTION_FLAG, .at = AT(quiet),
	.help = "only what the last node says"},
    {"store", .value = "DIR", .kind = OPTION_TEXT, .at = AT(store),
	.offer = OFFER_DIRECTORIES,
	.help = "this store (default: the one in force)"},
    {"json", .value = "lines", .kind = OPTION_MAYBE, .at = AT(json),
	.help = "the same as one JSON object; =lines: a line of\n"
		"JSON for each event, as it happens"},
};

enum flow_action {
	ACTION_STATUS,
	ACTION_VALIDATE,
	ACTION_CHECKOUT,
	ACTION_COMMIT,
	ACTION_SAVE,
	ACTION_CLEAR,
};

static const struct command_action actions[] = {
    [ACTION_STATUS] = {"status",
	.help = "which nodes are kept; changes nothing"},
    [ACTION_VALIDATE] = {"validate", .help = "is the file correct?"},
    [ACTION_CHECKOUT] = {"checkout",
	.help = "bring back the outputs that nodes made last"},
    [ACTION_COMMIT] = {"commit",
	.help = "take the outputs as they are now, without running"},
    [ACTION_SAVE] = {"save", .help = "keep a file under a name"},
    [ACTION_CLEAR] = {"clear", .help = "forget what is kept of a file"},
};

/* ---- options ---- */

static bool
set_jobs(const char *text, size_t *jobs)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	*jobs = n;
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && n >= 1 &&
	       n <= JOBS_MAX;
}

static int
take_options(struct cli *cli, const struct flow_given *given,
    struct engine_options *engine)
{
	const char *agent = getenv("READCACHE_AGENT");

	if (given->store != NULL && given->store[0] == '\0')
		return cli_usage(cli, "--store needs the name of a directory.");
	*engine = (struct engine_options){
	    .no_cache = given->no_cache,
	    .rerun = {given->rerun.at, given->rerun.n},
	    .approve = {given->approve.at, given->approve.n},
	    .only = option_text(given->only),
	    .resume = option_text(given->resume),
	    .jobs = 1,
	    .agent = option_text(agent),
	};
	if (given->jobs != NULL && !set_jobs(given->jobs, &engine->jobs))
		return cli_complain(cli, "\"", given->jobs,
		    "\" is not a number of jobs from 1 to 256.");
	cli->json = given->json != NULL;
	if (cli->json && given->json[0] != '\0' &&
	    strcmp(given->json, "lines") != 0)
		return cli_complain(cli, "--json=", given->json,
		    ": only \"lines\" can be given there.");
	return CLI_OK;
}

/* Sort the other words into INPUT=VALUE and names. */
static void
take_words(
    struct cli *cli, struct words words, struct flow_arguments *arguments)
{
	size_t n = (size_t)words.n;

	arguments->names = arena_array(cli->arena, n, sizeof(struct span));
	arguments->inputs =
	    arena_array(cli->arena, n, sizeof(struct given_input));
	for (int i = 0; i < words.n; i++) {
		const char *word = words.at[i], *equals = strchr(word, '=');

		if (equals != NULL && equals > word && arguments->nnames > 0)
			arguments->inputs[arguments->ninputs++] =
			    (struct given_input){
				{word, (size_t)(equals - word)},
				span_str(equals + 1)};
		else
			arguments->names[arguments->nnames++] = span_str(word);
	}
}

/* ---- commands ---- */

/* There is a second name.  Was the first one meant to be an action? */
static int
complain_second(struct flow_task *task)
{
	struct flow_arguments *arguments = task->arguments;
	const char *hint =
	    command_action_hint(task->cli, &cli_flow, arguments->names[0]);
	struct buf after = buf_new(task->cli->arena, 128);

	buf_str(&after, "\" is one argument too many");
	if (hint[0] == '\0')
		buf_str(&after, "; inputs are given as name=value");
	buf_char(&after, '.');
	buf_str(&after, hint);
	return cli_complain(task->cli, "\"",
	    arena_cstr(task->cli->arena, arguments->names[1]),
	    arena_cstr(task->cli->arena, buf_span(&after)));
}

static int
need_one(struct flow_task *task, int (*command)(struct flow_task *))
{
	struct flow_arguments *arguments = task->arguments;

	if (arguments->nnames == 0)
		return cli_usage(task->cli,
		    "say which workflow: a file such as ./flow.json, or the "
		    "name of a saved one.");
	if (arguments->nnames > 1)
		return complain_second(task);
	return command(task);
}

static int
need_some(struct flow_task *task, int (*command)(struct flow_task *))
{
	if (task->arguments->nnames > 0)
		return command(task);
	return need_one(task, command);
}

static int
act(struct flow_task *task, enum flow_action action)
{
	const struct flow_given *given = task->given;

	switch (action) {
	case ACTION_STATUS:
		return need_one(task, cli_flow_status);
	case ACTION_VALIDATE:
		return need_one(task, cli_flow_validate);
	case ACTION_CHECKOUT:
		return given->force && given->only_missing
			   ? cli_usage(task->cli, "--force and --only-missing "
						  "exclude each other.")
			   : need_some(task, cli_flow_checkout);
	case ACTION_COMMIT:
		return need_some(task, cli_flow_commit);
	case ACTION_SAVE:
		return cli_flow_save(task);
	case ACTION_CLEAR:
		break;
	}
	return given->all ? cli_flow_clear(task)
			  : need_one(task, cli_flow_clear);
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	struct flow_arguments arguments = {0};
	struct flow_task task = {
	    .cli = cli, .given = given, .arguments = &arguments};
	int action, status = take_options(cli, given, &arguments.options);

	if (status != CLI_OK)
		return status;
	take_words(cli, words, &arguments);
	action = arguments.nnames > 0
		     ? command_action(&cli_flow, arguments.names[0])
		     : -1;
	if (action < 0) {
		status = need_one(&task, cli_flow_run);
	} else {
		arguments.names++;
		arguments.nnames--;
		status = act(&task, (enum flow_action)action);
	}
	cli_flow_close(&task);
	return status;
}

const struct command cli_flow = {
    .name = "flow",
    .takes = "FILE",
    .summary = "run a workflow; what is unchanged is not done again",
    .offer = OFFER_FILES,
    .size = sizeof(struct flow_given),
    COMMAND_OPTIONS(options),
    COMMAND_ACTIONS(actions),
    .head = head,
    .tail = tail,
    .run = run,
};
