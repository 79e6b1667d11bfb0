#include "wire/session_file.h"

#include <stdint.h>

#include "base/slurp.h"
#include "wire/json.h"

#define SESSION_MAX ((size_t)2 * 1024 * 1024 * 1024)

bool
session_file_load(struct arena *arena, struct span path, struct span *bytes)
{
	int fd = slurp_open(arena_cstr(arena, path));
	enum slurp got;

	if (fd < 0)
		return false;
	arena_own_fd(arena, fd);
	got = slurp(arena, fd, SESSION_MAX, bytes);
	arena_close_fd(arena, fd);
	return got == SLURP_OK;
}

/* The next line that is not blank. */
bool
session_next_line(struct session_lines *lines, struct span *line)
{
	while (lines->p < lines->end) {
		size_t left = (size_t)(lines->end - lines->p);
		const char *lf = memchr(lines->p, '\n', left);
		const char *from = lines->p;

		lines->p = lf != NULL ? lf + 1 : lines->end;
		*line = (struct span){from,
		    (size_t)((lf != NULL ? lf : lines->end) - from)};
		*line = json_trim(*line);
		if (line->n > 0)
			return true;
	}
	return false;
}

static bool
is_header(struct arena *arena, struct span line)
{
	struct json_field f[] = {{.name = SPAN("type")}, {.name = SPAN("id")}};
	struct json_doc doc = json_doc(arena);
	struct json_text type;

	json_pick(&doc, line, f, 2);
	return json_text(arena, f[0].value, &type) &&
	    span_eq(type.text, SPAN("session")) &&
	    json_kind(f[1].value) == JSON_STRING;
}

struct session_lines
session_lines(struct arena *arena, struct span bytes)
{
	struct session_lines lines = {bytes.p, bytes.p + bytes.n, false};
	struct span line;

	while (session_next_line(&lines, &line)) {
		if (!json_valid(arena, line))
			continue;
		lines.has_header = is_header(arena, line);
		break;
	}
	if (!lines.has_header)
		lines.p = lines.end;
	return lines;
}

bool
session_last_line(struct arena *arena, struct span bytes, struct span *line)
{
	while (bytes.n > 0) {
		const char *lf = memrchr(bytes.p, '\n', bytes.n);
		size_t from = lf != NULL ? (size_t)(lf - bytes.p) + 1 : 0;

		*line = json_trim(span_from(bytes, from));
		bytes.n = from > 0 ? from - 1 : 0;
		/* As pi decodes it, a broken character is no broken line. */
		if (line->n > 0 && json_syntax(arena, *line))
			return json_valid(arena, *line);
	}
	return false;
}
