#include "unit_dir.h"

#include "work/fingerprint/git.h"

/* Run a command in DIR below the base; nothing of the user's gets in. */
static void
sh(struct arena *arena, const char *dir, const char *script)
{
	struct buf command = buf_new(arena, 512);

	buf_str(&command, "cd '");
	buf_str(&command, unit_path(arena, dir));
	buf_str(&command,
	    "' && export GIT_CONFIG_NOSYSTEM=1 HOME=/nonexistent "
	    "GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n "
	    "GIT_COMMITTER_EMAIL=e && { ");
	buf_str(&command, script);
	buf_str(&command, "; } >/dev/null 2>&1");
	assert_int_equal(
	    system(arena_cstr(arena, buf_span(&command))), 0);
}

/* What git itself says; empty if it does not know. */
static struct span
ask_git(struct arena *arena, const char *dir, const char *ref)
{
	struct buf command = buf_new(arena, 256);
	char *said = arena_alloc(arena, 128);
	FILE *pipe;
	size_t n;

	buf_str(&command, "cd '");
	buf_str(&command, unit_path(arena, dir));
	buf_str(&command, "' && git rev-parse --verify --quiet '");
	buf_str(&command, ref);
	buf_str(&command, "' 2>/dev/null");
	pipe = popen(arena_cstr(arena, buf_span(&command)), "r");
	assert_non_null(pipe);
	n = fread(said, 1, 127, pipe);
	if (pclose(pipe) != 0)
		n = 0;
	while (n > 0 && said[n - 1] == '\n')
		n--;
	return span_of(said, n);
}

static void
same_as_git(struct arena *arena, const char *dir, const char *ref)
{
	struct span want = ask_git(arena, dir, ref), have = SPAN("");
	enum git_found found = git_resolve(arena,
	    span_str(unit_path(arena, dir)), span_str(ref), NULL, &have);

	CHECK((found == GIT_FOUND) == (want.n > 0), "%s in %s: %d, git: %.*s",
	    ref, dir, found, (int)want.n, want.p);
	if (found == GIT_FOUND)
		ASSERT_SPAN(have, want);
}

static const char refs[][48] = {"HEAD", "main", "refs/heads/main",
    "heads/main", "v1", "tags/v1", "v2", "both", "a/b", "refs/heads/a/b", "a",
    "origin/main", "origin", "alias", "HEAD~1", "HEAD^{tree}", "@", "nothing",
    "config", "index", "objects", "FETCH_HEAD", "refs", "refs/heads", "main..",
    "logs/HEAD", "0123456789012345678901234567890123456789"};

static void
t7_every_ref_is_what_git_says(struct arena *arena)
{
	assert_int_equal(mkdir(unit_path(arena, "repo"), 0700), 0);
	assert_int_equal(mkdir(unit_path(arena, "repo/deep"), 0700), 0);
	sh(arena, "repo",
	    "git init -q && git symbolic-ref HEAD refs/heads/main");
	same_as_git(arena, "repo", "HEAD"); /* of no commit */
	sh(arena, "repo",
	    "git commit -q --allow-empty -m one && "
	    "git commit -q --allow-empty -m two && git tag v1 HEAD~1 && "
	    "git tag -a v2 -m annotated && git tag both HEAD~1 && "
	    "git branch both && git branch a/b HEAD~1 && "
	    "git update-ref refs/remotes/origin/main HEAD~1 && "
	    "git symbolic-ref refs/remotes/origin/HEAD "
	    "refs/remotes/origin/main && "
	    "git symbolic-ref refs/heads/alias refs/heads/a/b");
	for (int pass = 0; pass < 4; pass++) {
		for (size_t i = 0; i < COUNT_OF(refs); i++) {
			same_as_git(arena, "repo", refs[i]);
			same_as_git(arena, "repo/deep", refs[i]);
		}
		if (pass == 0)
			sh(arena, "repo", "git pack-refs --all");
		else if (pass == 1) /* newer than what is packed */
			sh(arena, "repo",
			    "git commit -q --allow-empty -m three");
		else if (pass == 2)
			sh(arena, "repo", "git checkout -q --detach HEAD~1");
	}
}

static void
t7_worktrees_have_a_head_of_their_own(struct arena *arena)
{
	sh(arena, "repo", "git worktree add -q -b side ../tree");
	sh(arena, "tree", "git commit -q --allow-empty -m side");
	for (size_t i = 0; i < COUNT_OF(refs); i++)
		same_as_git(arena, "tree", refs[i]);
	same_as_git(arena, "tree", "side");
	same_as_git(arena, "repo", "side");
}

static void
t7_bare_repositories(struct arena *arena)
{
	sh(arena, ".", "git clone -q --bare repo bare.git");
	same_as_git(arena, "bare.git", "HEAD");
	same_as_git(arena, "bare.git", "main");
	same_as_git(arena, "bare.git/objects", "HEAD");
}

static void
t7_no_repository_is_an_answer(struct arena *arena)
{
	struct span name;

	assert_int_equal(git_resolve(arena, SPAN("/"), SPAN("HEAD"), NULL, &name),
	    GIT_NO_REPOSITORY);
	assert_int_equal(git_resolve(arena, SPAN("/proc"), SPAN("x"), NULL, &name),
	    GIT_NO_REPOSITORY);
}

static void
t7_what_is_no_repository_but_looks_like_one(struct arena *arena)
{
	struct span name;

	assert_int_equal(mkdir(unit_path(arena, "odd"), 0700), 0);
	unit_write_file(unit_path(arena, "odd/.git"), SPAN("nonsense\n"));
	assert_int_equal(git_resolve(arena, span_str(unit_path(arena, "odd")),
			     SPAN("HEAD"), NULL, &name),
	    GIT_UNKNOWN);
}

static void
t7_options_are_no_refs(struct arena *arena)
{
	(void)arena;
	assert_false(git_ref_valid(SPAN("-x")));
	assert_false(git_ref_valid(SPAN("--upload-pack=x")));
	assert_false(git_ref_valid(SPAN("")));
	assert_false(git_ref_valid(SPAN("a\nb")));
	assert_true(git_ref_valid(SPAN("feature/-x")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(t7_every_ref_is_what_git_says),
	    TEST(t7_worktrees_have_a_head_of_their_own),
	    TEST(t7_bare_repositories),
	    TEST(t7_no_repository_is_an_answer),
	    TEST(t7_what_is_no_repository_but_looks_like_one),
	    TEST(t7_options_are_no_refs),
	};

	return RUN_TESTS_IN_DIR(tests);
}
