#include "serve/subject.h"

#include "host/host.h"

bool
subject_where(const struct request *request, struct locate_where *where)
{
	where->cwd = request->cwd;
	return locate_home(&where->home);
}

static enum subject_status
delegate(struct subject *subject, const char *reason)
{
	subject->reason = reason;
	return SUBJECT_DELEGATE;
}

static enum subject_status
fail(struct subject *subject, const char *code, struct span message)
{
	subject->code = code;
	subject->message = message;
	return SUBJECT_ERROR;
}

static struct span
beyond_end(struct arena *arena, const struct subject *subject)
{
	struct buf out = buf_new(arena, 80);

	buf_str(&out, "Offset ");
	buf_u64(&out, subject->offset);
	buf_str(&out, " is beyond end of file (");
	buf_u64(&out, subject->view.total);
	buf_str(&out, " lines total)");
	return buf_span(&out);
}

/* Choose the lines: by the arguments, or by the range after the path. */
static void
choose_lines(const struct request *request, struct subject *subject)
{
	const struct target *target = &subject->target;

	subject->offset = 1;
	if (target->ranged) {
		subject->offset = target->first;
		if (target->last > 0)
			subject->limit = target->last - target->first + 1;
		return;
	}
	if (request->offset.kind == ARG_NUMBER)
		subject->offset = request->offset.number;
	if (request->limit.kind == ARG_NUMBER)
		subject->limit = request->limit.number;
}

enum subject_status
subject_load(struct arena *arena, const struct request *request,
    struct subject *subject)
{
	struct locate_where where;
	bool ranges = request->offset.kind == ARG_ABSENT &&
	    request->limit.kind == ARG_ABSENT;
	struct name_error error;

	*subject = (struct subject){.offset = 1};
	if (request->path_has_lone || !subject_where(request, &where))
		return delegate(subject, "path");
	switch (locate(arena, request->path, ranges, &where, &subject->target,
	    &error)) {
	case NAME_OK:
		break;
	case NAME_REFUSED:
		return fail(subject, error.code, error.message);
	case NAME_UNUSUAL:
		return delegate(subject, "path");
	}
	choose_lines(request, subject);
	switch (snapshot_take(arena, subject->target.name, &subject->snap)) {
	case SNAPSHOT_TEXT:
		break;
	case SNAPSHOT_ERROR:
		return fail(subject, subject->snap.code,
		    subject->snap.message);
	case SNAPSHOT_DELEGATE:
		return delegate(subject, subject->snap.reason);
	}
	if (request->offset.kind == ARG_OTHER ||
	    request->limit.kind == ARG_OTHER)
		return delegate(subject, "arguments");
	if (!host->view(subject->snap.bytes, subject->snap.lines,
		subject->offset, subject->limit, &subject->view))
		return fail(subject, "offset_beyond_end",
		    beyond_end(arena, subject));
	return SUBJECT_OK;
}
