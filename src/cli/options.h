/*
 * options.h -- the options of a command, as its table says, and what is wrong
 * with them.
 */
#ifndef READCACHE_CLI_OPTIONS_H
#define READCACHE_CLI_OPTIONS_H

#include "cli/command.h"

enum options_taken {
	OPTIONS_GOOD,
	OPTIONS_HELP, /* --help was among them; the rest was not looked at */
	OPTIONS_WRONG /* and a message said what */
};

/*
 * Put the options in ARGV, where argv[0] is the command's name, into GIVEN,
 * the struct of the command's arguments, and the other words into WORDS.
 *
 * A value of its own word is no "--" and no option's name: who writes
 * "--dep -- cat" has forgotten it.  "--dep=--" is still to be had.
 */
enum options_taken options_take(struct cli *cli, const struct command *command,
    int argc, char **argv, void *given, struct words *words);

#endif
