#include "memo/place.h"

#include "base/buf.h"
#include "finger/git.h"
#include "path/project.h"
#include "path/where.h"

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
	       a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/*
 * The first commit of the repository at ROOT.  To ask git takes longer than
 * all the rest of a lookup, so it is asked again only if its .git is another
 * one than it was, or something was made in it.
 */
static struct span
first_of(struct arena *arena, struct place_known *known, struct span root)
{
	struct buf path = buf_new(arena, root.n + 8);
	struct stat now;

	buf_add(&path, root);
	buf_str(&path, "/.git");
	if (stat(arena_cstr(arena, buf_span(&path)), &now) != 0)
		return (struct span){NULL, 0};
	if (known->root.p != NULL && span_eq(known->root, root) &&
	    is_same(&known->git, &now))
		return known->first;
	*known = (struct place_known){.root = root, .git = now};
	if (!git_first(arena, root, &known->first))
		known->first = (struct span){NULL, 0};
	return known->first;
}

struct place
place_of(struct arena *arena, const struct store *store,
    struct place_known *known, const struct phase *phase, struct span cwd)
{
	/* Two projects may come to one store by links of their own. */
	struct span at =
	    where_of(arena, SPAN("/"), store->root, WHERE_LEADS).name;
	struct span root = project_around(arena, at, cwd);
	struct place place = {.cwd = cwd};

	if (project_has_store(root, at)) {
		place.cwd = project_place(root, cwd);
	} else if (root.n > 0 && phase->scope == SCOPE_CROSS_RUN) {
		place.project = first_of(arena, known, root);
		if (place.project.p != NULL)
			place.cwd = project_place(root, cwd);
	}
	return place;
}
