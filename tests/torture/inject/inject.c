/*
 * inject -- run a program and let one thing in it go wrong.
 *
 *   inject count calls|allocs PROGRAM [ARGUMENT ...]
 *   inject FAULT[+] NUMBER PROGRAM [ARGUMENT ...]
 *
 * FAULT is what happens at that system call, counted from main() on: an error
 * (EIO, ENOSPC, EINTR, EACCES, EMFILE); "late", EIO though the call was done;
 * "short", half of the bytes; "kill", SIGKILL when it is done.  Or it is
 * "null": that allocation (malloc, calloc, realloc, whoever calls) fails.
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
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "calls.h"
#include "symbols.h"
#include "tracee.h"

enum { REPORT_FD = 3, PATH_ROOM = 256 };

enum fault_kind {
	FAULT_NONE, /* only count */
	FAULT_ERROR,
	FAULT_LATE,
	FAULT_SHORT,
	FAULT_KILL,
	FAULT_NULL
};

struct plan {
	enum fault_kind kind;
	int error;
	bool allocs;
	bool onwards;
	unsigned long number; /* from 1; never reached when counting */
};

/* What goes wrong, and what came of it. */
struct run {
	struct plan plan;
	struct tracee tracee;
	FILE *report;
	unsigned long counted;
	struct call hit; /* the call that went wrong first */
	bool fired;
};

/* ---- the report ---- */

static void
report_text(FILE *report, const char *text)
{
	(void)fputc('"', report);
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\' || c < ' ' || c > '~')
			(void)fprintf(report, "\\u%04x", c);
		else
			(void)fputc(c, report);
	}
	(void)fputc('"', report);
}

/* The arguments of a system call in their order. */
static unsigned long long *
argument(struct user_regs_struct *registers, int number)
{
	unsigned long long *const order[] = {&registers->rdi, &registers->rsi,
	    &registers->rdx, &registers->r10, &registers->r8, &registers->r9};

	return order[number];
}

/* {"call":..,"fd":..,"path":..} */
static void
report_call(
    struct run *run, struct call call, struct user_regs_struct *registers)
{
	char path[PATH_ROOM];

	(void)fputs("{\"call\":", run->report);
	report_text(run->report, call.name);
	(void)fprintf(run->report, ",\"fd\":%d", (int)registers->rdi);
	if (call.path >= 0) {
		tracee_text(&run->tracee, *argument(registers, call.path), path,
		    sizeof(path));
		(void)fputs(",\"path\":", run->report);
		report_text(run->report, path);
	}
	(void)fputc('}', run->report);
}

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

/* ---- system calls ---- */

/* At its beginning: make it not happen, or not all of it. */
static void
disturb(
    const struct run *run, struct call call, struct user_regs_struct *registers)
{
	unsigned long long *count;

	switch (run->plan.kind) {
	case FAULT_ERROR:
		if (call.nature == CALL_BREAK)
			registers->rdi = 0; /* a question; nothing is moved */
		else if (call.nature == CALL_ORDINARY)
			registers->orig_rax = (unsigned long long)-1;
		break;
	case FAULT_SHORT:
		count = argument(registers, call.count);
		*count = *count / 2 > 0 ? *count / 2 : *count;
		break;
	case FAULT_LATE:
	case FAULT_KILL:
	case FAULT_NONE:
	case FAULT_NULL:
		break;
	}
}

/*
 * At its end: what the program is told.  A call leaves its arguments alone,
 * and the C library relies on that.
 */
static void
answer(const struct run *run, struct call call,
    const struct user_regs_struct *before, struct user_regs_struct *registers)
{
	registers->rdi = before->rdi;
	registers->rsi = before->rsi;
	registers->rdx = before->rdx;
	if ((run->plan.kind == FAULT_ERROR && call.nature != CALL_BREAK) ||
	    run->plan.kind == FAULT_LATE)
		registers->rax = (unsigned long long)-run->plan.error;
}

/* Is this call, the newest one counted, to go wrong? */
static bool
is_due(const struct run *run, struct call call)
{
	if (run->plan.kind == FAULT_SHORT && call.count < 0)
		return false;
	if (run->fired)
		return run->plan.onwards &&
		       strcmp(call.name, run->hit.name) == 0;
	return run->counted == run->plan.number;
}

