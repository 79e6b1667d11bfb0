#include <stdlib.h>

#include "cli/commands.h"
#include "cli/flow.h"
#include "cli/options.h"

#define JOBS_MAX 256

static const char help[] =
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
    "their \"stdin\".\n"
    "\n"
    "  status    which nodes are kept; changes nothing\n"
    "  validate  is the file correct?\n"
    "  checkout  bring back the outputs that nodes made last\n"
    "  commit    take the outputs as they are now, without running\n"
    "  save      keep a file under a name\n"
    "  clear     forget what is kept of a file\n"
    "\n"
    "Options:\n"
    "      --only NODE     run just this node, on the results of the others\n"
    "      --rerun NODE    do this node again (may be repeated)\n"
    "      --no-cache      do all nodes again\n"
    "      --jobs N        so many nodes at the same time (default 1)\n"
    "      --approve NODE  approve it (may be repeated)\n"
    "      --resume RUN    go on with a run that was blocked or failed\n"
    "      --explain, --dry-run\n"
    "                      tell what would be done and why; change nothing\n"
    "                      (a node behind one that would run is told to run,\n"
    "                      whether or not what it reads will have changed)\n"
    "      --exit-code     status, --explain: 1 if something would be done\n"
    "      --force         checkout, save: replace what differs\n"
    "      --only-missing  checkout: leave alone what is there\n"
    "      --all           clear: forget what is kept of all files\n"
    "  -q, --quiet         only what the last node says\n"
    "      --store DIR     this store (default: the one in force)\n"
    "      --json          the same as one JSON object\n"
    "      --json=lines    a line of JSON for each event, as it happens\n"
    "  -h, --help          this text\n"
    "\n"
    "Exit status:\n"
    "  0  done             1  a node failed; or --exit-code\n"
    "  2  the arguments or the workflow cannot be used\n"
    "  3  the store cannot be written (checkout, commit, save)\n"
    "  4  blocked: a gate said no, or an approval is missing\n";

/* ---- options ---- */

enum {
	OPTION_STORE = 256,
	OPTION_ONLY,
	OPTION_RERUN,
	OPTION_NO_CACHE,
	OPTION_JOBS,
	OPTION_APPROVE,
	OPTION_RESUME,
	OPTION_EXPLAIN,
	OPTION_EXIT_CODE,
	OPTION_ALL,
	OPTION_FORCE,
	OPTION_ONLY_MISSING,
	OPTION_JSON
};

/* ARGC is room enough: every name is an argument of its own. */
static void
add_name(struct cli *cli, struct names *names, int argc, const char *name)
{
	if (names->at == NULL)
		names->at =
		    arena_array(cli->arena, (size_t)argc, sizeof(struct span));
	names->at[names->n++] = span_str(name);
}

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
take_option(
    struct cli *cli, int argc, int option, struct flow_arguments *arguments)
{
	struct engine_options *options = &arguments->options;

	switch (option) {
	case OPTION_STORE:
		arguments->store = optarg;
		return optarg[0] != '\0'
			   ? CLI_OK
			   : cli_usage(
				 cli, "--store needs the name of a directory.");
	case OPTION_ONLY:
		options->only = span_str(optarg);
		return CLI_OK;
	case OPTION_RERUN:
		add_name(cli, &options->rerun, argc, optarg);
		return CLI_OK;
	case OPTION_NO_CACHE:
		options->no_cache = true;
		return CLI_OK;
	case OPTION_JOBS:
		return set_jobs(optarg, &options->jobs)
			   ? CLI_OK
			   : cli_complain(cli, "\"", optarg,
				 "\" is no number of jobs from 1 to 256.");
	case OPTION_APPROVE:
		add_name(cli, &options->approve, argc, optarg);
		return CLI_OK;
	case OPTION_RESUME:
		options->resume = span_str(optarg);
		return CLI_OK;
	case OPTION_EXPLAIN:
		arguments->explain = true;
		return CLI_OK;
	case OPTION_EXIT_CODE:
		arguments->exit_code = true;
		return CLI_OK;
	case OPTION_ALL:
		arguments->all = true;
		return CLI_OK;
	case OPTION_FORCE:
		arguments->force = true;
		return CLI_OK;
	case OPTION_ONLY_MISSING:
		arguments->only_missing = true;
		return CLI_OK;
	case OPTION_JSON:
		cli->json = true;
		arguments->lines =
		    optarg != NULL && strcmp(optarg, "lines") == 0;
		return optarg == NULL || arguments->lines
			   ? CLI_OK
			   : cli_complain(cli, "--json=", optarg,
				 ": only \"lines\" can be given there.");
	case 'q':
		arguments->quiet = true;
		return CLI_OK;
	default:
		return CLI_USAGE; /* cli_option has said why */
	}
}

