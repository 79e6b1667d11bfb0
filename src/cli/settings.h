/*
 * settings.h -- cache settings: show them, or set one.
 */
#ifndef READCACHE_CLI_SETTINGS_H
#define READCACHE_CLI_SETTINGS_H

#include "cli/cli.h"
#include "config/config.h"

/* NAMES are the N words after "settings".  The result is an exit status. */
int cli_settings(
    struct cli *cli, const struct config *config, char **names, int n);

#endif
