#include "serve/siblings.h"

#include <errno.h>
#include <sys/stat.h>

#include "path/range.h"
#include "serve/subject.h"

/* The file of the read, and all that identifies it. */
struct wanted_file {
	struct arena *arena;
	struct locate_where where;
	struct span name;        /* where it was found, or empty */
	struct span asked, bare; /* as written; BARE is without range */
	bool there;              /* does it exist now? */
	struct stat st;
};

/* The absolute name of PATH; empty if its meaning is not known. */
static struct span
spell(const struct wanted_file *wanted, struct span path)
{
	struct name_error ignored;
	struct span name;

	if (path.n == 0 ||
	    name_resolve(wanted->arena, path, wanted->where.cwd,
		wanted->where.home, &name, &ignored) != NAME_OK)
		return SPAN("");
	return name;
}

/* Is PATH the file, or may it be? */
static bool
might_be(const struct wanted_file *wanted, struct span path)
{
	struct span name = spell(wanted, path);
	struct stat st;

	if (name.n == 0 || span_eq(name, wanted->name) ||
	    span_eq(name, wanted->asked) || span_eq(name, wanted->bare))
		return true;
	if (stat(arena_cstr(wanted->arena, name), &st) != 0)
		/* What does not exist is not a file that exists. */
		return !wanted->there || (errno != ENOENT && errno != ENOTDIR);
	return wanted->there && st.st_dev == wanted->st.st_dev &&
	    st.st_ino == wanted->st.st_ino;
}

static bool
is_own(const struct request *request, const struct call *call)
{
	return request->call_id.n > 0 && span_eq(request->call_id, call->id) &&
	    call->tool != TOOL_CHANGES;
}

struct siblings
siblings_look(struct arena *arena, const struct request *request,
    const struct call *pending, struct span name)
{
	struct wanted_file wanted = {.arena = arena, .name = name};
	struct siblings found = {.change = false};
	struct range range;
	bool itself = false; /* its call was met; there may be two of that id */

	if (pending == NULL)
		return found;
	if (!subject_where(request, &wanted.where))
		wanted.where.home = SPAN("");
	wanted.asked = spell(&wanted, request->path);
	wanted.bare = range_split(request->path, &range) == RANGE_GOOD
	    ? spell(&wanted, range.path)
	    : wanted.asked;
	wanted.there = name.n > 0 &&
	    stat(arena_cstr(arena, name), &wanted.st) == 0;
	for (; pending != NULL; pending = pending->next) {
		bool own = is_own(request, pending);

		switch (pending->tool) {
		case TOOL_CHANGES:
			found.change = found.change ||
			    might_be(&wanted, pending->path);
			break;
		case TOOL_UNKNOWN:
			found.unknown = found.unknown || !own;
			break;
		case TOOL_READS:
			if (own ? itself : might_be(&wanted, pending->path)) {
				found.read = true;
				found.before = found.before || own || !itself;
			}
			itself = itself || own;
			break;
		case TOOL_HARMLESS:
			break;
		}
	}
	return found;
}
