#include "file/locate.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/user.h"
#include "path/range.h"
#include "path/variants.h"

bool
locate_home(struct span *home)
{
	const char *name = getenv("HOME");

	if (name == NULL)
		name = user_home(); /* or the user is left to the host */
	if (name == NULL)
		return false;
	*home = span_str(name);
	return home->n < PATH_MAX;
}

/* What is known about a name. */
enum presence {
	PRESENT,
	ABSENT,
	CLOSED, /* we may not enter a directory on the way to it */
	UNTOLD  /* the system did not say; it may exist */
};

/* What the errno of a failed look says. */
static enum presence
presence_of(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
	case ENAMETOOLONG:
		return ABSENT;
	case EACCES:
		return CLOSED;
	default:
		return UNTOLD;
	}
}

bool
locate_real(struct arena *arena, struct span name, struct span *real)
{
	char path[PATH_MAX];

	*real = name;
	if (realpath(arena_cstr(arena, name), path) == NULL)
		return presence_of(errno) == ABSENT;
	*real = (struct span){arena_cstr(arena, span_str(path)), strlen(path)};
	return true;
}

static enum presence
look(struct arena *arena, struct span name)
{
	if (access(arena_cstr(arena, name), F_OK) == 0)
		return PRESENT;
	return presence_of(errno);
}

/*
 * Resolve PATH to the spelling that exists, in TARGET.  ABSENT: it is certain
 * that none does.
 */
static enum name_status
resolve(struct arena *arena, struct span path,
    const struct locate_where *where, struct target *target,
    enum presence *presence, struct name_error *error)
{
	struct span others[VARIANTS];
	enum name_status status;
	size_t n;

	*presence = ABSENT;
	*target = (struct target){.asked = path};
	status = name_resolve(arena, path, where->cwd, where->home,
	    &target->called, error);
	target->name = target->called;
	if (status != NAME_OK)
		return status;
	*presence = look(arena, target->name);
	if (*presence == PRESENT)
		return NAME_OK;
	n = variants(arena, target->called, others);
	for (size_t i = 0; i < n && *presence != PRESENT; i++) {
		enum presence other = look(arena, others[i]);

		if (other == PRESENT)
			target->name = others[i];
		if (other != ABSENT)
			*presence = other;
	}
	return NAME_OK;
}

static bool
is_directory(struct arena *arena, struct span name)
{
	struct stat st;

	return stat(arena_cstr(arena, name), &st) == 0 && S_ISDIR(st.st_mode);
}

enum name_status
locate(struct arena *arena, struct span path, bool ranges,
    const struct locate_where *where, struct target *target,
    struct name_error *error)
{
	struct name_error ignored;
	enum range_suffix suffix;
	enum name_status status;
	struct range range;
	enum presence presence;
	struct target ranged;

	status = resolve(arena, path, where, target, &presence, error);
	/*
	 * If a file of that very name may exist, it is not a range of another.
	 */
	if (presence != ABSENT || !ranges || status != NAME_OK)
		return status;
	suffix = range_split(path, &range);
	if (suffix == RANGE_NONE ||
	    resolve(arena, range.path, where, &ranged, &presence, &ignored) !=
		NAME_OK ||
	    presence == ABSENT || presence == CLOSED ||
	    is_directory(arena, ranged.name))
		return status; /* the host says what is wrong */
	if (suffix == RANGE_BAD) {
		*error = (struct name_error){"invalid_range",
		    range_message(arena, &range)};
		return NAME_REFUSED;
	}
	ranged.ranged = true;
	ranged.first = range.first;
	ranged.last = range.last;
	*target = ranged;
	return NAME_OK;
}
