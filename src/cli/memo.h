/*
 * memo.h -- what the memo commands share.
 */
#ifndef READCACHE_CLI_MEMO_H
#define READCACHE_CLI_MEMO_H

#include "cli/command.h"
#include "cli/store_open.h"
#include "work/record/file.h"

/* The arguments as they were typed; NULL: not given. */
struct memo_arguments {
	const char *store, *ttl, *file;
	const char *agent, *system, *system_file, *model;
	const char *flow, *phase;
	struct option_list turns; /* --prompt and --prompt-file */
	bool lines, explain, expired;
};

/* The mark of turns whose text is in a file. */
enum { MEMO_TURN_IN_FILE = 'f' };

/* One command.  Its store is chosen, but not opened. */
struct memo_task {
	struct cli *cli;
	const struct memo_arguments *arguments;
	struct words names; /* what follows the action */
	struct store_opened opened;
	struct records records;
};

/* The actions.  The result is the exit status. */
int memo_key(struct memo_task *task);
int memo_get(struct memo_task *task);
int memo_set(struct memo_task *task);
int memo_rm(struct memo_task *task);
int memo_ls(struct memo_task *task);
int memo_clear(struct memo_task *task);

enum memo_op { MEMO_LOOKUP, MEMO_RECORD };
int memo_phase(struct memo_task *task, enum memo_op op);

/*
 * Print "readcache: WHAT: ERROR" on standard error.  The result is CLI_STORE.
 */
int memo_store_failed(struct memo_task *task, const char *what, int error);

/* Read the file NAME.  False (and a message) if it cannot be read. */
bool memo_read_file(struct cli *cli, const char *name, struct span *bytes);

/*
 * Read standard input to its end.  False (and a message) if it cannot be read.
 */
bool memo_read_input(struct cli *cli, struct span *bytes);

#endif
