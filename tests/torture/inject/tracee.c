#include "tracee.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbols.h"

#define CALL_STOP (SIGTRAP | 0x80) /* by PTRACE_O_TRACESYSGOOD */
#define TRAP_BYTE 0xccULL

void
give_up(const char *what)
{
	(void)fprintf(stderr, "inject: %s: %s\n", what, strerror(errno));
	exit(2);
}

/*
 * Resume by REQUEST and wait for WANTED; signals in between are the
 * program's own and are given to it.  False: it has ended.
 */
static bool
resume(struct tracee *tracee, enum __ptrace_request request, int wanted)
{
	long given = 0;
	int status;

	for (;;) {
		if (ptrace(request, tracee->pid, NULL, (void *)given) != 0)
			give_up("cannot resume");
		if (waitpid(tracee->pid, &status, 0) < 0)
			give_up("cannot wait");
		if (!WIFSTOPPED(status)) {
			tracee->ended = true;
			tracee->status = status;
			return false;
		}
		if (WSTOPSIG(status) == wanted)
			return true;
		given = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	}
}

struct tracee
tracee_start(char **argv)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
	struct tracee tracee = {.pid = fork(), .attached = true};
	int status;

	if (tracee.pid < 0)
		give_up("cannot fork");
	if (tracee.pid == 0) {
		/* Released or not, it does not outlive us. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			give_up("cannot be traced");
		(void)execv(argv[0], argv);
		give_up(argv[0]);
	}
	/* Without options the exec itself is reported as a SIGTRAP. */
	if (waitpid(tracee.pid, &status, 0) < 0 || !WIFSTOPPED(status))
		exit(2);
	if (ptrace(PTRACE_SETOPTIONS, tracee.pid, NULL, (void *)options) != 0)
		give_up("cannot trace");
	return tracee;
}

struct user_regs_struct
tracee_registers(const struct tracee *tracee)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, tracee->pid, NULL, &registers) != 0)
		give_up("cannot get registers");
	return registers;
}

void
tracee_set_registers(
    const struct tracee *tracee, struct user_regs_struct *registers)
{
	if (ptrace(PTRACE_SETREGS, tracee->pid, NULL, registers) != 0)
		give_up("cannot set registers");
}

uint64_t
tracee_word(const struct tracee *tracee, uint64_t address)
{
	long word;

	errno = 0;
	word = ptrace(PTRACE_PEEKDATA, tracee->pid, (void *)address, NULL);
	if (errno != 0)
		give_up("cannot look into its memory");
	return (uint64_t)word;
}

static void
set_word(const struct tracee *tracee, uint64_t address, uint64_t word)
{
	if (ptrace(PTRACE_POKEDATA, tracee->pid, (void *)address,
		(void *)word) != 0)
		give_up("cannot change its memory");
}

void
tracee_text(
    const struct tracee *tracee, uint64_t address, char *text, size_t room)
{
	struct iovec here = {text, room - 1};
	struct iovec there = {(void *)address, room - 1};
	ssize_t n = process_vm_readv(tracee->pid, &here, 1, &there, 1, 0);

	/* It may begin shortly before the end of what can be read. */
	for (; n < 0 && there.iov_len > 1; there.iov_len /= 2)
		n = process_vm_readv(tracee->pid, &here, 1, &there, 1, 0);
	text[n > 0 ? n : 0] = '\0';
}

struct breakpoint
breakpoint_set(const struct tracee *tracee, uint64_t address)
{
	struct breakpoint point = {address, tracee_word(tracee, address)};

	set_word(tracee, address, (point.word & ~0xffULL) | TRAP_BYTE);
	return point;
}

void
breakpoint_clear(const struct tracee *tracee, const struct breakpoint *point)
{
	set_word(tracee, point->address, point->word);
}

void
breakpoint_pass(struct tracee *tracee, const struct breakpoint *point)
{
	breakpoint_clear(tracee, point);
	if (!resume(tracee, PTRACE_SINGLESTEP, SIGTRAP))
		give_up("it ended at one instruction");
	set_word(tracee, point->address, (point->word & ~0xffULL) | TRAP_BYTE);
}

bool
tracee_next_call(struct tracee *tracee)
{
	return resume(tracee, PTRACE_SYSCALL, CALL_STOP);
}

bool
tracee_next_break(struct tracee *tracee)
{
	struct user_regs_struct registers;

	if (!resume(tracee, PTRACE_CONT, SIGTRAP))
		return false;
	/* Back onto the instruction that is hidden by the trap. */
	registers = tracee_registers(tracee);
	registers.rip--;
	tracee_set_registers(tracee, &registers);
	return true;
}

void
tracee_run_to_main(struct tracee *tracee)
{
	uint64_t address = symbol_of_program(tracee->pid, "main");
	struct breakpoint point;

	errno = ENOENT;
	if (address == 0)
		give_up("the program's main (is it stripped?)");
	point = breakpoint_set(tracee, address);
	if (!tracee_next_break(tracee)) {
		errno = ESRCH;
		give_up("it ended before main");
	}
	breakpoint_clear(tracee, &point);
}

void
tracee_release(struct tracee *tracee)
{
	if (tracee->ended)
		return;
	if (tracee->attached &&
	    ptrace(PTRACE_DETACH, tracee->pid, NULL, NULL) != 0)
		give_up("cannot release");
	tracee->attached = false;
	if (waitpid(tracee->pid, &tracee->status, 0) < 0)
		give_up("cannot wait");
	tracee->ended = true;
}

void
tracee_kill(struct tracee *tracee)
{
	if (tracee->ended)
		return;
	(void)kill(tracee->pid, SIGKILL);
	tracee->attached = false;
	while (waitpid(tracee->pid, &tracee->status, 0) >= 0 &&
	       WIFSTOPPED(tracee->status))
		continue;
	tracee->ended = true;
}
