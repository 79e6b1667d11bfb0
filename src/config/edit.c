#include "config/edit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/slurp.h"
#include "base/write_all.h"
#include "os/open.h"
#include "json/emit.h"
#include "json/json.h"

#define FILE_MAX ((size_t)64 * 1024)

/* ---- the text ---- */

static void
add_member(struct buf *out, struct span name, struct span value)
{
	buf_str(out, out->n > 1 ? ",\n  " : "\n  ");
	emit_string(out, name);
	buf_str(out, ": ");
	buf_add(out, value);
}

static struct span
quoted(struct arena *arena, struct span text)
{
	struct buf out = buf_new(arena, text.n + 2);

	emit_string(&out, text);
	return buf_span(&out);
}

const struct span *
config_edit_text(
    struct arena *arena, struct span text, const char *name, struct span value)
{
	struct span *edited = arena_array(arena, 1, sizeof(*edited));
	struct buf out = buf_new(arena, text.n + value.n + 64);
	struct json_items members;
	struct span member, old;
	struct json_doc doc;

	if (!json_judge(arena, text, &doc) ||
	    json_kind(json_trim(text)) != JSON_OBJECT)
		return NULL;
	buf_char(&out, '{');
	members = json_members(&doc, json_trim(text));
	while (json_member(&members, &member, &old))
		if (!span_eq(member, span_str(name)))
			add_member(&out, member, old);
	if (value.p != NULL)
		add_member(&out, span_str(name), quoted(arena, value));
	buf_str(&out, "\n}\n");
	*edited = buf_span(&out);
	return edited;
}

/* ---- the file ---- */

/* Make the directories above PATH. */
static void
make_parents(struct arena *arena, struct span path)
{
	for (size_t i = 1; i < path.n; i++)
		if (path.p[i] == '/')
			(void)mkdir(
			    arena_cstr(arena, (struct span){path.p, i}), 0700);
}

/* The real path of PATH; PATH itself if it does not exist. */
static struct span
real_path(struct arena *arena, struct span path)
{
	char *real = arena_alloc(arena, PATH_MAX);

	return realpath(arena_cstr(arena, path), real) != NULL ? span_str(real)
							       : path;
}

/* Write a new file next to PATH, then rename it to PATH. */
static bool
replace(struct arena *arena, struct span path, struct span text, mode_t mode)
{
	struct buf beside = buf_new(arena, path.n + 16);
	char *temp;
	int fd;
	bool done;

	buf_add(&beside, path);
	buf_str(&beside, ".XXXXXX");
	temp = arena_cstr(arena, buf_span(&beside));
	fd = open_temporary(temp);
	if (fd < 0)
		return false;
	done = fchmod(fd, mode) == 0 && write_all(fd, text);
	done = close(fd) == 0 && done;
	if (done && rename(temp, arena_cstr(arena, path)) == 0)
		return true;
	(void)unlink(temp);
	return false;
}

const char *
config_edit(
    struct arena *arena, struct span path, const char *name, struct span value)
{
	struct span text = SPAN("{}"), real = real_path(arena, path);
	const struct span *edited;
	struct stat st = {.st_mode = 0600};
	int fd = slurp_open(arena_cstr(arena, real));

	if (fd < 0 && errno != ENOENT)
		return errno != 0 ? strerror(errno) : "it is not a regular file.";
	if (fd >= 0) {
		bool read = fstat(fd, &st) == 0 &&
			    slurp(arena, fd, FILE_MAX, &text) == SLURP_OK;

		(void)close(fd);
		if (!read)
			return "it cannot be read.";
	}
	edited = config_edit_text(arena, text, name, value);
	if (edited == NULL)
		return "it is no JSON object; mend it first.";
	make_parents(arena, real);
	if (!replace(arena, real, *edited, st.st_mode & 0777))
		return strerror(errno);
	return NULL;
}
