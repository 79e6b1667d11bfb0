#include "config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/slurp.h"
#include "config/merge.h"
#include "file/locate.h"
#include "path/name.h"

#define FILE_MAX ((size_t)64 * 1024)

static struct span
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? span_str(value) : SPAN("");
}

struct config_where
config_where(struct span cwd)
{
	struct config_where where = {
	    .cwd = cwd,
	    .home = SPAN(""),
	    .xdg = variable("XDG_CONFIG_HOME"),
	    .bind = variable("READCACHE_BIND"),
	    .state = variable("XDG_STATE_HOME"),
	};

	where.homeless = !locate_home(&where.home);
	if (where.homeless)
		where.home = SPAN("");
	return where;
}

static struct span
join(struct arena *arena, struct span dir, const char *rest)
{
	struct buf path = buf_new(arena, dir.n + strlen(rest) + 1);

	buf_add(&path, dir);
	buf_str(&path, rest);
	return (struct span){arena_cstr(arena, buf_span(&path)), path.n};
}

/* The user's settings file; empty if there is no place for it. */
static struct span
user_path(struct arena *arena, const struct config_where *where)
{
	if (where->xdg.n > 0 && where->xdg.p[0] == '/')
		return join(arena, where->xdg, "/readcache/config.json");
	if (where->home.n > 0 && where->home.p[0] == '/')
		return join(arena, where->home,
		    "/.config/readcache/config.json");
	return SPAN("");
}

struct span
config_keys(struct arena *arena, const struct config_where *where)
{
	if (where->state.n > 0 && where->state.p[0] == '/')
		return join(arena, where->state, "/readcache");
	if (where->home.n > 0 && where->home.p[0] == '/')
		return join(arena, where->home, "/.local/state/readcache");
	return SPAN("");
}

static void
ignore(struct arena *arena, struct config *config, struct config_file *file,
    const char *why)
{
	struct buf sentence = buf_new(arena, 128);

	buf_str(&sentence, why);
	buf_str(&sentence, "; it is ignored.");
	remark_add(arena, &config->remarks, file->path, buf_span(&sentence));
	file->state = CONFIG_IGNORED;
}

/*
 * May ERROR go away by itself?  If it does not, as with a home that is not
 * ours, there are no settings for us, and the remark is enough.
 */
static bool
may_pass(int error)
{
	return error != EACCES && error != ELOOP && error != ENAMETOOLONG;
}

/* FILE is absent, or could not be read; errno says which. */
static void
ignore_failed(struct arena *arena, struct config *config,
    struct config_file *file)
{
	struct buf why = buf_new(arena, 80);

	if (errno == ENOENT || errno == ENOTDIR)
		return; /* the common case */
	config->unread = config->unread || may_pass(errno);
	buf_str(&why, "it cannot be read (");
	buf_str(&why, strerror(errno));
	buf_char(&why, ')');
	ignore(arena, config, file, arena_cstr(arena, buf_span(&why)));
}

/*
 * A part of FILE was not understood.  In the user's own file that may be an
 * exclude, and what the user wants kept out must not be kept.
 */
static void
doubt(struct config *config, const struct config_file *file)
{
	if (file == &config->user)
		config->unread = true;
}

/* The settings in FD, which is closed; NULL if there are none. */
static const struct settings *
read_file(struct arena *arena, int fd, struct config *config,
    struct config_file *file)
{
	struct settings *settings = arena_array(arena, 1, sizeof(*settings));
	struct span text;
	enum slurp got;

	arena_own_fd(arena, fd);
	got = slurp(arena, fd, FILE_MAX, &text);
	arena_close_fd(arena, fd);
	switch (got) {
	case SLURP_OK:
		file->state = settings_parse(arena, text, file->path,
			&config->remarks, settings)
		    ? CONFIG_USED
		    : CONFIG_IGNORED;
		if (file->state == CONFIG_IGNORED || settings->exclude_lost)
			doubt(config, file);
		return file->state == CONFIG_USED ? settings : NULL;
	case SLURP_SPECIAL:
		ignore(arena, config, file, "it is not a regular file");
		doubt(config, file);
		return NULL;
	case SLURP_TOO_LARGE:
		ignore(arena, config, file, "it is larger than 64 KiB");
		doubt(config, file);
		return NULL;
	case SLURP_FAILED:
		break;
	}
	ignore_failed(arena, config, file);
	return NULL;
}

/* Read the user's own file; links to it are followed. */
static const struct settings *
read_user(struct arena *arena, struct config *config)
{
	struct config_file *file = &config->user;
	int fd;

	if (file->path.n == 0)
		return NULL;
	fd = slurp_open(file->path.p);
	if (fd >= 0)
		return read_file(arena, fd, config, file);
	if (errno == 0)
		ignore(arena, config, file, "it is not a regular file");
	else
		ignore_failed(arena, config, file);
	return NULL;
}

/*
 * Open the project's file.  Neither .pi nor the file may be a link, because a
 * link could lead anywhere.
 */
