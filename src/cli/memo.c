#include "cli/memo.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/slurp.h"
#include "cli/commands.h"
#include "cli/options.h"

static const char help[] =
    "Examples:\n"
    "  readcache memo key --agent reviewer --prompt \"$prompt\" --model llama3\n"
    "  readcache memo get $key || ask-the-model | readcache memo set $key\n"
    "  readcache memo get $key --ttl 6h      only if no older than that\n"
    "  readcache memo lookup < phase.json    a host asks about one phase\n"
    "  readcache memo ls                     what is kept\n"
    "\n"
    "Usage: readcache memo COMMAND [options]\n"
    "\n"
    "Results of work under keys made of everything the work depends on: what\n"
    "was answered once need not be asked again.\n"
    "\n"
    "  key            the key of an agent's call: 64 hexadecimal digits\n"
    "  get KEY        the value, if there is one and it is good\n"
    "  set KEY        keep standard input (or --file) under KEY\n"
    "  rm KEY...      remove these\n"
    "  lookup         one phase as JSON on standard input: is there a result?\n"
    "  record         the same with its result: keep it; a project that moves,\n"
    "                 and another clone on one store, finds it again\n"
    "  ls             all that is kept\n"
    "  clear          remove all, or what --flow, --phase, --expired name\n"
    "\n"
    "Options:\n"
    "      --store DIR          this store (default: as readcache config "
    "says)\n"
    "      --ttl D              get: no older than D; set: good for D (30m, "
    "6h,\n"
    "                           7d; 0 for ever, which is the default)\n"
    "      --file F             set: the value is in F\n"
    "      --model M            key, set: the model\n"
    "      --agent A, --system S, --prompt P (repeated: one for each turn),\n"
    "      --system-file F, --prompt-file F\n"
    "                           key: the call\n"
    "      --lines              lookup, record: a request on each line, an\n"
    "                           answer on each line, until end of input\n"
    "      --flow F, --phase P, --expired\n"
    "                           clear: only these\n"
    "      --explain            why, on standard error\n"
    "      --json               one JSON object\n"
    "  -h, --help               this text\n"
    "\n"
    "Exit status:\n"
    "  0  a hit, or done\n"
    "  1  a miss, or nothing to remove, or nothing was kept\n"
    "  2  the arguments or the request cannot be used\n"
    "  3  the store cannot be used\n";

#define INPUT_MAX ((size_t)192 * 1024 * 1024)

/* ---- what the commands share ---- */

int
memo_store_failed(struct memo_task *task, const char *what, int error)
{
	(void)fprintf(stderr, "readcache: %s: %s.\n",
	    cli_visible(task->cli, what), strerror(error));
	return CLI_STORE;
}

static bool
read_fd(struct cli *cli, int fd, const char *name, struct span *bytes)
{
	switch (slurp_stream(cli->arena, fd, INPUT_MAX, bytes)) {
	case SLURP_OK:
		return true;
	case SLURP_TOO_LARGE:
		(void)cli_unusable(cli, name, "it is larger than 192 MiB.");
		return false;
	case SLURP_SPECIAL:
	case SLURP_FAILED:
		break;
	}
	(void)cli_unusable(cli, name, strerror(errno));
	return false;
}

bool
memo_read_file(struct cli *cli, const char *name, struct span *bytes)
{
	int fd = slurp_open(name);
	bool read;

	if (fd < 0) {
		(void)cli_unusable(cli, name,
		    errno == 0 ? "it is no regular file." : strerror(errno));
		return false;
	}
	read = read_fd(cli, fd, name, bytes);
	(void)close(fd);
	return read;
}

bool
memo_read_input(struct cli *cli, struct span *bytes)
{
	return read_fd(cli, STDIN_FILENO, "standard input", bytes);
}

/* ---- arguments ---- */

enum option_name {
	OPTION_STORE = 256,
	OPTION_TTL,
	OPTION_FILE,
	OPTION_AGENT,
	OPTION_SYSTEM,
	OPTION_SYSTEM_FILE,
	OPTION_PROMPT,
	OPTION_PROMPT_FILE,
	OPTION_MODEL,
	OPTION_FLOW,
	OPTION_PHASE,
	OPTION_LINES,
	OPTION_EXPIRED,
	OPTION_EXPLAIN,
	OPTION_JSON
};

