#include "work/fingerprint/called.h"

#include "base/buf.h"
#include "os/times.h"
#include "path/project.h"
#include "work/fingerprint/git.h"

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       times_changed(a)->tv_sec == times_changed(b)->tv_sec &&
	       times_changed(a)->tv_nsec == times_changed(b)->tv_nsec;
}

/*
 * The first commit of the repository at ROOT; p is NULL if it is not known.
 * Asking git takes longer than the rest of a lookup.  So git is asked again
 * only if .git is another one than before, or something was made in it.
 */
static struct span
first_of(struct arena *arena, struct called_known *known, struct span root)
{
	char path[4096];
	struct stat now;

	if (root.n + sizeof("/.git") > sizeof(path))
		return (struct span){NULL, 0};
	memcpy(path, root.p, root.n);
	memcpy(path + root.n, "/.git", sizeof("/.git"));
	if (stat(path, &now) != 0)
		return (struct span){NULL, 0};
	if (known->root.p != NULL && span_eq(known->root, root) &&
	    is_same(&known->git, &now))
		return known->first;
	*known = (struct called_known){
	    .root = {arena_cstr(arena, root), root.n}, .git = now};
	if (!git_first(arena, known->root, &known->first))
		known->first = (struct span){NULL, 0};
	return known->first;
}

struct called
called_of(struct arena *arena, struct called_known *known, struct span root,
    struct span store, struct span dir)
{
	struct called called = {.dir = dir};

	if (root.n == 0)
		return called;
	if (!project_has_store(root, store)) {
		called.first = first_of(arena, known, root);
		if (called.first.p == NULL)
			return called;
	}
	called.dir = project_place(root, dir);
	return called;
}
