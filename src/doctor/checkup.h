/*
 * checkup.h -- what is installed and set on this machine, and what should be
 * done about it.
 */
#ifndef READCACHE_DOCTOR_CHECKUP_H
#define READCACHE_DOCTOR_CHECKUP_H

#include "config/config.h"
#include "doctor/pi.h"
#include "store/dir.h"
#include "store/state/state.h"

enum { TODO_MAX = 16 };

struct checkup {
	struct arena *arena;
	struct span cwd;
	struct span exe; /* empty: unknown */
	struct config config;
	struct span keys;     /* directory of the user's key */
	enum dir_fault fault; /* of the store */
	const char *error;    /* the system's message, for DIR_FAILED */
	bool writable;        /* the store is there, or could be made */
	struct store_stats stats;
	struct state_place database; /* its dir is empty if there is none */
	bool confined;      /* a serving process can be confined */
	struct span pi;     /* empty: not on PATH */
	struct span beside; /* the extension that came with this program */
	struct pi_settings user, project;
	struct span todo[TODO_MAX]; /* one line each, the worst first */
	size_t ntodo;
};

/* Look at everything.  Nothing is run and nothing is changed. */
struct checkup checkup_make(struct arena *arena, struct span cwd);

/* Will pi load the extension because of SETTINGS? */
bool checkup_listed(const struct pi_settings *settings);

#endif
