#include <string.h>

#include "run.h"
#include "symbols.h"

enum { PATH_ROOM = 256 };

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

/* What a call that goes wrong now meets. */
static enum fault_kind
fault_now(const struct run *run)
{
	if (run->plan.kind != FAULT_FULL)
		return run->plan.kind;
	return run->fired ? FAULT_ERROR : FAULT_SHORT;
}

/* At its beginning: make it not happen, or not all of it. */
static void
disturb(enum fault_kind fault, struct call call,
    struct user_regs_struct *registers)
{
	unsigned long long *count;

	switch (fault) {
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
	case FAULT_FULL:
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
answer(const struct run *run, enum fault_kind fault,
    const struct user_regs_struct *before, struct user_regs_struct *registers)
{
	registers->rdi = before->rdi;
	registers->rsi = before->rsi;
	registers->rdx = before->rdx;
	if ((fault == FAULT_ERROR && run->hit.nature != CALL_BREAK) ||
	    fault == FAULT_LATE)
		registers->rax = (unsigned long long)-run->plan.error;
}

/* Is this call, the newest one counted, to go wrong? */
static bool
is_due(const struct run *run, struct call call)
{
	if (fault_now(run) == FAULT_SHORT && call.count < 0)
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
	enum fault_kind fault = fault_now(run);
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
	disturb(fault, call, &registers);
	tracee_set_registers(&run->tracee, &registers);
	if (!tracee_next_call(&run->tracee))
		return false;
	registers = tracee_registers(&run->tracee);
	answer(run, fault, &before, &registers);
	tracee_set_registers(&run->tracee, &registers);
	return true;
}

void
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
