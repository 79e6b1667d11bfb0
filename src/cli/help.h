/*
 * help.h -- the help texts, made from the table of commands.
 */
#ifndef READCACHE_CLI_HELP_H
#define READCACHE_CLI_HELP_H

#include "cli/command.h"

/* Of the program. */
void help_main(struct buf *out);

/* Of one command; if it has none, the program's. */
void help_command(struct buf *out, const struct command *command);

/* All commands, their actions and their options, as JSON. */
void help_json(struct buf *out);

#endif
