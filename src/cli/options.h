/*
 * options.h -- parse the options of a command as its table says.
 */
#ifndef READCACHE_CLI_OPTIONS_H
#define READCACHE_CLI_OPTIONS_H

#include "cli/command.h"

enum options_taken {
	OPTIONS_GOOD,
	OPTIONS_HELP, /* --help was given; the rest was not looked at */
	OPTIONS_WRONG /* a message said what is wrong */
};

/*
 * Put the options in ARGV, where argv[0] is the command's name, into GIVEN,
 * the struct of the command's arguments, and the other words into WORDS.
 *
 * A value in a word of its own must not be "--" or the name of an option:
 * whoever writes "--dep -- cat" has forgotten the value.  "--dep=--" is still
 * possible.
 */
enum options_taken options_take(struct cli *cli, const struct command *command,
    int argc, char **argv, void *given, struct words *words);

#endif
