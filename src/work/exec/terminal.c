#include "work/exec/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static bool lent;

/*
 * Pass the terminal from the group FROM to GROUP.  False if FROM did not have
 * it.
 */
static bool
give(pid_t from, pid_t group)
{
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	sigset_t stop, before;
	bool done;

	if (fd < 0)
		return false;
	/*
	 * Without this the system would stop us when we are in the background.
	 */
	(void)sigemptyset(&stop);
	(void)sigaddset(&stop, SIGTTOU);
	(void)sigprocmask(SIG_BLOCK, &stop, &before);
	done = tcgetpgrp(fd) == from && tcsetpgrp(fd, group) == 0;
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(fd);
	return done;
}

static void
lend(pid_t group)
{
	if (give(getpgrp(), group))
		lent = true;
	if (lent)
		(void)kill(-group, SIGCONT);
}

void
terminal_stop(pid_t group)
{
	bool again = lent;

	(void)kill(-group, SIGTSTP);
	if (lent)
		lent = !give(group, getpgrp());
	(void)raise(SIGSTOP);
	if (again)
		lend(group);
	(void)kill(-group, SIGCONT);
}

void
terminal_look(pid_t group)
{
	siginfo_t info = {0};

	while (waitid(P_PGID, (id_t)group, &info, WSTOPPED | WNOHANG) == 0 &&
	       info.si_pid != 0) {
		if (info.si_status == SIGTTIN || info.si_status == SIGTTOU)
			lend(group);
		else if (info.si_status == SIGTSTP && lent)
			terminal_stop(group);
		info = (siginfo_t){0};
	}
}

void
terminal_take_back(void)
{
	int fd;
	pid_t now;

	if (!lent)
		return;
	lent = false;
	fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	now = fd >= 0 ? tcgetpgrp(fd) : -1;
	if (fd >= 0)
		(void)close(fd);
	if (now >= 0)
		(void)give(now, getpgrp());
}

bool
terminal_is_lent(void)
{
	return lent;
}
