#include "work/exec/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "os/channel.h"
#include "os/descriptor.h"
#include "os/process.h"

enum {
	FDS_MAX = 200,	 /* of one command; the kernel allows 253 */
	HELD_MAX = 4096, /* of all commands */
	PATIENCE_MS = 2000
};

enum guard_op { OP_HOLD, OP_LET_GO };

struct guard_message {
	enum guard_op op;
	uint32_t id;
};

union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(FDS_MAX * sizeof(int))];
};

/* ---- the guard itself ---- */

struct held {
	uint32_t id;
	int fd;
};

/* The guard's state: the descriptors it holds, and how many commands run. */
static struct held held[HELD_MAX];
static size_t nheld, alive;

static void
take_descriptors(struct msghdr *header, uint32_t id)
{
	struct cmsghdr *part = CMSG_FIRSTHDR(header);
	size_t n = 0;
	int fd;

	if (part == NULL || part->cmsg_type != SCM_RIGHTS)
		return;
	n = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	for (size_t i = 0; i < n; i++) {
		memcpy(&fd, CMSG_DATA(part) + i * sizeof(fd), sizeof(fd));
		if (nheld < HELD_MAX)
			held[nheld++] = (struct held){id, fd};
		else
			(void)close(fd);
	}
}

static void
close_descriptors(uint32_t id)
{
	size_t n = 0;

	for (size_t i = 0; i < nheld; i++)
		if (held[i].id == id)
			(void)close(held[i].fd);
		else
			held[n++] = held[i];
	nheld = n;
}

/* Serve one message.  False if the guarded process is gone. */
static bool
listen_once(int from)
{
	struct guard_message message;
	union control control;
	struct iovec bytes = {&message, sizeof(message)};
	struct msghdr header = {.msg_iov = &bytes,
	    .msg_iovlen = 1,
	    .msg_control = control.room,
	    .msg_controllen = sizeof(control.room)};
	ssize_t n = channel_receive(from, &header);

	if (n < 0 && errno == EINTR)
		return true;
	if (n != (ssize_t)sizeof(message))
		return false;
	if (message.op == OP_HOLD) {
		alive++;
		take_descriptors(&header, message.id);
	} else {
		alive--;
		close_descriptors(message.id);
	}
	return true;
}

/*
 * Kill the group.  A child outside of the group does it: the guard would kill
 * itself first, and the locks must be held until all others are dead.
 */
static void
kill_group(void)
{
	struct timespec tick = {0, 1000000};
	pid_t group = getpid(), killer = fork();

	if (killer > 0) {
		for (;;)
			(void)pause();
	}
	if (killer == 0)
		(void)setpgid(0, 0);
	(void)kill(-group, SIGKILL);
	for (int i = 0; i < PATIENCE_MS && process_group_lives(group); i++)
		(void)nanosleep(&tick, NULL);
}

__attribute__((noreturn)) static void
guard(int from)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP,
	    SIGTTIN, SIGTTOU, SIGPIPE};
	sigset_t none;

	(void)setpgid(0, 0);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		(void)signal(ignored[i], SIG_IGN);
	(void)signal(SIGCHLD, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	/*
	 * Close what we have inherited: nobody may wait for a stream or a lock
	 * that only the guard has open.
	 */
	(void)dup2(from, 0);
	descriptor_close_from(1);
	while (listen_once(0))
		;
	if (alive > 0)
		kill_group();
	_exit(0);
}

/* ---- our side ---- */

static pid_t group, guarded;
static int to_guard = -1;
static uint32_t last_id;

/*
 * End the guard by closing its socket, and reap it: init may be a program that
 * never reaps.
 */
static void
dismiss(void)
{
	if (group == 0)
		return;
	(void)close(to_guard);
	while (waitpid(group, NULL, 0) < 0 && errno == EINTR)
		;
	to_guard = -1;
	group = 0;
}

/*
 * Dismiss the guard at exit.  Not from a forked child: the guard is not its
 * own.
 */
static void
dismiss_at_exit(void)
{
	if (getpid() == guarded)
		dismiss();
}

pid_t
guard_group(void)
{
	static bool registered;
	int ends[2];
	pid_t pid;

	if (group != 0)
		return group;
	if (channel_pair(ends) != 0)
		return 0;
	pid = fork();
	if (pid == 0)
		guard(ends[1]);
	(void)close(ends[1]);
	if (pid < 0) {
		(void)close(ends[0]);
		return 0;
	}
	/*
	 * In both processes: the group must exist before the first command
	 * starts.
	 */
	(void)setpgid(pid, pid);
	to_guard = ends[0];
	group = pid;
	guarded = getpid();
	if (!registered)
		registered = atexit(dismiss_at_exit) == 0;
	return group;
}

static void
send_message(enum guard_op op, uint32_t id, const int *fds, size_t n)
{
	struct guard_message message = {op, id};
	union control control;
	struct iovec bytes = {&message, sizeof(message)};
	struct msghdr header = {.msg_iov = &bytes, .msg_iovlen = 1};
	struct cmsghdr *part = &control.align;

	if (n > 0) {
		memset(&control, 0, sizeof(control));
		header.msg_control = control.room;
		header.msg_controllen = CMSG_SPACE(n * sizeof(int));
		part->cmsg_level = SOL_SOCKET;
		part->cmsg_type = SCM_RIGHTS;
		part->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(part), fds, n * sizeof(int));
	}
	while (channel_send(to_guard, &header) < 0 && errno == EINTR)
		;
}

uint32_t
guard_hold(const int *fds, size_t n)
{
	send_message(OP_HOLD, ++last_id, fds, n < FDS_MAX ? n : FDS_MAX);
	return last_id;
}

void
guard_let_go(uint32_t id)
{
	send_message(OP_LET_GO, id, NULL, 0);
}

void
guard_sweep(void)
{
	if (group == 0)
		return;
	(void)kill(-group, SIGKILL);
	dismiss();
}
