/*
 * readcache -- what to do, by the arguments.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "flow/serve.h"

static const char help[] =
    "Examples:\n"
    "  echo '{\"v\":1,\"op\":\"read\",\"cwd\":\"/tmp\",\"params\":{\"path\":"
    "\"notes.txt\"}}' | readcache\n"
    "                     one request, one response line\n"
    "  readcache serve    one request per input line, until end of input\n"
    "\n"
    "readcache answers a coding agent's reads of files: the first one with\n"
    "the text, a repeated one with a one-line marker, a changed file with a\n"
    "diff, but only if the text is provably still in the model's context.\n"
    "Requests and responses are JSON; SPEC.md describes them.\n"
    "\n"
    "Options:\n"
    "  -h, --help         this text\n"
    "      --version      version of the program and of the protocol\n"
    "\n"
    "Exit status:\n"
    "  0  answered        1  the read itself failed\n"
    "  2  the request or the arguments cannot be used\n";

int
main(int argc, char **argv)
{
	if (argc == 1) {
		if (isatty(STDIN_FILENO))
			(void)fputs("readcache: waiting for one JSON request "
				    "on standard input (see --help)\n",
			    stderr);
		return serve_one(STDIN_FILENO, STDOUT_FILENO);
	}
	if (argc == 2 && strcmp(argv[1], "serve") == 0)
		return serve_lines(STDIN_FILENO, STDOUT_FILENO);
	if (argc == 2 &&
	    (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return fputs(help, stdout) < 0 || fflush(stdout) != 0;
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return puts("readcache " READCACHE_VERSION " (protocol 1)") <
			0 ||
		    fflush(stdout) != 0;
	(void)fprintf(stderr,
	    "readcache: cannot use \"%s\": see readcache --help.\n",
	    argc == 2 ? argv[1] : argv[2]);
	return 2;
}
