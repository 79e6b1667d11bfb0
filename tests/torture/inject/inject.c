/*
 * inject -- run a program and let one thing in it go wrong.
 *
 *   inject count calls|allocs PROGRAM [ARGUMENT ...]
 *   inject FAULT[+] NUMBER PROGRAM [ARGUMENT ...]
 *
 * FAULT is what happens at that system call, counted from main() on: an error
 * (EIO, ENOSPC, EINTR, EACCES, EMFILE); "late", EIO though the call was done;
 * "short", half of the bytes; "full", half of the bytes and then ENOSPC for
 * all that follow; "kill", SIGKILL when it is done.  Or it is "null": that
 * allocation (malloc, calloc, realloc, whoever calls) fails.
 * With a plus the same goes wrong from there on, for system calls at those
 * of the same name.
 *
 * It works on any executable of this machine with a symbol table, linked
 * statically or not, sanitized or not; a sanitizer's own calls do not count.
 * After a fault that happens once the program is let go, so that the
 * sanitizers can look for leaks.
 *
 * The program has our standard streams.  What was done is told in one line of
 * JSON on descriptor 3.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "run.h"

enum { REPORT_FD = 3 };

static void
report_end(const struct run *run)
{
	int status = run->tracee.status;

	(void)fprintf(run->report, "],\"counted\":%lu,\"fired\":%s",
	    run->counted, run->fired ? "true" : "false");
	if (WIFSIGNALED(status))
		(void)fprintf(
		    run->report, ",\"signal\":%d}\n", WTERMSIG(status));
	else
		(void)fprintf(
		    run->report, ",\"exit\":%d}\n", WEXITSTATUS(status));
	if (fclose(run->report) != 0)
		give_up("cannot report");
}

static void
usage(void)
{
	(void)fputs("inject: usage: inject count calls|allocs PROGRAM ...\n"
		    "               inject FAULT[+] NUMBER PROGRAM ...\n",
	    stderr);
	exit(2);
}

static struct plan
parse_fault(char *name, const char *number)
{
	static const struct {
		const char *name;
		enum fault_kind kind;
		int error;
	} faults[] = {
		{"EIO", FAULT_ERROR, EIO},
		{"ENOSPC", FAULT_ERROR, ENOSPC},
		{"EINTR", FAULT_ERROR, EINTR},
		{"EACCES", FAULT_ERROR, EACCES},
		{"EMFILE", FAULT_ERROR, EMFILE},
		{"late", FAULT_LATE, EIO},
		{"short", FAULT_SHORT, 0},
		{"full", FAULT_FULL, ENOSPC},
		{"kill", FAULT_KILL, 0},
		{"null", FAULT_NULL, 0},
	};
	struct plan plan = {.number = strtoul(number, NULL, 10)};
	size_t n = strlen(name);

	if (n > 0 && name[n - 1] == '+') {
		plan.onwards = true;
		name[n - 1] = '\0';
	}
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		if (strcmp(faults[i].name, name) != 0)
			continue;
		plan.kind = faults[i].kind;
		plan.error = faults[i].error;
	}
	if (plan.kind == FAULT_NONE || plan.number == 0)
		usage();
	plan.allocs = plan.kind == FAULT_NULL;
	plan.onwards = plan.onwards || plan.kind == FAULT_FULL;
	return plan;
}

int
main(int argc, char **argv)
{
	struct run run = {.report = fdopen(REPORT_FD, "w")};

	if (argc < 4)
		usage();
	if (run.report == NULL || fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC) != 0)
		give_up("descriptor 3 is for the report");
	if (strcmp(argv[1], "count") == 0)
		run.plan = (struct plan){
		    .kind = FAULT_NONE,
		    .allocs = strcmp(argv[2], "allocs") == 0,
		    .number = (unsigned long)-1,
		};
	else
		run.plan = parse_fault(argv[1], argv[2]);
	run.tracee = tracee_start(argv + 3);
	tracee_run_to_main(&run.tracee);
	(void)fputs("{\"calls\":[", run.report);
	if (run.plan.allocs)
		run_allocs(&run);
	else
		run_calls(&run);
	report_end(&run);
	return 0;
}
