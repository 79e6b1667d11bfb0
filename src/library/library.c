/*
 * The library's own functions (include/readcache.h).  No jump leaves them: the
 * service sets the guard for each request, and upkeep one of its own.
 */
#include "readcache.h"

#include <stdlib.h>

#include "serve/service.h"

struct rc {
	struct service service;
};

struct rc *
rc_open(void)
{
	struct rc *rc = malloc(sizeof(*rc));

	if (rc != NULL && !service_open(&rc->service)) {
		free(rc);
		rc = NULL;
	}
	return rc;
}

static enum rc_status
status_of(enum service_status status)
{
	switch (status) {
	case SERVICE_OK:
		return RC_OK;
	case SERVICE_FAILED:
		return RC_FAILED;
	case SERVICE_UNUSABLE:
		break;
	}
	return RC_UNUSABLE;
}

/* A NUL after the response, for those who look for something in it. */
static bool
end_with_nul(struct arena *arena, struct buf *out)
{
	if (setjmp(*arena_guard(arena)) != 0)
		return false;
	buf_char(out, '\0');
	out->n--;
	return true;
}

enum rc_status
rc_answer(struct rc *rc, const char *request, size_t n, const char **response,
    size_t *response_n)
{
	struct service *service = &rc->service;
	struct span text = {n > 0 ? request : "", n};
	enum service_status status;
	struct buf out;

	*response = NULL;
	*response_n = 0;
	arena_reset(service->arena); /* the last response with it */
	if (!service_begin(service, &out))
		return RC_NO_MEMORY;
	status = service_answer(service, text, &out);
	upkeep_run(service->arena, &service->upkeep);
	if (!end_with_nul(service->arena, &out))
		return RC_NO_MEMORY;
	*response = out.p;
	*response_n = out.n;
	return status_of(status);
}

void
rc_close(struct rc *rc)
{
	if (rc == NULL)
		return;
	service_close(&rc->service);
	free(rc);
}
