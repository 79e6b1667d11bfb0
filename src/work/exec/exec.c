#include "work/exec/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/write_all.h"
#include "os/channel.h"
#include "os/open.h"
#include "os/poll.h"
#include "os/process.h"
#include "os/start.h"
#include "work/exec/guard.h"
#include "work/exec/handed_on.h"
#include "work/exec/terminal.h"

extern char **environ;

enum { PIECE = 64 * 1024, RUNNING = -1, ASK_MS = 100 };

struct exec_child {
	struct arena *arena;
	pid_t pid, group;
	uint32_t guarded;	 /* guard_hold's id, if GROUP is a guard's */
	int process;		 /* readable after its end; -1: none */
	int pipes[SAID_STREAMS]; /* -1 after its end */
	enum exec_echo echo;
	struct said said;
	int status;   /* RUNNING, or as exec_status */
	bool left;    /* the process has ended; its streams may not */
	bool unheard; /* some output was not read, or not passed on */
};

/* How many children are running. */
static size_t running;

/* ---- starting ---- */

static const char **
words(struct arena *arena, const struct exec_command *command)
{
	const char **argv =
	    arena_array(arena, command->argc + 1, sizeof(*argv));

	for (size_t i = 0; i < command->argc; i++)
		argv[i] = arena_cstr(arena, command->argv[i]);
	return argv;
}

/*
 * A descriptor that gives the input of COMMAND from its beginning.  It is
 * never a pipe: a command need not read its input, and a pipe would have to be
 * fed.
 */
