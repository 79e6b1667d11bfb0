#include "doctor/checkup.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "os/confine.h"
#include "os/process.h"

/* ---- finding out ---- */

static struct span
find_exe(struct arena *arena)
{
	char *path = arena_alloc(arena, PATH_MAX);

	return (struct span){path, process_program(path, PATH_MAX)};
}

/* Could the missing part of PATH be made? */
static bool
can_make(struct arena *arena, struct span path)
{
	char *dir = arena_cstr(arena, path);

	for (;;) {
		char *slash = strrchr(dir, '/');

		if (access(dir, F_OK) == 0)
			return access(dir, W_OK | X_OK) == 0;
		if (slash == NULL || slash == dir)
			return access("/", W_OK | X_OK) == 0;
		*slash = '\0';
	}
}

static void
find_store(struct checkup *f)
{
	struct arena *arena = f->arena;
	struct store store = store_at(arena, f->config.store, f->config.cwd);

	store.keys = f->keys;
	if (f->config.store_source == CONFIG_DEFAULT)
		store_guard(&store);
	errno = 0;
	f->fault = dir_look(&store);
	f->error = strerror(errno);
	f->writable = can_make(arena, f->config.store);
	if (f->fault == DIR_FINE)
		f->stats = store_stat(&store);
	if (f->fault == DIR_FINE)
		(void)state_place(&store, &f->database);
}

static void
find_all(struct checkup *f)
{
	struct arena *arena = f->arena;
	struct config_where where = config_where(f->cwd);

	f->exe = find_exe(arena);
	f->config = config_load(arena, &where);
	f->keys = config_keys(arena, &where);
	find_store(f);
	f->confined = confine_works();
	f->pi = pi_on_path(arena, "pi");
	f->beside = f->exe.n > 0 ? pi_extension_beside(arena, f->exe)
				 : SPAN("");
	f->user = pi_user_settings(arena, where.home);
	f->project = pi_project_settings(arena, f->cwd, where.home);
}

/* ---- what to do ---- */

/* Add a line to the list, made of BEFORE, WHAT and AFTER. */
static void
todo(struct checkup *f, const char *before, struct span what,
    const char *after)
{
	struct buf line = buf_new(f->arena, 160);

	if (f->ntodo == TODO_MAX)
		return;
	buf_str(&line, before);
	buf_add(&line, what);
	buf_str(&line, after);
	f->todo[f->ntodo++] = buf_span(&line);
}

bool
checkup_listed(const struct pi_settings *settings)
{
	return settings->listed == LISTED_THERE ||
	    settings->listed == LISTED_REMOTE;
}

static void
judge_extension(struct checkup *f)
{
	const struct pi_settings *both[] = {&f->user, &f->project};

	for (int i = 0; i < 2; i++) {
		if (both[i]->unusable)
			todo(f, "Mend ", both[i]->file,
			    ": it is no JSON object, so nobody knows which "
			    "packages pi loads.");
		if (both[i]->listed == LISTED_MISSING)
			todo(f, "pi remove ", both[i]->source,
			    ": pi's settings list it, but the extension is "
			    "not there.");
	}
	if (checkup_listed(&f->user) || checkup_listed(&f->project))
		return;
	if (f->beside.n > 0)
		todo(f, "pi install ", f->beside,
		    ": pi does not load the extension yet.");
	else
		todo(f, "Install the extension: in the sources of readcache, "
			"cmake --install build --prefix ~/.local, then pi "
			"install ~/.local/share/readcache/pi.",
		    SPAN(""), "");
}

static void
judge_environment(struct checkup *f)
{
	const char *bin = getenv("READCACHE_BIN");
	const char *mode = getenv("READCACHE_MODE");

	if (bin != NULL && bin[0] != '\0' && !pi_can_run(bin))
		todo(f, "Set READCACHE_BIN to this program or unset it: ",
		    span_str(bin), " cannot be run.");
	if (mode != NULL && strcmp(mode, "off") == 0)
		todo(f, "Unset READCACHE_MODE: it is off, so the extension "
			"does nothing.",
		    SPAN(""), "");
}

static void
judge_store(struct checkup *f)
{
	struct arena *arena = f->arena;
	struct buf why = buf_new(arena, 160);

	buf_str(&why, " cannot be used: ");
	buf_str(&why, f->fault == DIR_FAILED ? f->error
					     : dir_fault_text(f->fault));
	if (f->fault != DIR_FINE && f->fault != DIR_ABSENT)
		todo(f, "The store ", f->config.store,
		    arena_cstr(arena, buf_span(&why)));
	else if (!f->writable)
		todo(f, "The store ", f->config.store,
		    " cannot be written: set \"store\" in your settings to a "
		    "directory of your own (readcache config).");
	else if (f->stats.bytes >
	    f->config.limits[LIMIT_STORE_BYTES].value)
		todo(f, "readcache store gc: the store is over its limit.",
		    SPAN(""), "");
}

static void
judge_all(struct checkup *f)
{
	if (f->pi.n == 0)
		todo(f, "Install pi, or add its directory to PATH: it was not "
			"found there.",
		    SPAN(""), "");
	judge_extension(f);
	judge_environment(f);
	judge_store(f);
	if (f->config.remarks.n > 0)
		todo(f, "readcache config: something in your settings or the "
			"project's is not used, and it says why.",
		    SPAN(""), "");
}

struct checkup
checkup_make(struct arena *arena, struct span cwd)
{
	struct checkup checkup = {.arena = arena, .cwd = cwd};

	find_all(&checkup);
	judge_all(&checkup);
	return checkup;
}
