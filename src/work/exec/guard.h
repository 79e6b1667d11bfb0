/*
 * guard.h -- nobody whom we have started outlives us.
 *
 * All commands of this process run in one process group, which is led by a
 * guard: a small process that does nothing until this one is gone.  If
 * commands were running then, because we were killed and could not end them
 * ourselves, it kills the group.  It also holds the locks of their work until
 * they are dead, so whoever takes these next does not meet a command that
 * still writes.
 */
#ifndef READCACHE_WORK_EXEC_GUARD_H
#define READCACHE_WORK_EXEC_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The group for commands; the guard is started if there is none. 0: none. */
pid_t guard_group(void);

/*
 * A command is about to be started: N descriptors FDS stay open until it is
 * let go, even if we are killed.  A number for guard_let_go.
 */
uint32_t guard_hold(const int *fds, size_t n);

/* The command has ended. */
void guard_let_go(uint32_t id);

/*
 * We were told to end, and the last command has: whoever it has left in the
 * group ends too.  The next command gets another guard.
 */
void guard_sweep(void);

#endif
