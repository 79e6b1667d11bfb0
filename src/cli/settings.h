/*
 * settings.h -- cache settings: show them, set one.
 */
#ifndef READCACHE_CLI_SETTINGS_H
#define READCACHE_CLI_SETTINGS_H

#include "cli/cli.h"
#include "config/config.h"

/* NAMES are what stands behind "settings", N of them. */
int cli_settings(
    struct cli *cli, const struct config *config, char **names, int n);

#endif
