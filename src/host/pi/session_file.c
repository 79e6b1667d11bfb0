#include "host/pi/session_file.h"

#include "base/slurp.h"
#include "json/tree.h"

#define HEADER_FIRST ((size_t)1024)
/* A longer header is not from pi, and is not read to its end. */
#define HEADER_MAX ((uint64_t)1024 * 1024)

/* The path in VALUE; empty if it is not a possible path. */
static struct span
path_of(struct arena *arena, struct span value)
{
	struct json_text text;

	return json_text(arena, value, &text) && !text.lone &&
		       !span_has(text.text, '\0')
		   ? text.text
		   : SPAN("");
}

bool
session_header(
    const struct json_doc *doc, struct span line, struct session_header *header)
{
	enum { TYPE, ID, VERSION, CWD, PARENT, BRANCHED, COUNT };
	struct json_field f[COUNT] = {
	    [TYPE] = {.name = SPAN("type")},
	    [ID] = {.name = SPAN("id")},
	    [VERSION] = {.name = SPAN("version")},
	    [CWD] = {.name = SPAN("cwd")},
	    [PARENT] = {.name = SPAN("parentSession")},
	    [BRANCHED] = {.name = SPAN("branchedFrom")}, /* version 1 */
	};
	struct json_text type;

	json_pick(doc, line, f, COUNT);
	if (!json_text(doc->arena, f[TYPE].value, &type) ||
	    !span_eq(type.text, SPAN("session")) ||
	    json_kind(f[ID].value) != JSON_STRING)
		return false;
	*header = (struct session_header){
	    .cwd = path_of(doc->arena, f[CWD].value),
	    .parent = path_of(doc->arena, f[PARENT].value),
	};
	if (header->parent.n == 0)
		header->parent = path_of(doc->arena, f[BRANCHED].value);
	if (!tree_is_number(doc->arena, f[VERSION].value, &header->version))
		header->version = 1;
	return true;
}

static bool
pass_header(struct session_file *file)
{
	uint64_t size = (uint64_t)file->st.st_size;
	uint64_t end = size < HEADER_MAX ? size : HEADER_MAX;
	struct reader lines =
	    reader_from_start(file->arena, file->fd, 0, end, HEADER_FIRST);
	struct json_doc doc = json_doc(file->arena);
	struct session_header header;
	struct session_place place;
	struct span line;

	while (reader_next(&lines, &line, &place)) {
		if (lines.unfinished && end < size)
			return false;
		/*
		 * As for the host, a broken character does not break the line.
		 */
		if (!json_syntax(file->arena, line))
			continue;
		if (!session_header(&doc, line, &header))
			return false;
		file->first = lines.at;
		file->cwd = header.cwd;
		file->parent = header.parent;
		return true;
	}
	return false;
}

bool
session_file_open(
    struct arena *arena, struct span path, struct session_file *file)
{
	*file = (struct session_file){.arena = arena};
	file->fd = slurp_open(arena_cstr(arena, path));
	if (file->fd < 0)
		return false;
	arena_own_fd(arena, file->fd);
	return fstat(file->fd, &file->st) == 0 && S_ISREG(file->st.st_mode) &&
	       pass_header(file);
}
