#include "work/workflow/source.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/folder.h"
#include "base/slurp.h"

#define FILE_MAX ((size_t)64 * 1024 * 1024)

static bool
is_file(struct span name)
{
	return span_has(name, '/') ||
	       (name.n >= 5 &&
		   span_eq(span_from(name, name.n - 5), SPAN(".json")));
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool
source_name_ok(struct span name)
{
	if (name.n == 0 || name.n > 100 || name.p[0] == '.' ||
	    name.p[0] == '-' || is_file(name))
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!is_name_char(name.p[i]))
			return false;
	return true;
}

struct span
source_saved_path(struct arena *arena, struct span root, struct span name)
{
	struct buf path = buf_new(arena, root.n + name.n + 24);

	buf_add(&path, root);
	buf_str(&path, FOLDER_FLOWS);
	buf_add(&path, name);
	buf_str(&path, ".json");
	return buf_span(&path);
}

/*
 * The directory for the locks of PATH's stages: its name in the project, so
 * that locks that are kept in git are found on another machine.
 */
static struct span
stages_of(struct arena *arena, struct span root, struct span path)
{
	struct buf name = buf_new(arena, path.n);

	if (span_starts(path, root) && path.n > root.n && path.p[root.n] == '/')
		path = span_from(path, root.n + 1);
	if (path.n > 5 && span_eq(span_from(path, path.n - 5), SPAN(".json")))
		path.n -= 5;
	/* No dots, as ".." would be refused as a way out of the directory. */
	for (size_t i = 0; i < path.n; i++)
		buf_char(&name, path.p[i] == '/' ? '@'
				: is_name_char(path.p[i]) && path.p[i] != '.'
				    ? path.p[i]
				    : '_');
	/* The end of a long name says more than its beginning. */
	return name.n <= 150 ? buf_span(&name)
			     : span_from(buf_span(&name), name.n - 150);
}

static const char *
why_not(struct arena *arena, const struct source *source, const char *reason)
{
	struct buf sentence = buf_new(arena, 128);

	buf_add(&sentence, source->shown);
	buf_str(&sentence, ": ");
	buf_str(&sentence, reason);
	if (source->saved && errno == ENOENT)
		buf_str(&sentence,
		    ": there is no saved workflow of that name; a file is "
		    "named with a slash or .json, as in ./flow.json");
	buf_char(&sentence, '.');
	return arena_cstr(arena, buf_span(&sentence));
}

static const char *
read_text(struct arena *arena, struct source *source, const char *path)
{
	int fd = slurp_open(path);
	enum slurp got;

	if (fd < 0)
		return why_not(arena, source,
		    errno != 0 ? strerror(errno) : "it is not a regular file");
	got = slurp(arena, fd, FILE_MAX, &source->text);
	(void)close(fd);
	if (got == SLURP_FAILED)
		return why_not(arena, source, strerror(errno));
	if (got != SLURP_OK)
		return why_not(arena, source,
		    "it is larger than a workflow may be (64 MiB)");
	source->hash = digest_of(source->text);
	return NULL;
}

const char *
source_load(struct arena *arena, struct span root, struct span name,
    struct source *source)
{
	char *real = arena_alloc(arena, PATH_MAX);
	struct span path = name;
	const char *why;

	*source =
	    (struct source){.shown = name, .saved = !is_file(name)};
	if (source->saved) {
		if (!source_name_ok(name))
			return why_not(arena, source,
			    "this can be neither a file (they have a slash "
			    "or end with .json) nor a saved workflow");
		path = source_saved_path(arena, root, name);
	}
	if (realpath(arena_cstr(arena, path), real) == NULL)
		return why_not(arena, source, strerror(errno));
	source->path = span_str(real);
	why = read_text(arena, source, real);
	source->stages = stages_of(arena, root, source->path);
	return why;
}
