#include "os/start.h"

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/*
 * Set the child's signals and group.  Signals that are caught here get their
 * default by exec.  SIGPIPE may be ignored here, so it is set to its default.
 */
static int
set_attributes(posix_spawnattr_t *attributes, const struct start *start)
{
	sigset_t defaults;
	int error;

	(void)sigemptyset(&defaults);
	(void)sigaddset(&defaults, SIGPIPE);
	error = posix_spawnattr_setsigdefault(attributes, &defaults);
	if (error == 0)
		error = posix_spawnattr_setsigmask(attributes, start->mask);
	if (error == 0)
		error = posix_spawnattr_setpgroup(attributes, start->group);
	if (error == 0)
		error = posix_spawnattr_setflags(
		    attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
				    POSIX_SPAWN_SETPGROUP);
	return error;
}

static int
set_actions(posix_spawn_file_actions_t *actions, const struct start *start)
{
	static const int order[] = {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO};
	int error = 0;

	for (size_t i = 0; i < 3 && error == 0; i++)
		error = posix_spawn_file_actions_adddup2(
		    actions, start->streams[order[i]], order[i]);
	if (error == 0)
		error =
		    posix_spawn_file_actions_addchdir_np(actions, start->cwd);
	return error;
}

int
start_program(const struct start *start, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawnattr_init(&attributes);
	error = set_attributes(&attributes, start);
	if (error == 0)
		error = set_actions(&actions, start);
	/* The cast is safe: posix_spawnp does not change the words. */
	if (error == 0)
		error = posix_spawnp(pid, start->argv[0], &actions, &attributes,
		    (char *const *)(uintptr_t)start->argv, start->environment);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)posix_spawnattr_destroy(&attributes);
	return error;
}
