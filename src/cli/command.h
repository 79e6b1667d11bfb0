/*
 * command.h -- what a command of the program is: its name, its options, its
 * help, and what it does.
 *
 * One table (commands.c) holds them all.  It drives the dispatch, the help
 * texts, "did you mean", the parsing of options and, by --help --json, the
 * shells' completions and a check of the manual page.
 *
 * To add a command: write src/cli/NAME.c, which ends with its struct command;
 * name that in commands.h and in the table of commands.c; describe it in
 * doc/readcache.1; make the completions again (completions/make.mjs).  To add
 * an option: a row in its command's table, a member in the struct it goes to.
 *
 * Most texts are arrays, not pointers: the program can lie at any address, so
 * every pointer in a table costs each of its starts.
 */
#ifndef READCACHE_CLI_COMMAND_H
#define READCACHE_CLI_COMMAND_H

#include <stdint.h>

#include "cli/cli.h"

/* Where an option goes, in the struct of the command's arguments. */
enum option_kind {
	OPTION_FLAG,  /* a bool, made true */
	OPTION_TEXT,  /* a const char *, its value; the last one counts */
	OPTION_MAYBE, /* the same for --NAME=VALUE; without the value "" */
	OPTION_LIST,  /* a struct option_list: every value, in their order */
	OPTION_JSON,  /* not there: cli->json is made true */
	OPTION_TITLE, /* no option: a line above the ones that follow */
};

/* What a shell can offer for a value. */
enum offer {
	OFFER_NOTHING, /* only the user knows it */
	OFFER_FILES,
	OFFER_DIRECTORIES,
	OFFER_VARIABLES, /* of the environment */
	OFFER_WORDS,	 /* those in WORDS */
	OFFER_COMMANDS,	 /* a program, then what that one offers */
};

struct command_option {
	char name[16];	/* without its dashes */
	char letter;	/* 0: it has none */
	char mark;	/* of a list: tells two options in it apart */
	char value[12]; /* what its value is called in the help */
	char words[24]; /* for OFFER_WORDS, with spaces between them */
	uint8_t kind;	/* enum option_kind */
	uint8_t offer;	/* enum offer */
	uint16_t at;	/* offsetof(struct of its arguments, member) */
	char help[200]; /* its lines end by "\n", but the last */
};

/* Values in the order in which they were given. */
struct option_list {
	struct span *at; /* never NULL */
	char *marks;	 /* each that of its option */
	size_t n;
};

/* The value of an OPTION_TEXT; empty if it was not given. */
static inline struct span
option_text(const char *given)
{
	return given != NULL ? span_str(given) : SPAN("");
}

/* What a command with several jobs calls one of them: "memo get". */
struct command_action {
	char name[12];
	char takes[12];
	char help[160]; /* as of an option */
	char words[40]; /* what can follow it, for completions */
};

/* What is left of the arguments when the options are taken out. */
struct words {
	char **at; /* ends with NULL */
	int n;
};

struct command {
	char name[12];
	char older[8];	  /* a name that it had before; empty: none */
	char takes[12];	  /* what follows it, for the main help */
	char summary[60]; /* what it does, in a line of the main help */
	uint8_t offer;	  /* enum offer: its words */
	/*
	 * The options end before its first word, which is a command with
	 * options of its own; what is wrong with ours gives EXEC_OURSELVES,
	 * since every other status is that command's.
	 */
	bool wraps;
	bool for_hosts; /* its requests and answers are the protocol's */
	uint16_t size;	/* of the struct of its arguments; all zero at first */
	uint8_t noptions, nactions;
	const struct command_option *options; /* --help is not among them */
	const struct command_action *actions;
	/* The help: before the actions, before the options, after them. */
	const char *head, *body, *tail;
	/* NULL, or: another command that these arguments are meant for. */
	const struct command *(*instead)(int argc, char **argv);
	/* GIVEN is the struct of its arguments.  The exit status. */
	int (*run)(struct cli *cli, const void *given, struct words words);
};

/* For the table of a command: a table and the number of its rows. */
#define COMMAND_OPTIONS(table)                                                 \
	.options = (table), .noptions = sizeof(table) / sizeof((table)[0])
#define COMMAND_ACTIONS(table)                                                 \
	.actions = (table), .nactions = sizeof(table) / sizeof((table)[0])

/* The action NAME of COMMAND: its place in the table; -1 if there is none. */
int command_action(const struct command *command, struct span name);

/*
 * The action that the first of WORDS names, which is taken out of them.  -1
 * (and a message) if there is none.
 */
int command_take_action(
    struct cli *cli, const struct command *command, struct words *words);

/* cli_did_you_mean of its actions. */
const char *command_action_hint(
    struct cli *cli, const struct command *command, struct span name);

/*
 * " Did you mean "NEAR"?" with DASHES before it, or nothing if none of the N
 * names is near NAME.
 */
const char *cli_did_you_mean(const struct cli *cli, const char *dashes,
    struct span name, const struct span *names, size_t n);

#endif
