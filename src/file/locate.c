#include "file/locate.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path/range.h"
#include "path/variants.h"

/*
 * The password file's word, or NULL.  Not by getpwuid: that loads other
 * libraries into the process.  A user it does not list is left to the host.
 */
static const char *
home_by_password_file(void)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *user = NULL;

	if (file == NULL)
		return NULL;
	while ((user = fgetpwent(file)) != NULL && user->pw_uid != geteuid())
		;
	(void)fclose(file);
	return user != NULL ? user->pw_dir : NULL;
}

bool
locate_home(struct span *home)
{
	const char *name = getenv("HOME");

	if (name == NULL)
		name = home_by_password_file();
	if (name == NULL)
		return false;
	*home = span_str(name);
	return home->n < PATH_MAX;
}

struct span
locate_real(struct arena *arena, struct span name)
{
	char real[PATH_MAX];

	if (realpath(arena_cstr(arena, name), real) == NULL)
		return name;
	return (struct span){arena_cstr(arena, span_str(real)), strlen(real)};
}

static bool
exists(struct arena *arena, struct span name)
{
	return access(arena_cstr(arena, name), F_OK) == 0;
}

/* Resolve PATH to the spelling that exists; *FOUND is false if none does. */
static enum name_status
resolve(struct arena *arena, struct span path,
    const struct locate_where *where, struct span *name, bool *found,
    struct name_error *error)
{
	struct span others[VARIANTS];
	enum name_status status;
	size_t n;

	*found = false;
	status = name_resolve(arena, path, where->cwd, where->home, name,
	    error);
	if (status != NAME_OK)
		return status;
	*found = exists(arena, *name);
	if (*found)
		return NAME_OK;
	n = variants(arena, *name, others);
	for (size_t i = 0; i < n && !*found; i++) {
		*found = exists(arena, others[i]);
		if (*found)
			*name = others[i];
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
	struct span name;
	bool found;

	*target = (struct target){.asked = path};
	status = resolve(arena, path, where, &target->name, &found, error);
	if (found || !ranges || status != NAME_OK)
		return status;
	suffix = range_split(path, &range);
	if (suffix == RANGE_NONE ||
	    resolve(arena, range.path, where, &name, &found, &ignored) !=
		NAME_OK ||
	    !found || is_directory(arena, name))
		return status; /* the host says what is wrong */
	if (suffix == RANGE_BAD) {
		*error = (struct name_error){"invalid_range",
		    range_message(arena, &range)};
		return NAME_REFUSED;
	}
	*target = (struct target){name, range.path, true, range.first,
	    range.last};
	return NAME_OK;
}
