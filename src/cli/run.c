#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/run_args.h"
#include "cli/run_show.h"
#include "cli/store_open.h"
#include "cli/tidy.h"
#include "store/dir.h"
#include "work/key/key.h"
#include "work/record/verdict.h"

static const char head[] =
    "Examples:\n"
    "  readcache run --dep src --dep Makefile -- make test\n"
    "                                        say again what it said, if\n"
    "                                        neither of them changed\n"
    "  readcache run --out model.bin -- ./train data.csv\n"
    "  readcache run -n train --code train.py --dep 'data/*.csv' \\\n"
    "      --param lr=0.01 --out model.bin -- python3 train.py\n"
    "  readcache run --dry-run --dep a --out b -- cp a b\n"
    "                                        would it run, and why?\n"
    "\n"
    "Usage: readcache run [options] [--] COMMAND [ARGUMENT...]\n"
    "\n"
    "Runs COMMAND, unless it was run before with the same words, in the same\n"
    "directory, with the same inputs: then its outputs are put back, and what\n"
    "it said and its exit status are repeated. Inputs are the program itself,\n"
    "with the interpreter of a script, files that COMMAND names by a word of\n"
    "its own, and what is declared; nothing else is looked at. If an input\n"
    "changes while COMMAND runs, the result is not kept.\n"
    "\n"
    "What stands where an output is to be made is moved aside while COMMAND\n"
    "runs, and comes back if it fails. Otherwise it is removed if it is known\n"
    "to be an older output; if not, it is kept as .NAME.readcache-old.\n";

static const char tail[] =
    "Exit status: that of COMMAND, 128 + n if signal n ended it; 125 if\n"
    "readcache itself failed or an output was not made, 126 if COMMAND cannot\n"
    "be run, 127 if it is not found. With --dry-run: 0 it would be repeated,\n"
    "1 it would be run. Signals go to COMMAND and all it has started; if they\n"
    "end it, readcache dies by them, too.\n";

#define AT(member) offsetof(struct run_given, member)

static const struct command_option options[] = {
    {.kind = OPTION_TITLE,
	.help = "Inputs and outputs, each any number of times:"},
    {"dep", .value = "PATH", .kind = OPTION_LIST, .at = AT(deps),
	.offer = OFFER_FILES,
	.help = "a file, a directory or a pattern it reads"},
    {"code", .value = "PATH", .kind = OPTION_LIST, .at = AT(code),
	.offer = OFFER_FILES, .help = "the same for the program itself"},
    {"param", .value = "NAME=VALUE", .kind = OPTION_LIST, .at = AT(params),
	.help = "a parameter; JSON, or else a text"},
    {"env", .value = "NAME", .kind = OPTION_LIST, .at = AT(env),
	.offer = OFFER_VARIABLES, .help = "a variable of the environment"},
    {"fp", .value = "SPEC", .kind = OPTION_LIST, .at = AT(fingerprints),
	.help = "a fingerprint: git:REF, glob:PATTERN,\n"
		"glob!:PATTERN, file:PATH or env:NAME"},
    {"stdin", .kind = OPTION_FLAG, .at = AT(stdin_given),
	.help = "pass standard input on; it is an input too\n"
		"(else COMMAND gets none)"},
    {"out", .value = "PATH", .kind = OPTION_LIST, .at = AT(outs),
	.offer = OFFER_FILES,
	.help = "a file or directory it makes, below the\n"
		"current directory"},
    {"out-not-kept", .value = "PATH", .kind = OPTION_LIST, .at = AT(outs),
	.mark = RUN_OUT_NOT_KEPT, .offer = OFFER_FILES,
	.help = "the same, but no copy is kept: without it\n"
		"COMMAND is run"},
    {.kind = OPTION_TITLE, .help = "Options:"},
    {"name", .letter = 'n', .value = "NAME", .kind = OPTION_TEXT,
	.at = AT(name),
	.help = "the name of this work, under which its last\n"
		"state is kept (default: made from the words)"},
    {"ttl", .value = "DURATION", .kind = OPTION_TEXT, .at = AT(ttl),
	.help = "a result that is older is not used (30s, 10m,\n"
		"6h, 2d)"},
    {"force", .kind = OPTION_FLAG, .at = AT(force),
	.help = "run it in any case"},
    {"no-commit", .kind = OPTION_FLAG, .at = AT(no_commit),
	.help = "keep nothing of this run"},
    {"cache-failures", .kind = OPTION_FLAG, .at = AT(cache_failures),
	.help = "keep and repeat failures too"},
    {"checkout-mode", .value = "M", .kind = OPTION_TEXT, .at = AT(modes),
	.offer = OFFER_WORDS, .words = "hardlink symlink copy",
	.help = "how outputs are put back: hardlink, symlink,\n"
		"copy, or several in their order, with commas\n"
		"(default: hardlink,symlink,copy)"},
    {"explain", .kind = OPTION_FLAG, .at = AT(explain),
	.help = "tell on standard error what was decided and why"},
    {"dry-run", .kind = OPTION_FLAG, .at = AT(dry),
	.help = "tell only that; nothing is run or changed"},
    {"json", .kind = OPTION_JSON,
	.help = "one JSON object instead of the command's words"},
    {"store", .value = "DIR", .kind = OPTION_TEXT, .at = AT(store),
	.offer = OFFER_DIRECTORIES,
	.help = "this store (see readcache config)"},
};

