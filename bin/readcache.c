/*
 * readcache -- what to do, by the arguments.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "flow/confine.h"
#include "flow/serve.h"

static const char help[] =
    "Examples:\n"
    "  readcache read src/main.c            a file as pi's read shows it\n"
    "  readcache shadow session.jsonl       what it would have saved there\n"
    "  readcache doctor                     is everything in its place?\n"
    "  echo '{\"v\":1,\"op\":\"read\",\"cwd\":\"/etc\",\"params\":{\"path\":"
    "\"hosts\"}}' | readcache\n"
    "                                       one request, one response line\n"
    "\n"
    "readcache answers a coding agent's reads of files: the first one with\n"
    "the text, a repeated one with a one-line marker, a changed file with a\n"
    "diff, but only if the text is provably still in the model's context.\n"
    "\n"
    "For hosts (JSON, see SPEC.md):\n"
    "  (no arguments)     one request on standard input, one response line\n"
    "  serve              one request per input line, until end of input\n"
    "\n"
    "For people (each has a --help, and --json for programs):\n"
    "  read PATH          the answer that a read gets\n"
    "  status             what is known and saved on a session's branch\n"
    "  refresh PATH       make the next read of a file give its text\n"
    "  replay FILE        what a recorded session's leaf can trust, and why\n"
    "  audit FILE...      check that recorded answers could be understood\n"
    "  shadow FILE...     what readcache would have saved in a session\n"
    "  report FILE...     a page to look at\n"
    "  run COMMAND        a command, or what it gave if nothing changed\n"
    "  flow FILE          run a workflow; what is unchanged is not done again\n"
    "  memo               results under keys: never ask the same twice\n"
    "  cache              stats, gc, clear, adopt, settings: all that is kept\n"
    "  config             the settings in force, and where they come from\n"
    "  doctor             what is installed, and what to do next\n"
    "\n"
    "Options:\n"
    "  -h, --help         this text\n"
    "      --version      version of the program and of the protocol\n"
    "\n"
    "Exit status:\n"
    "  0  answered        1  the read itself failed, or something was found\n"
    "  2  the request or the arguments cannot be used\n";

static void
on_file_too_large(int signal)
{
	(void)signal;
}

/*
 * A file may not grow that far (RLIMIT_FSIZE): the write fails, and that is
 * all.  A handler, and not to be ignored, since programs that are started
 * inherit what is ignored.
 */
static void
survive_file_limit(void)
{
	struct sigaction action = {
	    .sa_handler = on_file_too_large, .sa_flags = SA_RESTART};

	(void)sigaction(SIGXFSZ, &action, NULL);
}

int
main(int argc, char **argv)
{
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
	if (strcmp(argv[argc - 1], "--help") == 0 &&
	    (argc == 2 || strcmp(argv[1], "serve") == 0))
		return fputs(help, stdout) < 0 || fflush(stdout) != 0;
	if (argc == 2 && strcmp(argv[1], "-h") == 0)
		return fputs(help, stdout) < 0 || fflush(stdout) != 0;
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return puts("readcache " READCACHE_VERSION " (protocol 1)") <
			0 ||
		    fflush(stdout) != 0;
	return cli_main(argc, argv);
}
