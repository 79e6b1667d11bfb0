/*
 * commands.h -- the commands, one file each.
 *
 * argv[0] is the command's name.  Each writes to cli->out and gives an exit
 * status; cli_main writes the output.
 */
#ifndef READCACHE_CLI_COMMANDS_H
#define READCACHE_CLI_COMMANDS_H

#include "cli/cli.h"

int cli_read(struct cli *cli, int argc, char **argv);
int cli_status(struct cli *cli, int argc, char **argv);
int cli_refresh(struct cli *cli, int argc, char **argv);
int cli_replay(struct cli *cli, int argc, char **argv);
int cli_audit(struct cli *cli, int argc, char **argv);
int cli_shadow(struct cli *cli, int argc, char **argv);
int cli_report(struct cli *cli, int argc, char **argv);
int cli_memo(struct cli *cli, int argc, char **argv);
int cli_run(struct cli *cli, int argc, char **argv);
int cli_store(struct cli *cli, int argc, char **argv);
int cli_config(struct cli *cli, int argc, char **argv);
int cli_flow(struct cli *cli, int argc, char **argv);
int cli_doctor(struct cli *cli, int argc, char **argv);

#endif
