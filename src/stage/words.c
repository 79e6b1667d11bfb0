#include "stage/words.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"

/* What posix_spawnp takes if there is no PATH. */
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

static bool
can_run(struct arena *arena, struct span path)
{
	return is_file(arena, path) &&
	       access(arena_cstr(arena, path), X_OK) == 0;
}

struct span
words_program(struct arena *arena, struct span cwd, struct span word)
{
	const char *set = getenv("PATH");
	struct span dirs = span_str(set != NULL ? set : PATH_DEFAULT);

	if (word.n == 0 || !utf8_valid(word))
		return SPAN("");
	if (span_has(word, '/')) {
		struct span path = below(arena, cwd, word);

		return is_file(arena, path) ? path : SPAN("");
	}
	for (bool more = true; more;) {
		const char *colon = memchr(dirs.p, ':', dirs.n);
		size_t n = colon != NULL ? (size_t)(colon - dirs.p) : dirs.n;
		struct span dir = {dirs.p, n}, path;

		more = colon != NULL;
		dirs = span_from(dirs, more ? n + 1 : n);
		/* An empty one is the command's own directory. */
		dir = dir.n > 0 ? below(arena, cwd, dir) : cwd;
		path = below(arena, dir, word);
		if (can_run(arena, path))
			return path;
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
