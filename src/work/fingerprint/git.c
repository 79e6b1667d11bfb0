#include "work/fingerprint/git.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/lines.h"
#include "base/slurp.h"
#include "os/bytes.h"
#include "path/name.h"
#include "work/exec/exec.h"

enum { LINKS_MAX = 5, SHA1_HEX = 40, GIT_MS = 5000 };

#define SMALL_FILE ((size_t)64 * 1024)
#define PACKED_FILE ((size_t)256 * 1024 * 1024)

struct repository {
	struct arena *arena;
	struct still *still;
	struct span dir;    /* of this worktree; it has HEAD */
	struct span common; /* of all worktrees; it has the refs */
	bool in_doubt;	    /* a file of it is there and was not read */
};

/* Read the file DIR/NAME, without spaces and line ends at its end. */
static bool
read_file(struct arena *arena, struct span dir, struct span name, size_t max,
    struct span *text)
{
	int fd = slurp_open(arena_cstr(arena, name_from(arena, dir, name)));
	bool read;

	if (fd < 0)
		return false;
	arena_own_fd(arena, fd);
	read = slurp(arena, fd, max, text) == SLURP_OK;
	arena_close_fd(arena, fd);
	if (!read)
		errno = EIO; /* it is there, but too large or damaged */
	while (read && text->n > 0 &&
	       (text->p[text->n - 1] == '\n' || text->p[text->n - 1] == ' '))
		text->n--;
	return read;
}

/* Read the file as read_file does, and note that it was asked for. */
static bool
read_noted(struct repository *repo, struct span dir, struct span name,
    size_t max, struct span *text)
{
	still_path(repo->still, dir, name);
	if (read_file(repo->arena, dir, name, max, text))
		return true;
	/* No regular file: a directory refs/heads/x is not a ref x. */
	if (errno != ENOENT && errno != ENOTDIR && errno != 0)
		repo->in_doubt = true;
	return false;
}

/* May DIR/NAME exist?  False only if it certainly does not. */
static bool
may_exist(struct arena *arena, struct span dir, struct span name)
{
	struct stat st;

	return stat(arena_cstr(arena, name_from(arena, dir, name)), &st) == 0 ||
	       (errno != ENOENT && errno != ENOTDIR);
}

/* ---- the repository ---- */

/*
 * Open ".git" in DIR: a directory, or a file that says where the directory is.
 */
static bool
open_here(struct repository *repo, struct span dir)
{
	struct arena *arena = repo->arena;
	struct span text;
	struct stat st;

	repo->dir = name_from(arena, dir, SPAN(".git"));
	still_path(repo->still, dir, SPAN(".git"));
	if (stat(arena_cstr(arena, repo->dir), &st) != 0)
		return false;
	if (S_ISREG(st.st_mode)) {
		if (!read_file(arena, dir, SPAN(".git"), SMALL_FILE, &text) ||
		    !span_starts(text, SPAN("gitdir: ")))
			return false;
		repo->dir = name_from(arena, dir, span_from(text, 8));
	}
	repo->common = repo->dir;
	if (read_noted(repo, repo->dir, SPAN("commondir"), SMALL_FILE, &text))
		repo->common = name_from(arena, repo->dir, text);
	return true;
}

/* A bare repository has no ".git".  Git itself is asked about those. */
static bool
looks_bare(struct arena *arena, struct span dir)
{
	return may_exist(arena, dir, SPAN("HEAD")) &&
	       may_exist(arena, dir, SPAN("objects")) &&
	       may_exist(arena, dir, SPAN("refs"));
}

static enum git_found
find_repository(struct repository *repo, struct span cwd)
{
	struct span dir = cwd;

	if (getenv("GIT_DIR") != NULL)
		return GIT_UNKNOWN;
	for (;;) {
		const char *slash;

		if (open_here(repo, dir))
			return GIT_FOUND;
		if (may_exist(repo->arena, dir, SPAN(".git")) ||
		    looks_bare(repo->arena, dir))
			return GIT_UNKNOWN;
		slash = bytes_last(dir.p, '/', dir.n);
		if (slash == NULL || dir.n <= 1)
			return GIT_NO_REPOSITORY;
		dir.n = slash == dir.p ? 1 : (size_t)(slash - dir.p);
	}
}

/* ---- refs ---- */

static bool
is_object_name(struct span text)
{
	return digest_is_hex(text, SHA1_HEX) || digest_is_hex(text, DIGEST_HEX);
}

/* Does REF belong to one worktree only? */
static bool
is_own(struct span ref)
{
	return !span_starts(ref, SPAN("refs/")) ||
	       span_starts(ref, SPAN("refs/bisect/")) ||
	       span_starts(ref, SPAN("refs/worktree/")) ||
	       span_starts(ref, SPAN("refs/rewritten/"));
}

/* Find REF in packed-refs, whose lines are "<name> <ref>". */
static bool
find_packed(struct repository *repo, struct span ref, struct span *name)
{
	struct span text;

	if (!read_noted(
		repo, repo->common, SPAN("packed-refs"), PACKED_FILE, &text))
		return false;
	while (text.n > 0) {
		struct span line = lines_take(&text);
		const char *blank = memchr(line.p, ' ', line.n);

		if (blank == NULL || line.p[0] == '#' ||
		    !span_eq(
			span_from(line, (size_t)(blank - line.p) + 1), ref))
			continue;
		*name = (struct span){line.p, (size_t)(blank - line.p)};
		return is_object_name(*name);
	}
	return false;
}

