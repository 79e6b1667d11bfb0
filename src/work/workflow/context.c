#include "work/workflow/context.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/slurp.h"
#include "path/name.h"
#include "json/emit.h"
#include "work/fingerprint/glob.h"

/* Of all files together. */
#define CONTEXT_MAX ((size_t)64 * 1024 * 1024)

struct span
context_fingerprint(struct arena *arena, struct span pattern)
{
	struct buf spec = buf_new(arena, pattern.n + 8);

	buf_str(&spec, "glob!:");
	buf_add(&spec, pattern);
	return buf_span(&spec);
}

static bool
fail(struct resolver *r, struct span path, const char *why)
{
	struct buf sentence = buf_new(r->arena, 128);

	buf_str(&sentence, "its context: ");
	buf_add(&sentence, path);
	buf_str(&sentence, why);
	r->why = arena_cstr(r->arena, buf_span(&sentence));
	return false;
}

static int
open_match(struct resolver *r, struct span path)
{
	return slurp_open(
	    arena_cstr(r->arena, name_from(r->arena, r->root, path)));
}

static bool
add_file(struct resolver *r, struct span path, struct buf *out)
{
	int fd = open_match(r, path);
	enum slurp got = SLURP_FAILED;
	struct span text;

	if (fd >= 0) {
		got = slurp(r->arena, fd, CONTEXT_MAX, &text);
		(void)close(fd);
	}
	if (got == SLURP_TOO_LARGE ||
	    (got == SLURP_OK && out->n + text.n > CONTEXT_MAX))
		return fail(r, path, " makes it larger than 64 MiB.");
	if (got != SLURP_OK)
		return fail(r, path, " cannot be read.");
	buf_str(out, out->n > 1 ? "," : "");
	buf_char(out, '{');
	emit_bytes_member(out, "path", "path_base64", path);
	emit_bytes_member(out, "text", "base64", text);
	buf_char(out, '}');
	return true;
}

bool
context_write(struct resolver *r, struct buf *out)
{
	struct map *given = map_new(r->arena, 64);
	struct buf list = buf_new(r->arena, 1024);
	struct glob_list found;
	const char *why;

	buf_char(&list, '[');
	for (size_t i = 0; i < r->node->context.n; i++) {
		struct span pattern = r->node->context.at[i];

		why = glob_find(r->arena, r->root, pattern, NULL, &found);
		if (why != NULL)
			return fail(r, pattern, " cannot be told.");
		for (size_t k = 0; k < found.n; k++)
			if (S_ISREG(found.items[k].st.st_mode) &&
			    (*map_at(given, found.items[k].path, 0))++ == 0 &&
			    !add_file(r, found.items[k].path, &list))
				return false;
	}
	buf_char(&list, ']');
	buf_add(out, buf_span(&list));
	return true;
}
