/*
 * subject.h -- the file and the lines a request is about.
 *
 * The first half of the way, common to read and refresh: path, one read of
 * the file, scope.
 */
#ifndef READCACHE_SERVE_SUBJECT_H
#define READCACHE_SERVE_SUBJECT_H

#include "file/locate.h"
#include "file/snapshot.h"
#include "host/pi/view.h"
#include "serve/request.h"

enum subject_status {
	SUBJECT_OK,
	SUBJECT_ERROR,   /* code and message: the read fails in the host too */
	SUBJECT_DELEGATE /* reason: only the host can tell */
};

struct subject {
	struct target target;
	struct snapshot snap;
	struct view view;
	uint64_t offset; /* 1 if none was asked for */
	uint64_t limit;  /* 0 if none was asked for */
	const char *code;
	struct span message;
	const char *reason;
};

enum subject_status subject_load(struct arena *arena,
    const struct request *request, struct subject *subject);

/*
 * How a request's tilde and relative paths are understood.  False: only the
 * host can tell what happens without a home.
 */
bool subject_where(const struct request *request, struct locate_where *where);

#endif
