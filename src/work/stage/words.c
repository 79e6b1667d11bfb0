#include "work/stage/words.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"

/* What posix_spawnp uses if PATH is not set. */
#define PATH_DEFAULT "/bin:/usr/bin"

static struct span
below(struct arena *arena, struct span dir, struct span name)
{
	struct buf path = buf_new(arena, dir.n + name.n + 2);

	if (name.p[0] != '/') {
		buf_add(&path, dir);
		buf_char(&path, '/');
	}
	buf_add(&path, name);
	return buf_span(&path);
}

static bool
is_file(struct arena *arena, struct span path)
{
	struct stat st;

	return stat(arena_cstr(arena, path), &st) == 0 && S_ISREG(st.st_mode);
}

/* Is PATH, which ends with a NUL that is not counted, a program? */
static bool
can_run(const struct buf *path)
{
	struct stat st;

	return stat(path->p, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path->p, X_OK) == 0;
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

struct span
words_program(struct arena *arena, struct span cwd, struct span word)
{
	const char *set = getenv("PATH");
	struct span dirs = span_str(set != NULL ? set : PATH_DEFAULT);
	struct buf path;

	if (word.n == 0 || !utf8_valid(word))
		return SPAN("");
	if (span_has(word, '/')) {
		struct span named = below(arena, cwd, word);

		return is_file(arena, named) ? named : SPAN("");
	}
	/*
	 * One buffer for all: there may be many directories, and this is
	 * called often.
	 */
	path = buf_new(arena, cwd.n + word.n + 64);
	for (bool more = true; more;) {
		const char *colon = memchr(dirs.p, ':', dirs.n);
		size_t n = colon != NULL ? (size_t)(colon - dirs.p) : dirs.n;
		struct span dir = {dirs.p, n};

		more = colon != NULL;
		dirs = span_from(dirs, more ? n + 1 : n);
		/* An empty entry is the command's own directory. */
		set_path(&path, cwd, dir, word);
		if (can_run(&path))
			return buf_span(&path);
	}
	return SPAN("");
}

bool
words_may_name(struct span word)
{
	return word.n > 0 && word.p[0] != '-' && word.n < 4096 &&
	       !span_has(word, '\n') && utf8_valid(word);
}

struct span
words_file(struct arena *arena, struct span cwd, struct span word)
{
	struct span path;

	if (!words_may_name(word))
		return SPAN("");
	path = below(arena, cwd, word);
	return is_file(arena, path) ? path : SPAN("");
}
