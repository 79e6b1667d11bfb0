/*
 * calls.h -- what is to be known about a system call to make it fail.
 */
#ifndef READCACHE_TORTURE_CALLS_H
#define READCACHE_TORTURE_CALLS_H

#include <stdbool.h>

enum call_nature {
	CALL_ORDINARY, /* it fails without having happened */
	CALL_HAPPENS,  /* it happens, whatever it reports: close */
	CALL_BREAK,    /* brk: fails by giving back the old break */
	CALL_CERTAIN   /* it cannot fail: not counted */
};

struct call {
	const char *name;
	enum call_nature nature;
	int path;  /* which argument is a path; -1: none */
	int count; /* which one is a number of bytes to transfer; -1: none */
};

/* NUMBER as the kernel counts them; one that is not known is ordinary. */
struct call call_of(unsigned long long number);

#endif
