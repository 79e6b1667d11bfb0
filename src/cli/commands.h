/*
 * commands.h -- the table of all commands; each is in a file of its own.
 */
#ifndef READCACHE_CLI_COMMANDS_H
#define READCACHE_CLI_COMMANDS_H

#include "cli/command.h"

extern const struct command cli_read, cli_status, cli_refresh, cli_replay,
    cli_audit, cli_shadow, cli_report, cli_run, cli_flow, cli_memo, cli_cache,
    cli_config, cli_doctor;

/* Command number I in the order of the main help; NULL after the last. */
const struct command *commands_at(size_t i);

/* The command that is, or was, called NAME; NULL if there is none. */
const struct command *commands_find(const char *name);

/*
 * Print that there is no command NAME, and which one was probably meant.  The
 * result is CLI_USAGE.
 */
int commands_complain(const struct cli *cli, const char *name);

#endif
