/* readcache -- choose what to do by the arguments. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "os/confine.h"
#include "serve/serve.h"

static void
on_file_too_large(int signal)
{
	(void)signal;
}

/*
 * If a file would grow beyond RLIMIT_FSIZE, only the write shall fail.  The
 * signal is handled, not ignored, because started programs would inherit that
 * it is ignored.
 */
static void
survive_file_limit(void)
{
	struct sigaction action = {
	    .sa_handler = on_file_too_large, .sa_flags = SA_RESTART};

	(void)sigaction(SIGXFSZ, &action, NULL);
}

/*
 * A standard stream that is closed is taken, by something that cannot be used:
 * else a file that is opened gets its number, and messages go into it.
 */
static void
take_closed_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null",
			fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			(void)open("/", O_RDONLY | O_DIRECTORY);
}

int
main(int argc, char **argv)
{
	take_closed_streams();
	survive_file_limit();
	if (argc == 1) {
		if (isatty(STDIN_FILENO))
			(void)fputs("readcache: waiting for one JSON request "
				    "on standard input (see --help)\n",
			    stderr);
		return serve_one(STDIN_FILENO, STDOUT_FILENO);
	}
	if (argc == 2 && strcmp(argv[1], "serve") == 0) {
		(void)confine(); /* as far as the system can */
		return serve_lines(STDIN_FILENO, STDOUT_FILENO);
	}
	return cli_main(argc, argv);
}
