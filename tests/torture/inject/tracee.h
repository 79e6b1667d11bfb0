/*
 * tracee.h -- a process under our control, from its main() on.
 *
 * What happens before main() is the loader's and not the program's.  Every
 * function ends this program with a message when the system does not let it
 * do its work.
 */
#ifndef READCACHE_TORTURE_TRACEE_H
#define READCACHE_TORTURE_TRACEE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

struct tracee {
	pid_t pid;
	bool attached, ended;
	int status; /* as of wait(2), when it has ended */
};

/* "inject: WHAT" with the reason, and the end. */
__attribute__((noreturn)) void give_up(const char *what);

/* Start ARGV; stopped before its first instruction. */
struct tracee tracee_start(char **argv);

/* Stopped at the beginning of main(). */
void tracee_run_to_main(struct tracee *tracee);

/* Go on until the next system call begins or ends; false: it has ended. */
bool tracee_next_call(struct tracee *tracee);

/* Go on until some breakpoint is met; false: it has ended. */
bool tracee_next_break(struct tracee *tracee);

/* Let it run freely to its end. */
void tracee_release(struct tracee *tracee);

/* Kill it, as the system would: nothing of it runs any more. */
void tracee_kill(struct tracee *tracee);

struct user_regs_struct tracee_registers(const struct tracee *tracee);
void tracee_set_registers(
    const struct tracee *tracee, struct user_regs_struct *registers);

/* The text at ADDRESS, cut where the room ends; empty: it cannot be read. */
void tracee_text(
    const struct tracee *tracee, uint64_t address, char *text, size_t room);

uint64_t tracee_word(const struct tracee *tracee, uint64_t address);

/* A breakpoint; what it replaced is kept in it. */
struct breakpoint {
	uint64_t address;
	uint64_t word;
};

struct breakpoint breakpoint_set(const struct tracee *tracee, uint64_t address);
void breakpoint_clear(
    const struct tracee *tracee, const struct breakpoint *point);

/* Execute the instruction that POINT replaced, and set POINT again. */
void breakpoint_pass(struct tracee *tracee, const struct breakpoint *point);

#endif
