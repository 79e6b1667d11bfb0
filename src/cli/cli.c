#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/visible.h"
#include "base/write_all.h"
#include "cli/commands.h"
#include "cli/options.h"

/* A session's index and one of its texts at a time. */
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

static int
complain_command(const struct cli *cli, const char *name)
{
	/* Rooms, not pointers, for the reason below. */
	static const char typed[][10] = {"read", "status", "refresh", "replay",
	    "audit", "shadow", "report", "memo", "run", "cache", "store",
	    "config", "flow", "doctor", "serve", "--help", "--version"};
	enum { COMMANDS = sizeof(typed) / sizeof(typed[0]) };
	struct span names[COMMANDS];

	for (size_t i = 0; i < COMMANDS; i++)
		names[i] = span_str(typed[i]);
	(void)fprintf(stderr,
	    "readcache: there is no command \"%s\".%s See readcache --help.\n",
	    cli_visible(cli, name),
	    cli_did_you_mean(cli, "", span_str(name), names, COMMANDS));
	return CLI_USAGE;
}

/* A chain, not a table: pointers in a table cost every start of the program. */
static int
run(struct cli *cli, int argc, char **argv)
{
	if (strcmp(argv[0], "read") == 0)
		return cli_read(cli, argc, argv);
	if (strcmp(argv[0], "status") == 0)
		return cli_status(cli, argc, argv);
	if (strcmp(argv[0], "refresh") == 0)
		return cli_refresh(cli, argc, argv);
	if (strcmp(argv[0], "replay") == 0)
		return cli_replay(cli, argc, argv);
	if (strcmp(argv[0], "audit") == 0)
		return cli_audit(cli, argc, argv);
	if (strcmp(argv[0], "shadow") == 0)
		return cli_shadow(cli, argc, argv);
	if (strcmp(argv[0], "report") == 0)
		return cli_report(cli, argc, argv);
	if (strcmp(argv[0], "memo") == 0)
		return cli_memo(cli, argc, argv);
	if (strcmp(argv[0], "run") == 0)
		return cli_run(cli, argc, argv);
	if (strcmp(argv[0], "cache") == 0 || strcmp(argv[0], "store") == 0)
		return cli_store(cli, argc, argv);
	if (strcmp(argv[0], "config") == 0)
		return cli_config(cli, argc, argv);
	if (strcmp(argv[0], "flow") == 0)
		return cli_flow(cli, argc, argv);
	if (strcmp(argv[0], "doctor") == 0)
		return cli_doctor(cli, argc, argv);
	return complain_command(cli, argv[0]);
}

int
cli_main(int argc, char **argv)
{
	/* Static: looked at after a longjmp, when locals may be lost. */
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
	status = run(&cli, argc - 1, argv + 1);
	status = cli_flush(&cli, status);
	arena_free(cli.arena);
	return status;
}
