/*
 * terminal.h -- who has the terminal.
 *
 * Commands run in a group of their own, so the keys of the terminal (Ctrl-C)
 * reach only us, and we pass them on.  A command that wants to read from the
 * terminal, for a password perhaps, is stopped by the system.  It then gets
 * the terminal until it ends.  Ctrl-Z stops us and the commands.
 */
#ifndef READCACHE_WORK_EXEC_TERMINAL_H
#define READCACHE_WORK_EXEC_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * We were asked to stop: stop the commands in GROUP, then ourselves.  When we
 * go on, so do they.
 */
void terminal_stop(pid_t group);

/*
 * A process in GROUP has changed its state.  If it was stopped because it
 * wants the terminal, it gets it; if by Ctrl-Z, we stop too.
 */
void terminal_look(pid_t group);

/* The last command has ended: take the terminal back. */
void terminal_take_back(void);

/*
 * Does a group of commands have the terminal, so that its keys do not reach
 * us?
 */
bool terminal_is_lent(void);

#endif