/* The largest standard input. */
#define INPUT_MAX ((size_t)1024 * 1024 * 1024)

enum { NAME_DIGITS = 16 };

static void
tell_waiting(void *context, long holder)
{
	(void)context;
	if (holder > 0)
		(void)fprintf(stderr,
		    "readcache: waiting for process %ld, which is at it.\n",
		    holder);
	else
		(void)fputs("readcache: waiting for another process, which is "
			    "at it.\n",
		    stderr);
}

static int
fail(const struct cli *cli, const char *sentence)
{
	(void)cli_usage(cli, sentence);
	return EXEC_OURSELVES;
}

/* A name for work that was not given one: the same words get the same name. */
static struct span
made_up_name(
    struct cli *cli, struct work *work, const struct stage *stage)
{
	struct buf name = buf_new(cli->arena, 64);
	char hex[DIGEST_HEX + 1];
	struct digest digest;
	struct key key;

	key_begin(&key, "name", 2);
	key_add(&key, "cwd", work_called(work, stage->cwd));
	for (size_t i = 0; i < stage->argc; i++)
		key_add(&key, "word", stage->argv[i]);
	digest = key_end(&key);
	digest_hex(&digest, hex);
	buf_str(&name, "run-");
	buf_add(&name, (struct span){hex, NAME_DIGITS});
	return buf_span(&name);
}

