/*
 * subject.h -- the file and the lines that a request is about.
 *
 * The first half of the way, which read and refresh share: path, one read of
 * the file, scope.
 */
#ifndef READCACHE_SERVE_SUBJECT_H
#define READCACHE_SERVE_SUBJECT_H

#include "file/locate.h"
#include "file/snapshot.h"
#include "session/view.h"
#include "serve/request.h"

enum subject_status {
	SUBJECT_OK,
	SUBJECT_ERROR,   /* code and message; the host's read fails too */
	SUBJECT_DELEGATE /* reason; only the host can decide */
};

struct subject {
	struct target target;
	struct snapshot snap;
	struct view view;
	uint64_t offset; /* 1 if it was not given */
	uint64_t limit;  /* 0 if it was not given */
	const char *code;
	struct span message;
	const char *reason;
};

/* Find the file and the lines of REQUEST, and read the file once. */
enum subject_status subject_load(struct arena *arena,
    const struct request *request, struct subject *subject);

/*
 * How to understand the request's tilde and relative paths.  False if there is
 * no home: then only the host can decide.
 */
bool subject_where(const struct request *request, struct locate_where *where);

#endif
