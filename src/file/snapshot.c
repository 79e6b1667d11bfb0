#include "file/snapshot.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/slurp.h"
#include "base/utf8.h"
#include "file/image.h"
#include "file/measure.h"

/* The errors of access(2) that the host reports, in its words. */
static const struct {
	int number;
	const char *code, *words;
} access_errors[] = {
	{ENOENT, "ENOENT", "no such file or directory"},
	{EACCES, "EACCES", "permission denied"},
	{ENOTDIR, "ENOTDIR", "not a directory"},
	{ELOOP, "ELOOP", "too many symbolic links encountered"},
	{ENAMETOOLONG, "ENAMETOOLONG", "name too long"},
};

static enum snapshot_status
delegate(struct snapshot *snap, const char *reason)
{
	snap->reason = reason;
	return SNAPSHOT_DELEGATE;
}

static enum snapshot_status
access_error(struct arena *arena, int number, struct span name,
    struct snapshot *snap)
{
	const size_t n = sizeof(access_errors) / sizeof(access_errors[0]);
	struct buf out;

	for (size_t i = 0; i < n; i++) {
		if (access_errors[i].number != number)
			continue;
		out = buf_new(arena, name.n + 64);
		buf_str(&out, access_errors[i].code);
		buf_str(&out, ": ");
		buf_str(&out, access_errors[i].words);
		buf_str(&out, ", access '");
		buf_add(&out, name);
		buf_char(&out, '\'');
		snap->code = access_errors[i].code;
		snap->message = buf_span(&out);
		return SNAPSHOT_ERROR;
	}
	return delegate(snap, "unreadable");
}

/* What is there is not a regular file. */
static enum snapshot_status
special(struct arena *arena, const char *path, struct span name,
    struct snapshot *snap)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return delegate(snap, "special_file");
	if (access(path, R_OK) != 0)
		return access_error(arena, errno, name, snap);
	snap->code = "EISDIR";
	snap->message = SPAN("EISDIR: illegal operation on a directory, read");
	return SNAPSHOT_ERROR;
}

/*
 * The real path of the open file FD.  Empty if it is not known (the name leads
 * elsewhere by now) or is not UTF-8, which JSON cannot carry.
 */
static struct span
real_path(struct arena *arena, int fd, const char *path)
{
	struct stat opened, found;
	char real[PATH_MAX];
	struct span key;

	/*
	 * Nothing in a real path is a link.  If somebody makes its last name
	 * one meanwhile, the file after it must not pass for that name.
	 */
	if (realpath(path, real) == NULL || fstat(fd, &opened) != 0 ||
	    lstat(real, &found) != 0 || opened.st_dev != found.st_dev ||
	    opened.st_ino != found.st_ino)
		return SPAN("");
	key = span_str(real);
	if (!utf8_valid(key))
		return SPAN("");
	return (struct span){arena_cstr(arena, key), key.n};
}

static void
look(void *what, struct span so_far)
{
	measure_more(what, so_far);
}

enum snapshot_status
snapshot_take(struct arena *arena, struct span name, struct snapshot *snap)
{
	const char *path = arena_cstr(arena, name);
	struct measure measure = MEASURE_NOTHING;
	int fd;

	*snap = (struct snapshot){.key = SPAN("")};
	fd = slurp_open(path);
	if (fd < 0)
		return errno == 0 ? special(arena, path, name, snap)
				  : access_error(arena, errno, name, snap);
	arena_own_fd(arena, fd);
	snap->key = real_path(arena, fd, path);
	switch (slurp_looking(arena, fd, SNAPSHOT_MAX, look, &measure,
	    &snap->bytes)) {
	case SLURP_OK:
		break;
	case SLURP_SPECIAL:
		return delegate(snap, "special_file");
	case SLURP_TOO_LARGE:
		return delegate(snap, "too_large");
	case SLURP_FAILED:
		return delegate(snap, "unreadable");
	}
	if (image_sniff(snap->bytes))
		return delegate(snap, "image");
	measure_end(&measure, snap->bytes);
	if (measure.broken)
		return delegate(snap, "not_utf8");
	snap->lines = measure.lines;
	arena_close_fd(arena, fd);
	return SNAPSHOT_TEXT;
}
