#include "cli/commands.h"

#include <stdio.h>

static int
refuse_words(struct cli *cli, const void *given, struct words words)
{
	(void)cli, (void)given, (void)words;
	(void)fputs("readcache: serve takes no arguments. See readcache "
		    "--help.\n",
	    stderr);
	return CLI_USAGE;
}

/* Without arguments, main runs it before it comes here. */
static const struct command serve = {
    .name = "serve",
    .summary = "one request per input line, until end of input",
    .for_hosts = true,
    .run = refuse_words,
};

static const struct command *const table[] = {
    &serve,
    &cli_read,
    &cli_status,
    &cli_refresh,
    &cli_replay,
    &cli_audit,
    &cli_shadow,
    &cli_report,
    &cli_run,
    &cli_flow,
    &cli_memo,
    &cli_cache,
    &cli_config,
    &cli_doctor,
};

enum { COMMANDS = sizeof(table) / sizeof(table[0]) };

const struct command *
commands_at(size_t i)
{
	return i < COMMANDS ? table[i] : NULL;
}

const struct command *
commands_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(name, table[i]->name) == 0 ||
		    (name[0] != '\0' && strcmp(name, table[i]->older) == 0))
			return table[i];
	return NULL;
}

int
commands_complain(const struct cli *cli, const char *name)
{
	struct span names[2 * COMMANDS + 2];
	size_t n = 0;

	for (size_t i = 0; i < COMMANDS; i++) {
		names[n++] = span_str(table[i]->name);
		if (table[i]->older[0] != '\0')
			names[n++] = span_str(table[i]->older);
	}
	names[n++] = SPAN("--help");
	names[n++] = SPAN("--version");
	(void)fprintf(stderr,
	    "readcache: there is no command \"%s\".%s See readcache --help.\n",
	    cli_visible(cli, name),
	    cli_did_you_mean(cli, "", span_str(name), names, n));
	return CLI_USAGE;
}
