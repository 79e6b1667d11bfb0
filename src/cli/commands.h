/*
 * commands.h -- the table of all commands; each stands in a file of its own.
 */
#ifndef READCACHE_CLI_COMMANDS_H
#define READCACHE_CLI_COMMANDS_H

#include "cli/command.h"

extern const struct command cli_read, cli_status, cli_refresh, cli_replay,
    cli_audit, cli_shadow, cli_report, cli_run, cli_flow, cli_memo, cli_cache,
    cli_config, cli_doctor;

/* In the order of the main help; NULL after the last one. */
const struct command *commands_at(size_t i);

/* The one called NAME, or that was; NULL if there is none. */
const struct command *commands_find(const char *name);

/* "there is no command NAME", and which one was probably meant. */
int commands_complain(const struct cli *cli, const char *name);

#endif
