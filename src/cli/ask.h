/*
 * ask.h -- commands that are requests of the protocol.  read, status and
 * refresh ask the engine as a host does, and show its answer to a person.
 */
#ifndef READCACHE_CLI_ASK_H
#define READCACHE_CLI_ASK_H

#include "cli/cli.h"
#include "json/json.h"

struct ask {
	const char *op;
	const char *path;           /* NULL: none */
	const char *offset, *limit; /* as they were typed; NULL: none */
	const char *session;        /* a file; NULL: none */
	const char *leaf;           /* NULL: where the session goes on */
};

/* The parts of an answer: spans of JSON, absent if it does not have them. */
struct answer {
	struct json_doc doc;
	struct span line;   /* all of it, with its line end */
	struct span result; /* of a read */
	struct span delegate, error, entry, text, decision, status;
};

/*
 * Send a request and get the answer.  False (and a message) if the request
 * cannot be made.
 */
bool cli_ask(struct cli *cli, const struct ask *ask, struct answer *answer);

/* The string member NAME of the object VALUE; empty if it has none. */
struct span answer_text(const struct answer *answer, struct span value,
    const char *name);

/*
 * If the engine refused or failed, print its message on standard error and
 * give the exit status.  Else CLI_OK.
 */
int answer_error(struct cli *cli, const struct answer *answer);

#endif