static int
open_input(const struct exec_command *command)
{
	struct span input = command->input;
	int fd;

	if (command->input_from != NULL)
		return fcntl(*command->input_from, F_DUPFD_CLOEXEC, 3);
	if (input.n == 0)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	fd = open_nameless();
	if (fd >= 0 && write_all(fd, input) && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

/*
 * Make a pipe for a stream of the child; the reading end is *OURS.  The result
 * is the writing end, or -1.
 */
static int
open_stream(int *ours)
{
	int ends[2];

	if (channel_pipe(ends) != 0)
		return -1;
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*ours = ends[0];
	return ends[1];
}

/* The exit status for a program that could not be started because of ERROR. */
static int
failure_of(int error)
{
	return error == ENOENT || error == ENOTDIR ? EXEC_NOT_FOUND
						   : EXEC_CANNOT;
}

/* Is the variable of ENTRY, "NAME=value", one of VARIABLES? */
static bool
is_set(const char *const *variables, const char *entry)
{
	size_t n = strcspn(entry, "=") + 1;

	for (; *variables != NULL; variables++)
		if (strncmp(*variables, entry, n) == 0)
			return true;
	return false;
}

/* The environment of this process, changed as VARIABLES say. */
static char **
environment(struct arena *arena, const char *const *variables)
{
	size_t n = 0, nours = 0;
	const char **all;

	if (variables == NULL)
		return environ;
	while (variables[n] != NULL)
		n++;
	while (environ[nours] != NULL)
		nours++;
	all = arena_array(arena, n + nours + 1, sizeof(*all));
	memcpy(all, variables, n * sizeof(*all));
	for (size_t i = 0; i < nours; i++)
		if (!is_set(variables, environ[i]))
			all[n++] = environ[i];
	all[n] = NULL;
	return (char **)(uintptr_t)all;
}

/* Start COMMAND with STREAMS.  0, or an errno and *FAILURE. */
static int
start(struct exec_child *child, const struct exec_command *command,
    const int streams[3], int *failure)
{
	struct start what = {.argv = words(child->arena, command),
	    .environment = environment(child->arena, command->variables),
	    .cwd = arena_cstr(child->arena, command->cwd),
	    .streams = {streams[0], streams[1], streams[2]},
	    .group = child->group,
	    .mask = handed_on_mask()};
	int error;

	/* Checked here: it would look like an error of the program. */
	if (access(what.cwd, X_OK) != 0)
		return errno;
	error = start_program(&what, &child->pid);
	if (error != 0)
		*failure = failure_of(error);
	return error;
}

/* Open the three streams and start.  The child's ends are closed here. */
static int
open_and_start(
    struct exec_child *child, const struct exec_command *command, int *failure)
{
	int input = open_input(command);
	int out = open_stream(&child->pipes[SAID_OUT]);
	int err = open_stream(&child->pipes[SAID_ERR]);
	const int streams[] = {input, out, err};
	int error = errno;

	*failure = EXEC_OURSELVES;
	if (input >= 0 && out >= 0 && err >= 0)
		error = start(child, command, streams, failure);
	for (size_t i = 0; i < 3; i++)
		if (streams[i] >= 0)
			(void)close(streams[i]);
	return error;
}

static void
close_pipe(struct exec_child *child, enum said_stream stream)
{
	if (child->pipes[stream] >= 0)
		(void)close(child->pipes[stream]);
	child->pipes[stream] = -1;
}

/* Without a guard the child leads a group of its own. */
static void
group_of(struct exec_child *child)
{
	if (child->group == 0)
		child->group = child->pid;
}

/*
 * CHILD has ended or could not be started.  If no other child runs, clean up.
 */
static void
let_go(struct exec_child *child)
{
	if (child->guarded != 0)
		guard_let_go(child->guarded);
	child->guarded = 0;
	if (running > 0)
		return;
	terminal_take_back();
	if (handed_on_last() != 0)
		guard_sweep();
	handed_on_end();
}

struct exec_child *
exec_start(
    struct arena *arena, const struct exec_command *command, int *failure)
{
	struct exec_child *child = arena_array(arena, 1, sizeof(*child));
	int error;

	*child = (struct exec_child){.arena = arena,
	    .process = -1,
	    .pipes = {-1, -1},
	    .echo = command->echo,
	    .said = said_new(arena),
	    .status = RUNNING};
	handed_on_begin();
	child->group = guard_group();
	if (child->group != 0)
		child->guarded = guard_hold(command->held, command->nheld);
	error = open_and_start(child, command, failure);
	if (error == 0) {
		running++;
		group_of(child);
		child->process = process_end_of(child->pid);
		return child;
	}
	close_pipe(child, SAID_OUT);
	close_pipe(child, SAID_ERR);
	let_go(child);
	errno = error;
	return NULL;
}

/* ---- serving ---- */

static bool
has_ended(const struct exec_child *child)
{
	return child == NULL || child->status != RUNNING;
}

/* Read what STREAM has now. */
static void
take(struct exec_child *child, enum said_stream stream)
{
	char piece[PIECE];
	ssize_t n = read(child->pipes[stream], piece, sizeof(piece));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0)
		child->unheard = child->said.lost = true;
	if (n <= 0) {
		close_pipe(child, stream);
		return;
	}
	if (child->echo == EXEC_ECHO &&
	    !write_all(stream == SAID_OUT ? STDOUT_FILENO : STDERR_FILENO,
		(struct span){piece, (size_t)n}))
		child->unheard = true; /* the work goes on */
	(void)said_add(&child->said, stream, (struct span){piece, (size_t)n});
}

static int
status_of(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
					: WEXITSTATUS(wait_status);
}

/* Both streams have ended.  Has the process, too? */
static bool
reap(struct exec_child *child)
{
	int wait_status;
	pid_t pid;

	while ((pid = waitpid(child->pid, &wait_status, WNOHANG)) < 0 &&
	       errno == EINTR)
		;
	if (pid == 0)
		return false;
	/* Somebody else has reaped it: its status is not known. */
	child->status = pid < 0 ? EXEC_OURSELVES : status_of(wait_status);
	if (pid > 0 && WIFSIGNALED(wait_status) && terminal_is_lent())
		handed_on_note(WTERMSIG(wait_status));
	if (child->process >= 0)
		(void)close(child->process);
	running--;
	let_go(child);
	return true;
}

static bool
streams_ended(const struct exec_child *child)
{
	return child->pipes[SAID_OUT] < 0 && child->pipes[SAID_ERR] < 0;
}

/*
 * Fill POLLS with what to wait for, three entries for each child, and give the
 * number of children that run.  The end is polled only after the streams
 * have ended, or once after a signal came: it stays readable for ever.
 */
static size_t
want(struct exec_child **children, size_t n, struct pollfd *polls)
{
	size_t alive = 0;

	for (size_t i = 0; i < n; i++) {
		struct pollfd *poll = polls + 3 * i;
		bool ended = has_ended(children[i]);

		for (size_t k = 0; k < 3; k++)
			poll[k] = (struct pollfd){-1, POLLIN, 0};
		if (ended)
			continue;
		alive++;
		poll[0].fd = children[i]->pipes[SAID_OUT];
		poll[1].fd = children[i]->pipes[SAID_ERR];
		if (streams_ended(children[i]) ||
		    (handed_on_last() != 0 && !children[i]->left))
			poll[2].fd = children[i]->process;
	}
	return alive;
}

/* Call ACT for each group that runs, once for each. */
static void
each_group(struct exec_child **children, size_t n, void (*act)(pid_t, int),
    int number)
{
	pid_t last = 0;

	for (size_t i = 0; i < n; i++)
		if (!has_ended(children[i]) && children[i]->group != last) {
			last = children[i]->group;
			act(last, number);
		}
}

static void
signal_group(pid_t group, int number)
{
	(void)kill(-group, number);
}

static void
stop_group(pid_t group, int number)
{
	(void)number;
	terminal_stop(group);
}

static void
look_at_group(pid_t group, int number)
{
	(void)number;
	terminal_look(group);
}

static void
hand_on(struct exec_child **children, size_t n)
{
	int number;

	while ((number = handed_on_next()) != 0)
		each_group(children, n, signal_group, number);
	if (handed_on_stop())
		each_group(children, n, stop_group, 0);
	if (handed_on_child())
		each_group(children, n, look_at_group, 0);
}

/*
 * A signal told us to end, and all commands have ended.  Processes that they
 * left behind keep the streams open, and us waiting: kill them.
 */
static void
end_the_rest(struct exec_child **children, size_t n)
{
	if (handed_on_last() == 0)
		return;
	for (size_t i = 0; i < n; i++)
		if (!has_ended(children[i]) && !children[i]->left)
			return;
	each_group(children, n, signal_group, SIGKILL);
}

/*
 * Read from the children that have something to read.  The result is one that
 * has ended, or NULL.
 */
static struct exec_child *
serve(struct exec_child **children, size_t n, const struct pollfd *polls)
{
	for (size_t i = 0; i < n; i++) {
		const struct pollfd *poll = polls + 3 * i;

		if (has_ended(children[i]))
			continue;
		if (poll[0].revents != 0)
			take(children[i], SAID_OUT);
		if (poll[1].revents != 0)
			take(children[i], SAID_ERR);
		if (poll[2].revents != 0)
			children[i]->left = true;
		if (streams_ended(children[i]) && reap(children[i]))
			return children[i];
	}
	return NULL;
}

/* Is there a child of which no descriptor says that it has ended? */
static bool
must_ask(struct exec_child **children, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!has_ended(children[i]) && children[i]->process < 0)
			return true;
	return false;
}

