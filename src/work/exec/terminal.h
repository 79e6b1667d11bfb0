/*
 * terminal.h -- who has the terminal.
 *
 * Commands run in a group of their own, so the terminal's keys reach only us,
 * who hand them on.  A command that wants to read from the terminal, for a
 * password perhaps, is stopped by the system; it then gets the terminal until
 * it ends.  Ctrl-Z stops us and the commands.
 */
#ifndef READCACHE_WORK_EXEC_TERMINAL_H
#define READCACHE_WORK_EXEC_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/* We were asked to stop: so are the commands in GROUP, until we go on. */
void terminal_stop(pid_t group);

/* Somebody in GROUP has changed its state; stopped, for the terminal? */
void terminal_look(pid_t group);

/* The last command has ended: it is ours again. */
void terminal_take_back(void);

/* Do the terminal's keys reach GROUP instead of us? */
bool terminal_is_lent(void);

#endif