/* Find the ref of exactly this name.  Symbolic refs are followed. */
static bool
find_exact(struct repository *repo, struct span ref, struct span *name)
{
	for (int i = 0; i < LINKS_MAX; i++) {
		struct span dir = is_own(ref) ? repo->dir : repo->common;

		if (!read_noted(repo, dir, ref, SMALL_FILE, name))
			return find_packed(repo, ref, name);
		if (is_object_name(*name))
			return true;
		if (!span_starts(*name, SPAN("ref: ")))
			return false;
		ref = span_from(*name, 5);
	}
	return false;
}

/* Is REF a name that means nothing else in git's syntax? */
static bool
is_plain(struct span ref)
{
	for (size_t i = 0; i < ref.n; i++) {
		char c = ref.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '/' || c == '_' ||
			c == '.' || c == '-'))
			return false;
	}
	return ref.n > 0 && ref.p[0] != '/' &&
	       bytes_find(ref.p, ref.n, "..", 2) == NULL;
}

/* Find REF at the places where git looks for it, in git's order. */
static bool
find_ref(struct repository *repo, struct span ref, struct span *name)
{
	static const char before[][16] = {
	    "", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"};

	if (!is_plain(ref))
		return false;
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		struct buf full = buf_new(repo->arena, ref.n + 16);

		buf_str(&full, before[i]);
		buf_add(&full, ref);
		/* Files such as "config" or "index" are not refs. */
		if (i == 0 && !span_eq(ref, SPAN("HEAD")) &&
		    !span_starts(ref, SPAN("refs/")))
			continue;
		if (find_exact(repo, buf_span(&full), name))
			return true;
	}
	return false;
}

/* ---- git itself ---- */

/*
 * The repository may be hostile, and its settings may name programs.  If a
 * commit is missing, git would fetch it from a remote by such a program.  So
 * fetching is turned off, and for versions of git that cannot do that, no
 * protocol is allowed.  Neither is fsmonitor run when the index is read.
 * Other such settings (hooks, pagers, filters) are for commands that we do not
 * use.
 */
#define GIT SPAN("git"), SPAN("-c"), SPAN("core.fsmonitor=false")

static const char *const harmless[] = {"GIT_NO_LAZY_FETCH=1",
    "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
    NULL};

/*
 * Run git with ARGV in CWD.  What it prints is in *SAID.  False if it failed.
 */
static bool
ask(struct arena *arena, struct span cwd, struct span *argv, size_t argc,
    struct span *said)
{
	struct exec_command command = {.argv = argv,
	    .argc = argc,
	    .cwd = cwd,
	    .variables = harmless,
	    .input = SPAN(""),
	    .echo = EXEC_QUIET};
	int failure;
	struct exec_child *child = exec_start(arena, &command, &failure);

	if (child == NULL)
		return false;
	if (exec_wait(&child, 1, GIT_MS) == NULL) {
		exec_stop(child);
		(void)exec_wait(&child, 1, GIT_MS);
		return false;
	}
	/* Its output means something only if it succeeded. */
	if (exec_status(child) != 0)
		return false;
	*said = buf_span(&exec_said(child)->text[SAID_OUT]);
	while (said->n > 0 && said->p[said->n - 1] == '\n')
		said->n--;
	return true;
}

static enum git_found
ask_git(
    struct arena *arena, struct span cwd, struct span ref, struct span *name)
{
	struct span argv[] = {GIT, SPAN("rev-parse"), SPAN("--verify"),
	    SPAN("--quiet"), SPAN("--end-of-options"), ref};

	return ask(arena, cwd, argv, sizeof(argv) / sizeof(argv[0]), name) &&
		       is_object_name(*name)
		   ? GIT_FOUND
		   : GIT_UNKNOWN;
}

bool
git_ref_valid(struct span ref)
{
	return ref.n > 0 && ref.p[0] != '-' && !span_has(ref, '\0') &&
	       !span_has(ref, '\n');
}

/*
 * Note the files that git's answer to REF, such as HEAD~1 or v1.0^{}, depends
 * on.
 */
static void
note_base(struct repository *repo, struct span ref)
{
	struct span ignored;
	size_t n = 0;

	while (n < ref.n && strchr("~^@:{", ref.p[n]) == NULL)
		n++;
	(void)find_exact(repo, SPAN("HEAD"), &ignored);
	(void)find_ref(repo, (struct span){ref.p, n}, &ignored);
}

enum git_found
git_resolve(struct arena *arena, struct span cwd, struct span ref,
    struct still *still, struct span *name)
{
	struct repository repo = {.arena = arena, .still = still};
	enum git_found found = find_repository(&repo, cwd);

	if (found == GIT_NO_REPOSITORY || !git_ref_valid(ref))
		return found == GIT_NO_REPOSITORY ? found : GIT_UNKNOWN;
	if (found == GIT_FOUND && find_ref(&repo, ref, name) && !repo.in_doubt)
		return GIT_FOUND;
	if (found == GIT_FOUND && still != NULL)
		note_base(&repo, ref);
	return ask_git(arena, cwd, ref, name);
}

bool
git_first(struct arena *arena, struct span root, struct span *name)
{
	struct repository repo = {.arena = arena};
	struct span head;
	struct span argv[] = {GIT, SPAN("rev-list"), SPAN("--first-parent"),
	    SPAN("--max-parents=0"), SPAN("")};

	/*
	 * If .git is not a valid repository, git would go on and answer for
	 * one further up.  That one does not know this HEAD, so asking for it
	 * fails.
	 */
	if (getenv("GIT_DIR") != NULL || !open_here(&repo, root) ||
	    !find_exact(&repo, SPAN("HEAD"), &head))
		return false;
	argv[sizeof(argv) / sizeof(argv[0]) - 1] = head;
	return ask(arena, root, argv, sizeof(argv) / sizeof(argv[0]), name) &&
	       is_object_name(*name);
}
