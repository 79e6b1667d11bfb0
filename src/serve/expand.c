/*
 * What a compact answer stood for, as text (SPEC 2.6).  From its metadata, make
 * the text that the plain read gave at that time.
 */
#include "base/lines.h"
#include "host/host.h"
#include "meta/meta.h"
#include "serve/response.h"
#include "serve/service.h"
#include "store/store.h"

/*
 * Is VIEW what was read?  Its scope and its size show that.  Only a diff may
 * cover more lines than were asked for.
 */
static bool
is_that_read(struct arena *arena, const struct view *view,
    const struct event *read)
{
	struct excerpt shown;

	if (view->notice == VIEW_FIRST_TOO_LONG)
		return false;
	shown = host->excerpt(arena, view, SPAN(""));
	return excerpt_bytes(&shown) == read->bytes &&
	    (read->mode == MODE_DIFF ||
		scope_eq(excerpt_scope(&shown), read->scope));
}

/*
 * The view that READ had of BYTES.  If it was asked for with a limit, its size
 * shows that, because a notice is at its end.
 */
static bool
find_view(struct arena *arena, struct span bytes, const struct event *read,
    struct view *view)
{
	bool full = read->scope.kind == SCOPE_FULL;
	uint64_t first = full ? 1 : read->scope.first;
	uint64_t lines = full ? 0 : read->scope.last - first + 1;
	uint64_t total = lines_count(bytes);

	if (total != read->total)
		return false;
	return (host->view(bytes, total, first, 0, view) &&
		   is_that_read(arena, view, read)) ||
	    (lines > 0 && host->view(bytes, total, first, lines, view) &&
		is_that_read(arena, view, read));
}

/* For the model, if the text is not available: it must not look for it. */
static struct span
missing_line(struct arena *arena, const struct event *read)
{
	struct buf text = buf_new(arena, 160);

	buf_str(&text, "[readcache: ");
	if (read->scope.kind == SCOPE_FULL) {
		buf_str(&text, "the text of this file is");
	} else {
		buf_str(&text, "lines ");
		buf_u64(&text, read->scope.first);
		buf_char(&text, '-');
		buf_u64(&text, read->scope.last);
		buf_str(&text, " of this file are");
	}
	buf_str(&text, " no longer in context; read the file again to see ");
	buf_str(&text, read->scope.kind == SCOPE_FULL ? "it]" : "them]");
	return buf_span(&text);
}

enum service_status
service_expand(struct arena *arena, const struct request *request,
    struct buf *out)
{
	struct config_where where = config_where(request->cwd);
	struct config config = config_load(arena, &where);
	struct store store = service_store(arena, request, &config);
	struct meta meta;
	struct span bytes;
	struct view view;
	struct excerpt shown;

	if (!meta_parse(arena, request->metadata, &meta)) {
		response_error(out, request->id, "bad_request",
		    SPAN("metadata is not that of a read."));
		return SERVICE_UNUSABLE;
	}
	if (!store_get(&store, &meta.read.served, &bytes) ||
	    !find_view(arena, bytes, &meta.read, &view)) {
		response_error(out, request->id, "object_missing",
		    missing_line(arena, &meta.read));
		return SERVICE_FAILED;
	}
	shown = host->excerpt(arena, &view, SPAN(""));
	response_expand(out, request->id, excerpt_text(arena, &shown));
	return SERVICE_OK;
}
