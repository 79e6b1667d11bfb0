#include "finger/witness.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/slurp.h"
#include "finger/glob.h"

#define LINK_MAX_BYTES 4096

static const char *
absolute(struct arena *arena, struct span cwd, struct span path)
{
	struct buf full = buf_new(arena, cwd.n + path.n + 2);

	if (path.n == 0 || path.p[0] != '/') {
		buf_add(&full, cwd);
		buf_char(&full, '/');
	}
	buf_add(&full, path);
	return arena_cstr(arena, buf_span(&full));
}

static void
add_facts(struct key *key, const struct stat *st)
{
	key_add_number(key, "device", (uint64_t)st->st_dev);
	key_add_number(key, "inode", (uint64_t)st->st_ino);
	/* What is in a directory comes and goes. */
	if (S_ISDIR(st->st_mode))
		return;
	key_add_number(key, "size", (uint64_t)st->st_size);
	key_add_number(key, "modified", (uint64_t)st->st_mtim.tv_sec);
	key_add_number(key, "modified ns", (uint64_t)st->st_mtim.tv_nsec);
	key_add_number(key, "changed", (uint64_t)st->st_ctim.tv_sec);
	key_add_number(key, "changed ns", (uint64_t)st->st_ctim.tv_nsec);
}

void
witness_file(
    struct key *key, struct arena *scratch, struct span cwd, struct span path)
{
	const char *name = absolute(scratch, cwd, path);
	struct stat st;

	if (fstatat(AT_FDCWD, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		key_add(key, "absent", SPAN(""));
		return;
	}
	add_facts(key, &st);
	if (S_ISLNK(st.st_mode) && fstatat(AT_FDCWD, name, &st, 0) == 0)
		add_facts(key, &st);
}

static void
add_matches(struct key *key, struct arena *scratch, struct span cwd,
    struct span pattern)
{
	struct glob_list list;

	if (glob_find(scratch, cwd, pattern, &list) != NULL)
		return;
	for (size_t i = 0; i < list.n; i++) {
		key_add(key, "path", list.items[i].path);
		add_facts(key, &list.items[i].st);
	}
}

/* ---- git ---- */

/* "gitdir: PATH", as a worktree has it instead of a directory. */
static struct span
read_gitdir(struct arena *scratch, const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct span text = SPAN("");

	if (fd < 0)
		return text;
	if (slurp(scratch, fd, LINK_MAX_BYTES, &text) != SLURP_OK ||
	    !span_starts(text, SPAN("gitdir: ")))
		text = SPAN("");
	(void)close(fd);
	if (text.n > 0)
		text = span_from(text, 8);
	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	return text;
}

/* The directory of the repository around CWD; empty if there is none. */
static struct span
git_directory(struct arena *scratch, struct span cwd)
{
	for (;;) {
		const char *name = absolute(scratch, cwd, SPAN(".git"));
		const char *slash;
		struct stat st;

		if (fstatat(AT_FDCWD, name, &st, 0) == 0) {
			if (S_ISDIR(st.st_mode))
				return span_str(name);
			return span_str(absolute(
			    scratch, cwd, read_gitdir(scratch, name)));
		}
		slash = memrchr(cwd.p, '/', cwd.n);
		if (slash == NULL || cwd.n <= 1)
			return SPAN("");
		cwd.n = slash > cwd.p ? (size_t)(slash - cwd.p) : 1;
	}
}

static void
add_git(
    struct key *key, struct arena *scratch, struct span cwd, struct span ref)
{
	static const char before[][16] = {
	    "", "logs/", "refs/heads/", "logs/refs/heads/", "refs/tags/"};
	struct span dir = git_directory(scratch, cwd);

	witness_file(key, scratch, dir, SPAN("HEAD"));
	/* Every way of HEAD is a line in its log. */
	if (span_starts(ref, SPAN("HEAD")) || span_starts(ref, SPAN("@")))
		witness_file(key, scratch, dir, SPAN("logs/HEAD"));
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		struct buf path = buf_new(scratch, ref.n + 20);

		buf_str(&path, before[i]);
		buf_add(&path, ref);
		witness_file(key, scratch, dir, buf_span(&path));
	}
}

void
witness_finger(struct key *key, struct arena *scratch, struct span cwd,
    struct span spec)
{
	const char *colon = memchr(spec.p, ':', spec.n);
	struct span rest =
	    colon != NULL ? span_from(spec, (size_t)(colon + 1 - spec.p))
			  : SPAN("");

	key_add(key, "spec", spec);
	if (span_starts(spec, SPAN("file:")))
		witness_file(key, scratch, cwd, rest);
	else if (span_starts(spec, SPAN("git:")))
		add_git(key, scratch, cwd, rest);
	else if (span_starts(spec, SPAN("glob")))
		add_matches(key, scratch, cwd, rest);
}
