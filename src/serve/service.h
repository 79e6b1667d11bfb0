/*
 * service.h -- a request in, a response out.
 *
 * The stages of a request are put in order here.  Each function appends one
 * response line to OUT.
 */
#ifndef READCACHE_SERVE_SERVICE_H
#define READCACHE_SERVE_SERVICE_H

#include "base/buf.h"
#include "config/config.h"
#include "file/known.h"
#include "serve/memory.h"
#include "serve/request.h"
#include "serve/upkeep.h"

/* The exit statuses of the one-shot form (SPEC 2.2). */
enum service_status {
	SERVICE_OK = 0,
	SERVICE_FAILED = 1,
	SERVICE_UNUSABLE = 2
};

/* For a request's entries, the file, its old version and the answer. */
#define SERVICE_MEMORY ((size_t)4 * 1024 * 1024 * 1024)

/* What a request is answered with. */
struct service {
	struct arena *arena;   /* of this request */
	struct memory *memory; /* of the process, if it serves more than one */
	struct known *known;   /* of the process, too */
	struct request request; /* that is being answered */
	struct upkeep upkeep;  /* what is left to do after the answer */
};

/*
 * Make SERVICE for many requests: it remembers sessions and files.  False: out
 * of memory.  service_close releases it.
 */
bool service_open(struct service *service);
void service_close(struct service *service);

/*
 * Make room in OUT for an answer that needs no more memory.  Call it before
 * each answer.  False: out of memory, no answer can be given.  Everything lives
 * until the reset of the service's arena.
 */
bool service_begin(struct service *service, struct buf *out);

/* Refuse a request that is longer than REQUEST_MAX. */
enum service_status service_too_large(struct service *service,
    struct buf *out);

/* Answer any request.  TEXT is what the host sent. */
enum service_status service_answer(struct service *service, struct span text,
    struct buf *out);

/* Answer a request for one operation. */
enum service_status service_read(struct service *service,
    const struct request *request, struct buf *out);
enum service_status service_refresh(
    struct arena *arena, const struct request *request, struct buf *out);
enum service_status service_expand(
    struct arena *arena, const struct request *request, struct buf *out);
enum service_status service_status(
    struct arena *arena, const struct request *request, struct buf *out);

/* The store that the request names, or else the one in the settings. */
struct store service_store(struct arena *arena, const struct request *request,
    const struct config *config);

#endif
