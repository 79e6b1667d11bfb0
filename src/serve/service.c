#include "json/json.h"
#include "path/name.h"
#include "serve/response.h"
#include "serve/service.h"

bool
service_open(struct service *service)
{
	*service = (struct service){
	    .arena = arena_new(SERVICE_MEMORY),
	    .memory = memory_new(), /* may be NULL */
	    .known = known_new(),   /* may be NULL */
	};
	if (service->arena == NULL)
		service_close(service);
	return service->arena != NULL;
}

void
service_close(struct service *service)
{
	known_free(service->known);
	memory_free(service->memory);
	arena_free(service->arena);
	*service = (struct service){.arena = NULL};
}

bool
service_begin(struct service *service, struct buf *out)
{
	service->upkeep.due = false;
	if (setjmp(*arena_guard(service->arena)) != 0)
		return false;
	*out = buf_new(service->arena, (size_t)16 * 1024);
	return true;
}

enum service_status
service_too_large(struct service *service, struct buf *out)
{
	memory_forget(service->memory);
	response_error(out, SPAN(""), "too_large",
	    SPAN("The request is longer than 256 MiB; nothing was read."));
	return SERVICE_UNUSABLE;
}

/*
 * Memory is exhausted: say so with the memory at hand.  The host does a read by
 * itself then.  Other requests get an error.
 */
static enum service_status
give_up(const struct request *request, struct buf *out)
{
	struct response_delegate delegate = {.reason = "out_of_memory"};
	struct span id = request->id;

	/* It has a line end when it is complete; something after it failed. */
	if (span_has(buf_span(out), '\n'))
		return SERVICE_OK;
	out->n = 0;
	if (id.n + 256 > out->room)
		id.n = 0; /* nothing can be allocated any more */
	/*
	 * The host does not know range suffixes, so it cannot do such a read.
	 * Nor can it do a request that was not decoded.
	 */
	if (request->op == OP_READ && request->path.n > 0 &&
	    !span_has(request->path, ':')) {
		response_delegate(out, id, &delegate);
		return SERVICE_OK;
	}
	response_error(out, id, "out_of_memory",
	    SPAN("Out of memory: the request needs more than is allowed."));
	return SERVICE_FAILED;
}

struct store
service_store(struct arena *arena, const struct request *request,
    const struct config *config)
{
	struct span root = config->store;

	if (request->store.n > 0)
		root = name_normalize(arena, request->store);
	return store_at(arena, root, config->cwd);
}

/* The host refers to something that this process does not remember. */
static enum service_status
refuse_leaf(struct span id, struct buf *out)
{
	response_error(out, id, "unknown_leaf",
	    SPAN("session.after is not known here; send the whole branch."));
	return SERVICE_UNUSABLE;
}

enum service_status
service_answer(struct service *service, struct span text, struct buf *out)
{
	struct arena *arena = service->arena;
	/* Not a local: those may be lost after a longjmp. */
	struct request *request = &service->request;
	const char *error;

	if (text.n > REQUEST_MAX)
		return service_too_large(service, out);
	*request = (struct request){.id = SPAN("")};
	service->upkeep = (struct upkeep){.due = false};
	if (setjmp(*arena_guard(arena)) != 0) {
		memory_forget(service->memory);
		return give_up(&service->request, out);
	}
	if (!request_parse(arena, service->memory, text, request, &error)) {
		if (json_trim(text).n > 0) /* an empty line says nothing */
			memory_forget(service->memory);
		response_error(out, request->id, "bad_request",
		    span_str(error));
		return SERVICE_UNUSABLE;
	}
	if (!branch_known(arena, &request->session))
		return refuse_leaf(request->id, out);
	switch (request->op) {
	case OP_READ:
		return service_read(service, request, out);
	case OP_REFRESH:
		return service_refresh(arena, request, out);
	case OP_EXPAND:
		return service_expand(arena, request, out);
	case OP_STATUS:
		break;
	}
	return service_status(arena, request, out);
}
