/*
 * options.h -- the options of a command, and what is wrong with them.
 */
#ifndef READCACHE_CLI_OPTIONS_H
#define READCACHE_CLI_OPTIONS_H

#include <getopt.h>

#include "cli/cli.h"

/* What cli_option gives when it has told what is wrong. */
enum { OPTION_WRONG = '?' };

/*
 * The next of OPTIONS in ARGV, as getopt_long gives it: its value is optarg,
 * and -1 is the end.  LETTERS begin with ":" or "+:".
 *
 * A value of its own word is no "--" and no option's name: who writes
 * "--dep -- cat" has forgotten it.  "--dep=--" is still to be had.
 */
int cli_option(const struct cli *cli, int argc, char **argv,
    const char *letters, const struct option *options);

/*
 * " Did you mean "NEAR"?" with DASHES before it, or nothing if none of the N
 * names is near NAME.
 */
const char *cli_did_you_mean(const struct cli *cli, const char *dashes,
    struct span name, const struct span *names, size_t n);

#endif
