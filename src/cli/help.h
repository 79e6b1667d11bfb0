/*
 * help.h -- the help texts, made from the table of commands.
 */
#ifndef READCACHE_CLI_HELP_H
#define READCACHE_CLI_HELP_H

#include "cli/command.h"

/* Write the help of the program. */
void help_main(struct buf *out);

/* Write the help of COMMAND, or the program's if it has none. */
void help_command(struct buf *out, const struct command *command);

/* Write all commands, their actions and their options, as JSON. */
void help_json(struct buf *out);

#endif
