#include "work/stage/words.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "path/name.h"

/* What posix_spawnp uses if PATH is not set. */
#define PATH_DEFAULT "/bin:/usr/bin"

/*
 * A look at PATH failed.  Was it because nothing is there?  Other users, and
 * the command itself if it changes its user, may see what we may not.
 */
static enum word_found
why_not(struct span path)
{
	if (errno == ENOENT || errno == ENOTDIR)
		return WORD_NONE;
	/*
	 * No file has a name with such a long component.  But if the whole
	 * is too long, a command in that directory can still open it.
	 */
	return errno == ENAMETOOLONG && path.n < PATH_MAX ? WORD_NONE
							  : WORD_UNKNOWN;
}

static enum word_found
look(struct arena *arena, struct span path)
{
	struct stat st;

	if (stat(arena_cstr(arena, path), &st) != 0)
		return why_not(path);
	return S_ISREG(st.st_mode) ? WORD_FILE : WORD_NONE;
}

static enum word_found
found(enum word_found what, struct span where, struct span *path)
{
	*path = what == WORD_NONE ? SPAN("") : where;
	return what;
}

/*
 * Is PATH, which ends with a NUL that is not counted, a program?  What we may
 * not look at the system will not start for us.
 */
static enum word_found
can_run(const struct buf *path)
{
	struct stat st;

	if (stat(path->p, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			return WORD_NONE;
		if (access(path->p, X_OK) == 0)
			return WORD_FILE;
	}
	return errno == EACCES ? WORD_NONE : why_not(buf_span(path));
}

/*
 * Set PATH to WORD in DIR, a directory of $PATH, which may be relative to CWD.
 */
static void
set_path(struct buf *path, struct span cwd, struct span dir, struct span word)
{
	path->n = 0;
	if (dir.n == 0 || dir.p[0] != '/') {
		buf_add(path, cwd);
		buf_char(path, '/');
	}
	if (dir.n > 0) {
		buf_add(path, dir);
		buf_char(path, '/');
	}
	buf_add(path, word);
	buf_char(path, '\0');
	path->n--;
}

/* The next directory of *DIRS, a value of PATH.  False if it was the last. */
static bool
next_dir(struct span *dirs, struct span *dir)
{
	const char *colon = memchr(dirs->p, ':', dirs->n);
	size_t n = colon != NULL ? (size_t)(colon - dirs->p) : dirs->n;

	*dir = (struct span){dirs->p, n};
	*dirs = span_from(*dirs, colon != NULL ? n + 1 : n);
	return colon != NULL;
}

static struct span
path_dirs(void)
{
	const char *set = getenv("PATH");

	return span_str(set != NULL ? set : PATH_DEFAULT);
}

enum word_found
words_program(
    struct arena *arena, struct span cwd, struct span word, struct span *path)
{
	struct span dirs = path_dirs(), dir;
	enum word_found what = WORD_NONE;
	struct buf place;

	if (word.n == 0 || !utf8_valid(word))
		return found(WORD_NONE, word, path);
	if (span_has(word, '/')) {
		struct span named = name_from(arena, cwd, word);

		return found(look(arena, named), named, path);
	}
	/*
	 * One buffer for all: there may be many directories, and this is
	 * called often.
	 */
	place = buf_new(arena, cwd.n + word.n + 64);
	for (bool more = true; more && what == WORD_NONE;) {
		more = next_dir(&dirs, &dir);
		/* An empty entry is the command's own directory. */
		set_path(&place, cwd, dir, word);
		what = can_run(&place);
	}
	return found(what, buf_span(&place), path);
}

bool
words_has_rival(
    struct arena *arena, struct span cwd, struct span word, struct span path)
{
	struct span dirs = path_dirs(), dir;
	struct buf place = buf_new(arena, cwd.n + word.n + 64);
	struct stat st;

	if (span_has(word, '/'))
		return false;
	for (bool more = true; more;) {
		more = next_dir(&dirs, &dir);
		set_path(&place, cwd, dir, word);
		if (span_eq(buf_span(&place), path))
			return false;
		if (lstat(place.p, &st) == 0 ||
		    (errno != EACCES && why_not(buf_span(&place)) != WORD_NONE))
			return true;
	}
	return true;
}

bool
words_may_name(struct span word)
{
	return word.n > 0 && word.p[0] != '-' && word.n < 4096 &&
	       !span_has(word, '\n') && utf8_valid(word);
}

enum word_found
words_file(
    struct arena *arena, struct span cwd, struct span word, struct span *path)
{
	struct span named;

	if (!words_may_name(word))
		return found(WORD_NONE, word, path);
	named = name_from(arena, cwd, word);
	return found(look(arena, named), named, path);
}