static int
parse_options(struct cli *cli, int argc, char **argv,
    struct flow_arguments *arguments, bool *wants_help)
{
	static const struct option options[] = {
	    {"store", required_argument, NULL, OPTION_STORE},
	    {"only", required_argument, NULL, OPTION_ONLY},
	    {"rerun", required_argument, NULL, OPTION_RERUN},
	    {"no-cache", no_argument, NULL, OPTION_NO_CACHE},
	    {"jobs", required_argument, NULL, OPTION_JOBS},
	    {"approve", required_argument, NULL, OPTION_APPROVE},
	    {"resume", required_argument, NULL, OPTION_RESUME},
	    {"explain", no_argument, NULL, OPTION_EXPLAIN},
	    {"dry-run", no_argument, NULL, OPTION_EXPLAIN},
	    {"exit-code", no_argument, NULL, OPTION_EXIT_CODE},
	    {"all", no_argument, NULL, OPTION_ALL},
	    {"force", no_argument, NULL, OPTION_FORCE},
	    {"only-missing", no_argument, NULL, OPTION_ONLY_MISSING},
	    {"quiet", no_argument, NULL, 'q'},
	    {"json", optional_argument, NULL, OPTION_JSON},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	int option, status = CLI_OK;

	while (status == CLI_OK &&
	       (option = cli_option(cli, argc, argv, ":qh", options)) != -1) {
		if (option == 'h')
			*wants_help = true;
		else
			status = take_option(cli, argc, option, arguments);
	}
	return status;
}

/* The rest: INPUT=VALUE, or a name. */
static void
take_rest(
    struct cli *cli, int argc, char **argv, struct flow_arguments *arguments)
{
	size_t n = (size_t)(argc - optind);

	arguments->names = arena_array(cli->arena, n, sizeof(struct span));
	arguments->inputs =
	    arena_array(cli->arena, n, sizeof(struct given_input));
	for (int i = optind; i < argc; i++) {
		const char *equals = strchr(argv[i], '=');

		if (equals != NULL && equals > argv[i] && arguments->nnames > 0)
			arguments->inputs[arguments->ninputs++] =
			    (struct given_input){
				{argv[i], (size_t)(equals - argv[i])},
				span_str(equals + 1)};
		else
			arguments->names[arguments->nnames++] =
			    span_str(argv[i]);
	}
}

/* ---- commands ---- */

/* A second name: was the first one meant to be a command? */
static int
complain_second(struct flow_task *task)
{
	struct flow_arguments *arguments = task->arguments;
	const struct span commands[] = {SPAN("status"), SPAN("validate"),
	    SPAN("checkout"), SPAN("commit"), SPAN("save"), SPAN("clear")};
	const char *hint = cli_did_you_mean(task->cli, "", arguments->names[0],
	    commands, sizeof(commands) / sizeof(commands[0]));
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
dispatch(struct flow_task *task)
{
	struct flow_arguments *arguments = task->arguments;
	struct span first =
	    arguments->nnames > 0 ? arguments->names[0] : SPAN("");
	struct flow_arguments whole = *arguments;

	arguments->names++;
	arguments->nnames -= arguments->nnames > 0;
	if (span_eq(first, SPAN("status")))
		return need_one(task, cli_flow_status);
	if (span_eq(first, SPAN("validate")))
		return need_one(task, cli_flow_validate);
	if (span_eq(first, SPAN("checkout")))
		return arguments->force && arguments->only_missing
			   ? cli_usage(task->cli, "--force and --only-missing "
						  "exclude each other.")
			   : need_some(task, cli_flow_checkout);
	if (span_eq(first, SPAN("commit")))
		return need_some(task, cli_flow_commit);
	if (span_eq(first, SPAN("save")))
		return cli_flow_save(task);
	if (span_eq(first, SPAN("clear")))
		return arguments->all ? cli_flow_clear(task)
				      : need_one(task, cli_flow_clear);
	*arguments = whole;
	return need_one(task, cli_flow_run);
}

int
cli_flow(struct cli *cli, int argc, char **argv)
{
	const char *agent = getenv("READCACHE_AGENT");
	struct flow_arguments arguments = {
	    .options = {.only = SPAN(""),
		.resume = SPAN(""),
		.jobs = 1,
		.agent = span_str(agent != NULL ? agent : "")},
	};
	struct flow_task task = {.cli = cli, .arguments = &arguments};
	bool wants_help = false;
	int status = parse_options(cli, argc, argv, &arguments, &wants_help);

	if (status != CLI_OK)
		return status;
	if (wants_help) {
		buf_str(&cli->out, help);
		return CLI_OK;
	}
	take_rest(cli, argc, argv, &arguments);
	status = dispatch(&task);
	cli_flow_close(&task);
	return status;
}
