/*
 * run.h -- one run of the program: what is to go wrong, and what came of it.
 */
#ifndef READCACHE_TORTURE_RUN_H
#define READCACHE_TORTURE_RUN_H

#include <stdio.h>

#include "calls.h"
#include "tracee.h"

enum fault_kind {
	FAULT_NONE, /* only count */
	FAULT_ERROR,
	FAULT_LATE,
	FAULT_SHORT,
	FAULT_FULL,
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

struct run {
	struct plan plan;
	struct tracee tracee;
	FILE *report; /* a list of calls is open in it */
	unsigned long counted;
	struct call hit; /* the call that went wrong first */
	bool fired;
};

/* From main() to the end: faults of system calls, or of allocations. */
void run_calls(struct run *run);
void run_allocs(struct run *run);

#endif
