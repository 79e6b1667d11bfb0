/*
 * guard.h -- no command that we start outlives us.
 *
 * All commands of this process run in one process group.  Its leader is a
 * guard: a small process that does nothing as long as this one lives.  If this
 * process was killed while commands ran, the guard kills the group.  It also
 * holds the locks of their work until they are dead, so that whoever takes a
 * lock next does not meet a command that still writes.
 */
#ifndef READCACHE_WORK_EXEC_GUARD_H
#define READCACHE_WORK_EXEC_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The group for commands.  The guard is started if there is none.  0 if it
 * cannot be started.
 */
pid_t guard_group(void);

/*
 * A command is about to be started.  The N descriptors FDS stay open until
 * guard_let_go, even if we are killed.  The result is an id for guard_let_go.
 */
uint32_t guard_hold(const int *fds, size_t n);

/* The command of ID has ended: release its descriptors. */
void guard_let_go(uint32_t id);

/*
 * A signal told us to end, and the last command has ended.  Kill what is left
 * in the group.  The next command gets a new guard.
 */
void guard_sweep(void);

#endif