/* A call begins; the process has ended when this is false. */
static bool
one_call(struct run *run)
{
	struct user_regs_struct registers = tracee_registers(&run->tracee);
	const struct user_regs_struct before = registers;
	struct call call = call_of(registers.orig_rax);
	bool due;

	if (call.nature == CALL_CERTAIN ||
	    symbol_is_sanitizer(run->tracee.pid, registers.rip))
		return tracee_next_call(&run->tracee);
	run->counted++;
	due = is_due(run, call);
	if (run->plan.kind == FAULT_NONE || (due && !run->fired)) {
		if (run->counted > 1 && run->plan.kind == FAULT_NONE)
			(void)fputc(',', run->report);
		report_call(run, call, &registers);
	}
	if (!due)
		return tracee_next_call(&run->tracee);
	run->fired = true;
	run->hit = call;
	disturb(run, call, &registers);
	tracee_set_registers(&run->tracee, &registers);
	if (!tracee_next_call(&run->tracee))
		return false;
	registers = tracee_registers(&run->tracee);
	answer(run, call, &before, &registers);
	tracee_set_registers(&run->tracee, &registers);
	return true;
}

static void
run_calls(struct run *run)
{
	while (tracee_next_call(&run->tracee)) {
		if (!one_call(run))
			return;
		if (!run->fired)
			continue;
		if (run->plan.kind == FAULT_KILL)
			tracee_kill(&run->tracee);
		else if (!run->plan.onwards)
			tracee_release(&run->tracee);
		if (run->tracee.ended)
			return;
	}
}

/* ---- allocations ---- */

static const char *const allocators[] = {
    "malloc", "calloc", "realloc", "reallocarray"};

enum { ALLOCATORS = sizeof(allocators) / sizeof(allocators[0]) };

/* Return NULL from a function that has just been called. */
static void
return_null(const struct tracee *tracee)
{
	struct user_regs_struct registers = tracee_registers(tracee);

	registers.rax = 0;
	registers.rip = tracee_word(tracee, registers.rsp);
	registers.rsp += sizeof(uint64_t);
	tracee_set_registers(tracee, &registers);
}

static const struct breakpoint *
met(const struct run *run, const struct breakpoint *points)
{
	uint64_t rip = tracee_registers(&run->tracee).rip;

	for (size_t i = 0; i < ALLOCATORS; i++)
		if (points[i].address == rip)
			return &points[i];
	return NULL;
}

static void
run_allocs(struct run *run)
{
	struct breakpoint points[ALLOCATORS];

	for (size_t i = 0; i < ALLOCATORS; i++) {
		uint64_t at = symbol_in_use(run->tracee.pid, allocators[i]);

		points[i] = (struct breakpoint){0, 0};
		if (at != 0)
			points[i] = breakpoint_set(&run->tracee, at);
	}
	while (tracee_next_break(&run->tracee)) {
		const struct breakpoint *point = met(run, points);

		if (point == NULL)
			give_up("a trap that is none of ours");
		run->counted++;
		if (run->counted < run->plan.number) {
			breakpoint_pass(&run->tracee, point);
			continue;
		}
		run->fired = true;
		return_null(&run->tracee);
		if (run->plan.onwards)
			continue;
		for (size_t i = 0; i < ALLOCATORS; i++)
			if (points[i].address != 0)
				breakpoint_clear(&run->tracee, &points[i]);
		tracee_release(&run->tracee);
		return;
	}
}

/* ---- arguments ---- */

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
	struct plan plan = {.kind = FAULT_ERROR};
	size_t n = strlen(name);

	if (n > 0 && name[n - 1] == '+') {
		plan.onwards = true;
		name[n - 1] = '\0';
	}
	plan.number = strtoul(number, NULL, 10);
	plan.error = call_error(strcmp(name, "late") == 0 ? "EIO" : name);
	if (strcmp(name, "late") == 0)
		plan.kind = FAULT_LATE;
	else if (strcmp(name, "short") == 0)
		plan.kind = FAULT_SHORT;
	else if (strcmp(name, "kill") == 0)
		plan.kind = FAULT_KILL;
	else if (strcmp(name, "null") == 0)
		plan.kind = FAULT_NULL;
	else if (plan.error == 0)
		usage();
	plan.allocs = plan.kind == FAULT_NULL;
	if (plan.number == 0)
		usage();
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
