/*
 * command.h -- a command of the program: its name, options and help, and the
 * function that does it.
 *
 * One table (commands.c) has all commands.  It drives the dispatch, the help
 * texts, "did you mean", the parsing of options and, by --help --json, the
 * completions of shells and a check of the manual page.
 *
 * To add a command:
 * 1. Write src/cli/NAME.c, which ends with its struct command.
 * 2. Name that in commands.h and in the table of commands.c.
 * 3. Describe it in doc/readcache.1.
 * 4. Make the completions again (completions/make.mjs).
 *
 * To add an option: add a row to the command's table, and a member to the
 * struct that it goes to.
 *
 * Most texts are arrays, not pointers: the program is position-independent, so
 * every pointer in a table costs a relocation at each start.
 */
#ifndef READCACHE_CLI_COMMAND_H
#define READCACHE_CLI_COMMAND_H

#include <stdint.h>

#include "cli/cli.h"

/* How an option is put into the struct of the command's arguments. */
enum option_kind {
	OPTION_FLAG,  /* a bool, set to true */
	OPTION_TEXT,  /* a const char *, its value; the last one counts */
	OPTION_MAYBE, /* OPTION_TEXT by --NAME=VALUE; without a value "" */
	OPTION_LIST,  /* a struct option_list: all values, in order */
	OPTION_JSON,  /* not in the struct: cli->json is set to true */
	OPTION_TITLE, /* not an option: a title above those that follow */
};

/* What a shell's completion can offer for a value. */
enum offer {
	OFFER_NOTHING, /* only the user knows it */
	OFFER_FILES,
	OFFER_DIRECTORIES,
	OFFER_VARIABLES, /* of the environment */
	OFFER_WORDS,	 /* those in WORDS */
	OFFER_COMMANDS,	 /* a program, then what that program offers */
};

struct command_option {
	char name[16];	/* without dashes */
	char letter;	/* 0: none */
	char mark;	/* of a list: distinguishes options that share it */
	char value[12]; /* the name of its value in the help */
	char words[24]; /* for OFFER_WORDS, separated by spaces */
	uint8_t kind;	/* enum option_kind */
	uint8_t offer;	/* enum offer */
	uint16_t at;	/* offsetof(struct of the arguments, member) */
	char help[200]; /* lines separated by "\n" */
};

/* Values in the order in which they were given. */
struct option_list {
	struct span *at; /* never NULL */
	char *marks;	 /* the mark of each value's option */
	size_t n;
};

/* The value of an OPTION_TEXT; empty if it was not given. */
static inline struct span
option_text(const char *given)
{
	return given != NULL ? span_str(given) : SPAN("");
}

/* An action of a command that has several: "memo get". */
struct command_action {
	char name[12];
	char takes[12];
	char help[160]; /* as of an option */
	char words[40]; /* what can follow it, for completions */
};

/* The arguments that are left after the options were taken out. */
struct words {
	char **at; /* ends with NULL */
	int n;
};

struct command {
	char name[12];
	char older[8];	  /* a former name, which still works; or empty */
	char takes[12];	  /* what follows it, for the main help */
	char summary[60]; /* one line of the main help */
	uint8_t offer;	  /* enum offer: for its words */
	/*
	 * The options end before the first word, which is a command with
	 * options of its own.  A mistake in our options gives EXEC_OURSELVES,
	 * since all other statuses are that command's.
	 */
	bool wraps;
	bool for_hosts; /* it speaks the protocol, not to people */
	uint16_t size;	/* of the struct of its arguments, which is zeroed */
	uint8_t noptions, nactions;
	const struct command_option *options; /* --help is not one of them */
	const struct command_action *actions;
	/* The help: before the actions, before the options, after them. */
	const char *head, *body, *tail;
	/*
	 * NULL; or gives another command, if these arguments are for that one.
	 */
	const struct command *(*instead)(int argc, char **argv);
	/*
	 * Run it.  GIVEN is the struct of its arguments.  The result is the
	 * exit status.
	 */
	int (*run)(struct cli *cli, const void *given, struct words words);
};

/* For a struct command: a table and the number of its rows. */
#define COMMAND_OPTIONS(table)                                                 \
	.options = (table), .noptions = sizeof(table) / sizeof((table)[0])
#define COMMAND_ACTIONS(table)                                                 \
	.actions = (table), .nactions = sizeof(table) / sizeof((table)[0])

/* The index of the action NAME of COMMAND; -1 if there is none. */
int command_action(const struct command *command, struct span name);

/*
 * The index of the action that the first of WORDS names; that word is taken
 * out.  -1 (and a message) if it names none.
 */
int command_take_action(
    struct cli *cli, const struct command *command, struct words *words);

/* cli_did_you_mean for the actions of COMMAND. */
const char *command_action_hint(
    struct cli *cli, const struct command *command, struct span name);

/*
 * " Did you mean "NEAR"?", with DASHES before the name; "" if none of the N
 * NAMES is similar to NAME.
 */
const char *cli_did_you_mean(const struct cli *cli, const char *dashes,
    struct span name, const struct span *names, size_t n);

#endif