static int
take_option(struct cli *cli, struct memo_arguments *a, int option)
{
	switch (option) {
	case OPTION_STORE:
		a->store = optarg;
		break;
	case OPTION_TTL:
		a->ttl = optarg;
		break;
	case OPTION_FILE:
		a->file = optarg;
		break;
	case OPTION_AGENT:
		a->agent = optarg;
		break;
	case OPTION_SYSTEM:
		a->system = optarg;
		break;
	case OPTION_SYSTEM_FILE:
		a->system_file = optarg;
		break;
	case OPTION_PROMPT:
		a->turns[a->nturns++] = span_str(optarg);
		break;
	case OPTION_PROMPT_FILE:
		return memo_read_file(cli, optarg, &a->turns[a->nturns++])
			   ? CLI_OK
			   : CLI_USAGE;
	case OPTION_MODEL:
		a->model = optarg;
		break;
	case OPTION_FLOW:
		a->flow = optarg;
		break;
	case OPTION_PHASE:
		a->phase = optarg;
		break;
	case OPTION_LINES:
		a->lines = true;
		break;
	case OPTION_EXPIRED:
		a->expired = true;
		break;
	case OPTION_EXPLAIN:
		a->explain = true;
		break;
	case OPTION_JSON:
		cli->json = true;
		break;
	default:
		a->help = true;
		break;
	}
	return CLI_OK;
}

static int
parse(struct cli *cli, int argc, char **argv, struct memo_arguments *a)
{
	static const struct option options[] = {
	    {"store", required_argument, NULL, OPTION_STORE},
	    {"ttl", required_argument, NULL, OPTION_TTL},
	    {"file", required_argument, NULL, OPTION_FILE},
	    {"agent", required_argument, NULL, OPTION_AGENT},
	    {"system", required_argument, NULL, OPTION_SYSTEM},
	    {"system-file", required_argument, NULL, OPTION_SYSTEM_FILE},
	    {"prompt", required_argument, NULL, OPTION_PROMPT},
	    {"prompt-file", required_argument, NULL, OPTION_PROMPT_FILE},
	    {"model", required_argument, NULL, OPTION_MODEL},
	    {"flow", required_argument, NULL, OPTION_FLOW},
	    {"phase", required_argument, NULL, OPTION_PHASE},
	    {"lines", no_argument, NULL, OPTION_LINES},
	    {"expired", no_argument, NULL, OPTION_EXPIRED},
	    {"explain", no_argument, NULL, OPTION_EXPLAIN},
	    {"json", no_argument, NULL, OPTION_JSON},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	int option, status;

	a->turns = arena_array(cli->arena, (size_t)argc, sizeof(*a->turns));
	while ((option = cli_option(cli, argc, argv, ":h", options)) != -1) {
		if (option == OPTION_WRONG)
			return CLI_USAGE;
		status = take_option(cli, a, option);
		if (status != CLI_OK)
			return status;
	}
	a->names = argv + optind;
	a->nnames = argc - optind;
	return CLI_OK;
}

/* ---- the command ---- */

/* The command's own name is the first of a->names: drop it. */
static const char *
take_command(struct memo_arguments *a)
{
	if (a->nnames == 0)
		return NULL;
	a->nnames--;
	return *a->names++;
}

static int
run(struct memo_task *task, const char *name)
{
	if (strcmp(name, "get") == 0)
		return memo_get(task);
	if (strcmp(name, "set") == 0)
		return memo_set(task);
	if (strcmp(name, "lookup") == 0)
		return memo_phase(task, MEMO_LOOKUP);
	if (strcmp(name, "record") == 0)
		return memo_phase(task, MEMO_RECORD);
	if (strcmp(name, "key") == 0)
		return memo_key(task);
	if (strcmp(name, "rm") == 0)
		return memo_rm(task);
	if (strcmp(name, "ls") == 0)
		return memo_ls(task);
	if (strcmp(name, "clear") == 0)
		return memo_clear(task);
	return cli_complain(task->cli, "\"", name,
	    "\" is none of key, get, set, rm, lookup, record, ls and clear.");
}

int
cli_memo(struct cli *cli, int argc, char **argv)
{
	struct memo_task task = {.cli = cli};
	const char *name;
	int status = parse(cli, argc, argv, &task.arguments);

	if (status != CLI_OK)
		return status;
	if (task.arguments.help) {
		buf_str(&cli->out, help);
		return CLI_OK;
	}
	name = take_command(&task.arguments);
	if (name == NULL)
		return cli_usage(cli, "say what to do: key, get, set, rm, "
				      "lookup, record, ls or clear.");
	status = store_choose(cli, task.arguments.store, &task.opened);
	if (status != CLI_OK)
		return status;
	task.records = records_in(&task.opened.store);
	return run(&task, name);
}
