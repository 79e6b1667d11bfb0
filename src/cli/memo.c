#include "cli/memo.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/slurp.h"
#include "cli/commands.h"

static const char head[] =
    "Examples:\n"
    "  readcache memo key --agent reviewer --prompt \"$prompt\" --model "
    "llama3\n"
    "  readcache memo get $key || ask-the-model | readcache memo set $key\n"
    "  readcache memo get $key --ttl 6h      only if no older than that\n"
    "  readcache memo lookup < phase.json    a host asks about one phase\n"
    "  readcache memo ls                     what is kept\n"
    "\n"
    "Usage: readcache memo COMMAND [options]\n"
    "\n"
    "Results of work under keys made of everything the work depends on: what\n"
    "was answered once need not be asked again.\n";

static const char tail[] =
    "Exit status:\n"
    "  0  a hit, or done\n"
    "  1  a miss, or nothing to remove, or nothing was kept\n"
    "  2  the arguments or the request cannot be used\n"
    "  3  the store cannot be used\n";

#define AT(member) offsetof(struct memo_arguments, member)

static const struct command_option options[] = {
    {"store", .value = "DIR", .kind = OPTION_TEXT, .at = AT(store),
	.offer = OFFER_DIRECTORIES,
	.help = "this store (default: as readcache config says)"},
    {"ttl", .value = "D", .kind = OPTION_TEXT, .at = AT(ttl),
	.help = "get: no older than D; set: good for D (30m, 6h,\n"
		"7d; 0 for ever, which is the default)"},
    {"file", .value = "F", .kind = OPTION_TEXT, .at = AT(file),
	.offer = OFFER_FILES, .help = "set: the value is in F"},
    {"model", .value = "M", .kind = OPTION_TEXT, .at = AT(model),
	.help = "key, set: the model"},
    {"agent", .value = "A", .kind = OPTION_TEXT, .at = AT(agent),
	.help = "key: the agent that is called"},
    {"system", .value = "S", .kind = OPTION_TEXT, .at = AT(system),
	.help = "key: its system prompt"},
    {"system-file", .value = "F", .kind = OPTION_TEXT, .at = AT(system_file),
	.offer = OFFER_FILES, .help = "key: its system prompt is in F"},
    {"prompt", .value = "P", .kind = OPTION_LIST, .at = AT(turns),
	.help = "key: a turn of the call (repeated: one for each)"},
    {"prompt-file", .value = "F", .kind = OPTION_LIST, .at = AT(turns),
	.mark = MEMO_TURN_IN_FILE, .offer = OFFER_FILES,
	.help = "key: a turn that is in F"},
    {"lines", .kind = OPTION_FLAG, .at = AT(lines),
	.help = "lookup, record: a request on each line, an\n"
		"answer on each line, until end of input"},
    {"flow", .value = "F", .kind = OPTION_TEXT, .at = AT(flow),
	.help = "clear: only results of this flow"},
    {"phase", .value = "P", .kind = OPTION_TEXT, .at = AT(phase),
	.help = "clear: only results of this phase"},
    {"expired", .kind = OPTION_FLAG, .at = AT(expired),
	.help = "clear: only results that have expired"},
    {"explain", .kind = OPTION_FLAG, .at = AT(explain),
	.help = "why, on standard error"},
    {"json", .kind = OPTION_JSON, .help = "one JSON object"},
};

enum memo_action {
	ACTION_KEY,
	ACTION_GET,
	ACTION_SET,
	ACTION_RM,
	ACTION_LOOKUP,
	ACTION_RECORD,
	ACTION_LS,
	ACTION_CLEAR,
};

static const struct command_action actions[] = {
    [ACTION_KEY] = {"key",
	.help = "the key of an agent's call: 64 hexadecimal digits"},
    [ACTION_GET] = {"get", .takes = "KEY",
	.help = "the value, if there is one and it is good"},
    [ACTION_SET] = {"set", .takes = "KEY",
	.help = "keep standard input (or --file) under KEY"},
    [ACTION_RM] = {"rm", .takes = "KEY...", .help = "remove these"},
    [ACTION_LOOKUP] = {"lookup",
	.help = "one phase as JSON on standard input: is there a result?"},
    [ACTION_RECORD] = {"record",
	.help = "the same with its result: keep it; a project that moves,\n"
		"and another clone on one store, finds it again"},
    [ACTION_LS] = {"ls", .help = "all that is kept"},
    [ACTION_CLEAR] = {"clear",
	.help = "remove all, or what --flow, --phase, --expired name"},
};

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
		    errno == 0 ? "it is not a regular file." : strerror(errno));
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

/* ---- the command ---- */

static int
do_action(struct memo_task *task, enum memo_action action)
{
	switch (action) {
	case ACTION_KEY:
		return memo_key(task);
	case ACTION_GET:
		return memo_get(task);
	case ACTION_SET:
		return memo_set(task);
	case ACTION_RM:
		return memo_rm(task);
	case ACTION_LOOKUP:
		return memo_phase(task, MEMO_LOOKUP);
	case ACTION_RECORD:
		return memo_phase(task, MEMO_RECORD);
	case ACTION_LS:
		return memo_ls(task);
	case ACTION_CLEAR:
		break;
	}
	return memo_clear(task);
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	struct memo_task task = {
	    .cli = cli, .arguments = given, .names = words};
	int status, action = command_take_action(cli, &cli_memo, &task.names);

	if (action < 0)
		return CLI_USAGE;
	status = store_choose(cli, task.arguments->store, &task.opened);
	if (status != CLI_OK)
		return status;
	task.records = records_in(&task.opened.store);
	return do_action(&task, (enum memo_action)action);
}

const struct command cli_memo = {
    .name = "memo",
    .summary = "results under keys: never ask the same twice",
    .size = sizeof(struct memo_arguments),
    COMMAND_OPTIONS(options),
    COMMAND_ACTIONS(actions),
    .head = head,
    .tail = tail,
    .run = run,
};
