#include <time.h>

#include "base/utf8.h"
#include "serve/response.h"
#include "serve/service.h"
#include "serve/subject.h"

static uint64_t
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now); /* it always exists */
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The scope as asked, for a file whose lines only the host can count. */
static struct scope
asked_scope(const struct subject *subject)
{
	uint64_t last = NUMBER_MAX;

	if (subject->limit > 0 &&
	    subject->limit <= NUMBER_MAX - subject->offset)
		last = subject->offset + subject->limit - 1;
	return scope_range(subject->offset, last);
}

static struct span
report(struct arena *arena, const struct subject *subject, struct scope scope)
{
	struct buf out = buf_new(arena, 128);

	buf_str(&out, "readcache: the next read of ");
	if (scope.kind == SCOPE_RANGE) {
		buf_str(&out, "lines ");
		buf_u64(&out, scope.first);
		buf_char(&out, '-');
		buf_u64(&out, scope.last);
		buf_str(&out, " of ");
	}
	buf_add(&out, subject->target.asked);
	buf_str(&out, " is served as text");
	return buf_span(&out);
}

enum service_status
service_refresh(struct arena *arena, const struct request *request,
    struct buf *out)
{
	struct scope scope = scope_full();
	struct subject subject;
	enum subject_status status;
	struct span key;
	bool ranged;

	if (request->offset.kind == ARG_OTHER ||
	    request->limit.kind == ARG_OTHER) {
		response_error(out, request->id, "bad_request",
		    SPAN("params.offset and params.limit must be positive "
			 "whole numbers."));
		return SERVICE_UNUSABLE;
	}
	status = subject_load(arena, request, &subject);
	if (status == SUBJECT_ERROR) {
		response_error(out, request->id, subject.code,
		    subject.message);
		return SERVICE_FAILED;
	}
	ranged = subject.target.ranged || request->offset.kind == ARG_NUMBER ||
	    request->limit.kind == ARG_NUMBER;
	if (ranged && status == SUBJECT_OK &&
	    subject.view.notice != VIEW_FIRST_TOO_LONG)
		scope = view_scope(&subject.view);
	else if (ranged)
		scope = asked_scope(&subject);
	key = subject.snap.key;
	if (key.n == 0 && subject.target.name.n > 0 &&
	    !locate_real(arena, subject.target.name, &key)) {
		response_error(out, request->id, "unreadable",
		    SPAN("The file's real path cannot be told now: nothing is "
			 "refreshed, try again."));
		return SERVICE_FAILED;
	}
	if (key.n == 0 || !utf8_valid(key)) {
		response_error(out, request->id, "bad_request",
		    SPAN("params.path is not a path that can be refreshed."));
		return SERVICE_UNUSABLE;
	}
	response_refresh(out, request->id, key, scope, now_ms(),
	    report(arena, &subject, scope));
	return SERVICE_OK;
}