static int
open_project(struct arena *arena, struct span cwd)
{
	struct span dir = join(arena, cwd, FOLDER);
	int pi = open(dir.p,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int fd, error;

	if (pi < 0)
		return -1;
	fd = openat(pi, "readcache.json",
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	error = errno;
	(void)close(pi);
	errno = error;
	return fd;
}

static const struct settings *
read_project(struct arena *arena, struct config *config)
{
	struct config_file *file = &config->project;
	struct stat st;
	int fd;

	/* Mostly there is none: one system call finds that out. */
	if (lstat(file->path.p, &st) != 0) {
		ignore_failed(arena, config, file);
		return NULL;
	}
	if (S_ISLNK(st.st_mode)) {
		ignore(arena, config, file,
		    "it is a symbolic link, which is not followed");
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		ignore(arena, config, file, "it is not a regular file");
		return NULL;
	}
	fd = open_project(arena, config->cwd);
	if (fd >= 0)
		return read_file(arena, fd, config, file);
	/* It exists, so .pi is not a directory but a link to one. */
	if (errno == ENOTDIR || errno == ELOOP)
		ignore(arena, config, file,
		    ".pi is a symbolic link, which is not followed");
	else
		ignore_failed(arena, config, file);
	return NULL;
}

/* The real path of DIR.  Where it is not known, neither is what is excluded. */
static struct span
real_path(struct arena *arena, struct config *config, struct span dir)
{
	struct span real;

	if (!locate_real(arena, dir, &real))
		config->unread = true;
	return real;
}

/* Only patterns for paths need the directories, with the links on the way. */
static void
find_places(struct arena *arena, struct config *config, struct span home)
{
	bool in_cwd = false, in_home = false;

	for (size_t i = 0; i < config->nexclude; i++) {
		enum pattern_kind kind = config->exclude[i].pattern.kind;

		in_home = in_home || kind == PATTERN_HOME;
		in_cwd = in_cwd || kind == PATTERN_BELOW ||
		    kind == PATTERN_ANYWHERE;
	}
	if (in_cwd)
		config->real_cwd = real_path(arena, config, config->cwd);
	if (in_home) {
		config->home = name_normalize(arena, home);
		config->real_home = real_path(arena, config, config->home);
	}
}

struct config
config_load(struct arena *arena, const struct config_where *where)
{
	struct config config = {.cwd = name_normalize(arena, where->cwd)};
	const struct settings *user, *project;

	config.user.path = user_path(arena, where);
	config.project.path = join(arena,
	    config.cwd.n > 1 ? config.cwd : SPAN(""), FOLDER_SETTINGS);
	config.unread = where->homeless && config.user.path.n == 0;
	user = read_user(arena, &config);
	project = read_project(arena, &config);
	config_merge(arena, where, user, project, &config);
	find_places(arena, &config, where->home);
	return config;
}

/* The rest of PATH after DIR, from the slash on; NULL if it is elsewhere. */
static const char *
below(const char *path, struct span dir)
{
	size_t n = dir.n == 1 ? 0 : dir.n; /* "/" is itself the slash */

	if (dir.n == 0 || strncmp(path, dir.p, n) != 0 || path[n] != '/')
		return NULL;
	return path + n;
}

bool
config_excludes(struct arena *arena, const struct config *config,
    struct span path)
{
	const char *name;

	if (config->nexclude == 0)
		return false;
	name = arena_cstr(arena, path);
	for (size_t i = 0; i < config->nexclude; i++) {
		const struct pattern *p = &config->exclude[i].pattern;
		bool home = p->kind == PATTERN_HOME;
		const char *inside = below(name, home ? config->home : config->cwd),
			   *really = below(name,
			       home ? config->real_home : config->real_cwd);

		if (pattern_matches(p, name, inside) ||
		    (really != inside && pattern_matches(p, name, really)))
			return true;
	}
	return false;
}

const char *
config_source_name(enum config_source source)
{
	switch (source) {
	case CONFIG_DEFAULT:
		return "default";
	case CONFIG_USER:
		return "user";
	case CONFIG_PROJECT:
		return "project";
	case CONFIG_ENVIRONMENT:
		break;
	}
	return "environment";
}

const char *
config_bind_name(enum config_bind bind)
{
	return bind == BIND_OVERRIDE ? "override" : "tool_result";
}

const char *
config_limit_name(enum config_limit limit)
{
	switch (limit) {
	case LIMIT_DIFF_BYTES:
		return "diff.maxBytes";
	case LIMIT_DIFF_LINES:
		return "diff.maxLines";
	case LIMIT_STORE_BYTES:
		return "storeMaxBytes";
	case LIMIT_STORE_DAYS:
		return "storeMaxAgeDays";
	case LIMIT_REPEAT:
	case LIMITS:
		break;
	}
	return "repeat";
}

uint64_t
config_store_limit(const struct config *config, struct span root,
    enum config_limit limit)
{
	return span_eq(root, config->store) ? config->limits[limit].value
					    : config->shared_limits[limit];
}
