#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/visible.h"
#include "base/write_all.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "work/exec/exec.h"

/* Enough for a session's index and one of its texts at a time. */
#define MEMORY_MAX ((size_t)4 * 1024 * 1024 * 1024)

int
cli_usage(const struct cli *cli, const char *sentence)
{
	(void)fprintf(stderr, "readcache: %s See readcache %s --help.\n",
	    cli_visible(cli, sentence), cli->command);
	return CLI_USAGE;
}

int
cli_complain(const struct cli *cli, const char *before, const char *what,
    const char *after)
{
	struct buf sentence = buf_new(cli->arena, 128);

	buf_str(&sentence, before);
	buf_str(&sentence, cli_visible(cli, what));
	buf_str(&sentence, after);
	return cli_usage(cli, arena_cstr(cli->arena, buf_span(&sentence)));
}

int
cli_unusable(const struct cli *cli, const char *what, const char *why)
{
	(void)fprintf(stderr, "readcache: %s: %s\n", cli_visible(cli, what),
	    cli_visible(cli, why));
	return CLI_USAGE;
}

int
cli_flush(struct cli *cli, int status)
{
	struct span out = buf_span(&cli->out);

	cli->out.n = 0;
	if (out.n == 0 || write_all(STDOUT_FILENO, out))
		return status;
	(void)fprintf(stderr, "readcache: cannot write the output: %s.\n",
	    strerror(errno));
	return CLI_USAGE;
}

void
cli_text(struct cli *cli, struct span s)
{
	visible_add(&cli->out, s);
}

const char *
cli_visible(const struct cli *cli, const char *s)
{
	struct buf out = buf_new(cli->arena, strlen(s) + 1);

	visible_add(&out, span_str(s));
	return arena_cstr(cli->arena, buf_span(&out));
}

bool
cli_cwd(struct cli *cli, struct span *cwd)
{
	char *path = arena_alloc(cli->arena, PATH_MAX);

	if (getcwd(path, PATH_MAX) != NULL) {
		*cwd = span_str(path);
		return true;
	}
	(void)cli_unusable(cli, "the current directory", strerror(errno));
	return false;
}

static bool
may_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return (no == NULL || no[0] == '\0') && term != NULL &&
	       strcmp(term, "dumb") != 0 && isatty(STDOUT_FILENO);
}

/* Handle --help and --version.  False if ARGV is a command. */
static bool
run_itself(struct cli *cli, int argc, char **argv)
{
	bool helps =
	    strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0;

	if (argc == 2 && helps && strcmp(argv[1], "--json") == 0)
		help_json(&cli->out);
	else if (argc == 1 && helps)
		help_main(&cli->out);
	else if (argc == 1 && strcmp(argv[0], "--version") == 0)
		buf_str(&cli->out,
		    "readcache " READCACHE_VERSION " (protocol 1)\n");
	else
		return false;
	return true;
}

static int
run(struct cli *cli, int argc, char **argv)
{
	const struct command *command = commands_find(argv[0]);
	const struct command *other = NULL;
	void *given;
	struct words words;

	if (command == NULL)
		return commands_complain(cli, argv[0]);
	if (command->instead != NULL)
		other = command->instead(argc, argv);
	if (other != NULL)
		command = other;
	given = arena_array(cli->arena, 1, command->size);
	switch (options_take(cli, command, argc, argv, given, &words)) {
	case OPTIONS_HELP:
		help_command(&cli->out, command);
		return CLI_OK;
	case OPTIONS_WRONG:
		return command->wraps ? EXEC_OURSELVES : CLI_USAGE;
	case OPTIONS_GOOD:
		break;
	}
	return command->run(cli, given, words);
}

int
cli_main(int argc, char **argv)
{
	/* Static: it is used after a longjmp, when locals may be lost. */
	static struct cli cli;
	int status;

	cli = (struct cli){
	    .arena = arena_new(MEMORY_MAX),
	    .command = argv[1],
	    .colour = may_colour(),
	};
	if (cli.arena == NULL || setjmp(*arena_guard(cli.arena)) != 0) {
		arena_free(cli.arena);
		(void)fputs("readcache: out of memory.\n", stderr);
		return CLI_USAGE;
	}
	cli.out = buf_new(cli.arena, 4096);
	status = CLI_OK;
	if (!run_itself(&cli, argc - 1, argv + 1))
		status = run(&cli, argc - 1, argv + 1);
	status = cli_flush(&cli, status);
	arena_free(cli.arena);
	return status;
}