static int
read_input(struct cli *cli, struct stage *stage)
{
	struct buf input = buf_new(cli->arena, 4096);
	ssize_t n;

	do {
		char *room = buf_grow(&input, 65536);

		n = read(STDIN_FILENO, room, 65536);
		input.n -= n > 0 ? 65536 - (size_t)n : 65536;
		if (input.n > INPUT_MAX)
			return fail(
			    cli, "standard input is larger than 1 GiB.");
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		return fail(cli, "standard input cannot be read.");
	stage->input = buf_span(&input);
	return CLI_OK;
}

/* ---- with a store ---- */

static void
tell_remarks(struct cli *cli, struct stage_plan *plan)
{
	const char *remark;

	while ((remark = stage_remark(plan)) != NULL)
		(void)fprintf(
		    stderr, "readcache: %s\n", cli_visible(cli, remark));
}

static void
explain(
    struct cli *cli, const struct run_args *args, const struct stage_plan *plan)
{
	struct buf line = buf_new(cli->arena, 256);

	run_show_verdict(&line, cli, args->stage.name, stage_verdict(plan));
	(void)fprintf(stderr, "readcache: %.*s", (int)line.n, line.p);
}

static int
show_plan(
    struct cli *cli, const struct run_args *args, const struct stage_plan *plan)
{
	const struct verdict *verdict = stage_verdict(plan);

	if (cli->json) {
		buf_char(&cli->out, '{');
		run_show_json(&cli->out, args->stage.name, verdict);
		buf_str(&cli->out, "}\n");
	} else {
		run_show_verdict(&cli->out, cli, args->stage.name, verdict);
	}
	return verdict->decision == DECISION_REUSE ? CLI_OK : CLI_FOUND;
}

/* Show the command's output, unless it was passed through already. */
static int
show_result(struct cli *cli, const struct run_args *args,
    const struct stage_plan *plan, int status)
{
	const struct stage_result *result = stage_result(plan);
	const struct verdict *verdict = stage_verdict(plan);

	if (cli->json) {
		buf_char(&cli->out, '{');
		run_show_json(&cli->out, args->stage.name, verdict);
		run_show_result(&cli->out, result);
		buf_str(&cli->out, "}\n");
		return status;
	}
	if (verdict->decision != DECISION_REUSE ||
	    said_replay(result->out, result->err, result->order,
		(const int[]){STDOUT_FILENO, STDERR_FILENO}))
		return status;
	return fail(cli, "the output cannot be written.");
}

/* Do the stage.  *KEPT says whether something new is in the store. */
static int
do_stage(struct cli *cli, const struct run_given *given,
    const struct run_args *args, struct work *work, bool *kept)
{
	struct stage_plan *plan = stage_plan(work, &args->stage, &args->policy);
	bool done;
	int status;

	if (given->dry)
		return show_plan(cli, args, plan);
	done = stage_do(
	    plan, cli->json ? EXEC_QUIET : EXEC_ECHO, tell_waiting, NULL);
	*kept = stage_verdict(plan)->decision == DECISION_WORK &&
		stage_result(plan)->recorded;
	status = stage_result(plan)->exit;
	if (!done && status == 0)
		status = EXEC_OURSELVES; /* an output was not made */
	status = show_result(cli, args, plan, status);
	if (given->explain)
		explain(cli, args, plan);
	tell_remarks(cli, plan);
	if (stage_result(plan)->recorded && stage_declares_nothing(plan))
		(void)fputs("readcache: nothing is declared that the command "
			    "reads (--dep, --fp), so this is repeated until "
			    "its words or its program change.\n",
		    stderr);
	return status;
}

static int
run_with(struct cli *cli, const struct run_given *given, struct run_args *args,
    struct store_opened *opened)
{
	struct store *store = &opened->store;
	const char *wrong;
	struct work work;
	bool kept = false;
	int status;

	if (!work_open(&work, cli->arena, store, args->stage.cwd,
		given->dry ? DIR_LOOK : DIR_MAKE))
		return fail(cli, "the current directory cannot be opened.");
	if (args->stage.name.n == 0)
		args->stage.name = made_up_name(cli, &work, &args->stage);
	/* A store that cannot be used is reported, and the work is done. */
	if (dir_root(store, DIR_LOOK) < 0)
		(void)store_check(cli, opened);
	work.excludes = store_excludes;
	work.excluding = &opened->config;
	if (given->modes != NULL)
		work.modes = args->modes;
	else
		(void)checkout_parse(
		    opened->config.work[WORK_CHECKOUT].value, &work.modes);
	wrong = stage_check(&work, &args->stage);
	status = wrong != NULL ? fail(cli, wrong)
			       : do_stage(cli, given, args, &work, &kept);
	if (cli_flush(cli, CLI_OK) != CLI_OK)
		status = EXEC_OURSELVES;
	work_close(&work);
	if (kept)
		status = tidy(cli, opened, status);
	/*
	 * End by the signal that ended the command, so that our caller sees
	 * it.
	 */
	if (exec_interrupted() != 0 && status == 128 + exec_interrupted())
		exec_end_by(exec_interrupted());
	return status;
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	const struct run_given *typed = given;
	struct store_opened opened;
	struct run_args args;
	int status = run_args(cli, typed, words, &args);

	if (status != CLI_OK)
		return status;
	if (store_choose(cli, typed->store, &opened) != CLI_OK)
		return EXEC_OURSELVES;
	args.stage.cwd = opened.config.cwd;
	if (typed->stdin_given && read_input(cli, &args.stage) != CLI_OK)
		return EXEC_OURSELVES;
	return run_with(cli, typed, &args, &opened);
}

const struct command cli_run = {
    .name = "run",
    .takes = "COMMAND",
    .summary = "a command, or what it gave if nothing changed",
    .offer = OFFER_COMMANDS,
    .wraps = true,
    .size = sizeof(struct run_given),
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