/* Ask the system about these.  The result is one that has ended, or NULL. */
static struct exec_child *
ask(struct exec_child **children, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		siginfo_t info = {.si_pid = 0};

		if (has_ended(children[i]) || children[i]->process >= 0)
			continue;
		if (waitid(P_PID, (id_t)children[i]->pid, &info,
			WEXITED | WNOHANG | WNOWAIT) == 0 &&
		    info.si_pid != 0)
			children[i]->left = true;
		if (streams_ended(children[i]) && reap(children[i]))
			return children[i];
	}
	return NULL;
}

/* The arena to use while waiting; NULL if no child runs. */
static struct arena *
arena_of_running(struct exec_child **children, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!has_ended(children[i]))
			return children[i]->arena;
	return NULL;
}

static int64_t
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct timespec
to_timespec(int64_t ms)
{
	return (struct timespec){ms / 1000, (long)(ms % 1000) * 1000000};
}

/*
 * Where no descriptor says that a child has ended, a signal does; and if that
 * is ignored, a look after ASK_MS.
 */
struct exec_child *
exec_wait(struct exec_child **children, size_t n, int timeout_ms)
{
	int64_t until = now_ms() + timeout_ms, left = timeout_ms;
	struct arena *arena = arena_of_running(children, n);
	struct exec_child *ended = NULL;
	struct pollfd *polls;
	int ready;

	if (arena == NULL)
		return NULL;
	polls = arena_array(arena, 3 * n, sizeof(*polls));
	while (ended == NULL && want(children, n, polls) > 0 &&
	       (timeout_ms < 0 || left >= 0)) {
		bool asks = must_ask(children, n);
		bool briefly = asks && (timeout_ms < 0 || left > ASK_MS);
		struct timespec timeout = to_timespec(briefly ? ASK_MS : left);

		ready = poll_with_mask(polls, 3 * n,
		    briefly || timeout_ms >= 0 ? &timeout : NULL,
		    handed_on_mask());
		if (ready == 0 && !briefly)
			return NULL;
		hand_on(children, n);
		if (ready > 0)
			ended = serve(children, n, polls);
		if (ended == NULL && asks)
			ended = ask(children, n);
		if (ended == NULL)
			end_the_rest(children, n);
		/*
		 * A child that always has output must not keep us from the
		 * timeout.
		 */
		left = until - now_ms();
	}
	return ended;
}

/* ---- afterwards ---- */

int
exec_status(const struct exec_child *child)
{
	return child->status;
}

struct said *
exec_said(struct exec_child *child)
{
	return &child->said;
}

bool
exec_heard(const struct exec_child *child)
{
	return !child->unheard;
}

int
exec_interrupted(void)
{
	return handed_on_last();
}

void
exec_end_by(int number)
{
	sigset_t set;

	(void)signal(number, SIG_DFL);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, number);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	(void)raise(number);
}

void
exec_stop(struct exec_child *child)
{
	if (!has_ended(child))
		(void)kill(child->pid, SIGTERM);
}

struct span *
exec_shell(struct arena *arena, struct span text)
{
	struct span *argv = arena_array(arena, 3, sizeof(*argv));

	argv[0] = SPAN("sh");
	argv[1] = SPAN("-c");
	argv[2] = text;
	return argv;
}
