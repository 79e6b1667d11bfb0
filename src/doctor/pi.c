#include "doctor/pi.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slurp.h"
#include "os/bytes.h"
#include "path/name.h"
#include "json/json.h"

#define SETTINGS_MAX ((size_t)1024 * 1024)
#define PACKAGE "pi-readcache"

static struct span
join(struct arena *arena, struct span dir, const char *rest)
{
	return name_normalize(arena, name_in(arena, dir, span_str(rest)));
}

bool
pi_can_run(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	    access(file, X_OK) == 0;
}

struct span
pi_on_path(struct arena *arena, const char *name)
{
	const char *value = getenv("PATH");
	struct span rest = span_str(value != NULL ? value : "");

	while (rest.n > 0) {
		const char *colon = memchr(rest.p, ':', rest.n);
		size_t n = colon != NULL ? (size_t)(colon - rest.p) : rest.n;
		struct span dir = {rest.p, n}, file;

		rest = span_from(rest, colon != NULL ? n + 1 : n);
		if (dir.n == 0 || dir.p[0] != '/')
			continue; /* relative: depends on the cwd */
		file = join(arena, dir, name);
		if (pi_can_run(arena_cstr(arena, file)))
			return file;
	}
	return SPAN("");
}

/*
 * Load the JSON object in FILE.  False if that is not possible; *THERE says
 * whether a file exists.
 */
static bool
load_object(struct arena *arena, struct span file, struct json_doc *doc,
    struct span *object, bool *there)
{
	int fd = slurp_open(arena_cstr(arena, file));
	enum slurp got;

	*there = fd >= 0;
	if (fd < 0)
		return false;
	arena_own_fd(arena, fd);
	got = slurp(arena, fd, SETTINGS_MAX, object);
	arena_close_fd(arena, fd);
	if (got != SLURP_OK || !json_judge(arena, *object, doc))
		return false;
	*object = json_trim(*object);
	return json_kind(*object) == JSON_OBJECT;
}

/* Is DIR our extension?  Its package.json says so. */
static bool
is_extension(struct arena *arena, struct span dir)
{
	struct json_field name = {.name = SPAN("name")};
	struct json_doc doc;
	struct span object;
	bool there;

	if (!load_object(arena, join(arena, dir, "package.json"), &doc,
		&object, &there))
		return false;
	json_pick(&doc, object, &name, 1);
	return json_text_is(name.value, SPAN(PACKAGE));
}

struct span
pi_extension_beside(struct arena *arena, struct span exe)
{
	struct span installed = join(arena, exe, "../../share/readcache/pi");
	struct span checkout = join(arena, exe, "../../extension");

	if (is_extension(arena, installed))
		return installed;
	return is_extension(arena, checkout) ? checkout : SPAN("");
}

static struct span
last_component(struct span path)
{
	const char *slash;

	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	slash = bytes_last(path.p, '/', path.n);
	return slash != NULL
	    ? span_from(path, (size_t)(slash - path.p) + 1)
	    : path;
}

static bool
is_remote(struct span source)
{
	return span_starts(source, SPAN("npm:")) ||
	       span_starts(source, SPAN("git:")) ||
	       bytes_find(source.p, source.n, "://", 3) != NULL;
}

/* "npm:pi-readcache@1.0", "git:host/somebody/pi-readcache.git@v1". */
static bool
names_package(struct span source)
{
	struct span name = last_component(source);
	const char *at;

	if (span_starts(name, SPAN("npm:")))
		name = span_from(name, 4);
	at = memchr(name.p, '@', name.n);
	if (at != NULL)
		name.n = (size_t)(at - name.p);
	return span_eq(name, SPAN(PACKAGE)) ||
	    span_eq(name, SPAN(PACKAGE ".git"));
}

/* ".../readcache/pi", where the extension is installed. */
static bool
names_place(struct span dir)
{
	struct span end = SPAN("/readcache/pi");

	return dir.n >= end.n && span_eq(span_from(dir, dir.n - end.n), end);
}

static enum pi_listed
judge_source(struct arena *arena, struct span source, struct span base,
    struct span home)
{
	struct name_error ignored;
	struct span dir;

	if (is_remote(source))
		return names_package(source) ? LISTED_REMOTE : LISTED_NOT;
	if (name_resolve(arena, source, base, home, &dir, &ignored) !=
	    NAME_OK)
		return LISTED_NOT;
	if (is_extension(arena, dir))
		return LISTED_THERE;
	return names_place(dir) ||
		span_eq(last_component(dir), SPAN(PACKAGE))
	    ? LISTED_MISSING
	    : LISTED_NOT;
}

/*
 * Search ARRAY for a source that means our extension.  One that is there wins.
 */
static void
find_source(struct arena *arena, const struct json_doc *doc,
    struct span array, struct span base, struct span home,
    struct pi_settings *settings)
{
	struct json_items items = json_items(doc, array);
	struct span item;

	while (json_next(&items, &item)) {
		struct json_field source = {.name = SPAN("source")};
		enum pi_listed listed;
		struct json_text text;

		json_pick(doc, item, &source, 1);
		if (!json_text(arena, item, &text) &&
		    !json_text(arena, source.value, &text))
			continue;
		listed = judge_source(arena, text.text, base, home);
		if (listed == LISTED_NOT || settings->listed == LISTED_THERE)
			continue;
		settings->listed = listed;
		settings->source = text.text;
	}
}

static struct pi_settings
look_into(struct arena *arena, struct span dir, struct span home)
{
	struct pi_settings settings = {
	    .file = join(arena, dir, "settings.json"),
	    .source = SPAN(""),
	};
	struct json_field fields[] = {
	    {.name = SPAN("packages")},
	    {.name = SPAN("extensions")},
	};
	struct json_doc doc;
	struct span object;
	bool there;

	if (!load_object(arena, settings.file, &doc, &object, &there)) {
		settings.unusable = there;
		return settings;
	}
	json_pick(&doc, object, fields, 2);
	for (int i = 0; i < 2; i++)
		find_source(arena, &doc, fields[i].value, dir, home,
		    &settings);
	return settings;
}

struct pi_settings
pi_user_settings(struct arena *arena, struct span home)
{
	const char *named = getenv("PI_CODING_AGENT_DIR");
	struct pi_settings none = {.file = SPAN(""), .source = SPAN("")};
	struct name_error ignored;
	struct span dir = join(arena, home, ".pi/agent");

	if (named != NULL && named[0] != '\0') {
		if (name_resolve(arena, span_str(named), SPAN("/"), home,
			&dir, &ignored) != NAME_OK)
			return none;
	} else if (home.n == 0) {
		return none;
	}
	return look_into(arena, dir, home);
}

struct pi_settings
pi_project_settings(struct arena *arena, struct span cwd, struct span home)
{
	return look_into(arena, join(arena, cwd, ".pi"), home);
}
