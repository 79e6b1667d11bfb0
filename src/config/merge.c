#include "config/merge.h"

#include "base/folder.h"
#include "diff/useful.h"
#include "path/name.h"

#define MIB ((uint64_t)1024 * 1024)

static struct span
join(struct arena *arena, struct span a, const char *b)
{
	struct buf path = buf_new(arena, a.n + strlen(b));

	buf_add(&path, a);
	buf_str(&path, b);
	return name_normalize(arena, buf_span(&path));
}

static void
set_defaults(struct arena *arena, struct config *config)
{
	config->limits[LIMIT_DIFF_BYTES].value = DIFF_MAX_BYTES;
	config->limits[LIMIT_DIFF_LINES].value = DIFF_MAX_LINES;
	config->limits[LIMIT_STORE_BYTES].value = 256 * MIB;
	config->limits[LIMIT_STORE_DAYS].value = 90;
	config->limits[LIMIT_REPEAT].value = REPEAT_DEFAULT;
	config->policy = POLICY_PIECES;
	config->bind = BIND_OVERRIDE;
	config->store = join(arena, config->cwd, FOLDER_STORE);
	config->work[WORK_TTL].value = SPAN("24h");
	config->work[WORK_ITERATION].value = SPAN("on");
	config->work[WORK_CHECKOUT].value = SPAN("hardlink,symlink,copy");
}

static void
add_excludes(struct arena *arena, struct config *config, struct span home,
    const struct settings *settings, enum config_source source)
{
	for (size_t i = 0; i < settings->nexclude; i++)
		config->exclude[config->nexclude++] = (struct config_pattern){
		    pattern_make(arena, settings->exclude[i], home), source};
}

/* The store that the user wants; the default one if it makes no sense. */
static void
set_store(struct arena *arena, struct config *config, struct span home,
    struct span store)
{
	if (store.p[0] == '~') {
		if (home.n == 0 || home.p[0] != '/') {
			remark_add(arena, &config->remarks, config->user.path,
			    SPAN("\"store\" begins with \"~/\", but there is "
				 "no home directory; it is ignored."));
			return;
		}
		store = join(arena, home, arena_cstr(arena,
		    span_from(store, 1)));
	}
	config->store = name_normalize(arena, store);
	config->store_source = CONFIG_USER;
}

static void
apply_user(struct arena *arena, struct config *config, struct span home,
    const struct settings *user)
{
	if (user->has_policy) {
		config->policy = user->policy;
		config->policy_source = CONFIG_USER;
	}
	for (int i = 0; i < LIMITS; i++)
		if (user->has_limit[i])
			config->limits[i] = (struct config_number){
			    user->limits[i], CONFIG_USER};
	if (user->has_store)
		set_store(arena, config, home, user->store);
	if (user->has_bind) {
		config->bind = user->bind;
		config->bind_source = CONFIG_USER;
	}
	for (int i = 0; i < WORK_SETTINGS; i++)
		if (user->work[i].p != NULL)
			config->work[i] = (struct config_text){
			    user->work[i], CONFIG_USER};
	add_excludes(arena, config, home, user, CONFIG_USER);
}

static void
apply_environment(struct arena *arena, struct config *config,
    struct span bind)
{
	enum config_bind wanted;

	if (bind.n == 0)
		return;
	if (!settings_bind(bind, &wanted)) {
		remark_add(arena, &config->remarks, SPAN("READCACHE_BIND"),
		    SPAN("it must be override or tool_result; override is "
			 "used."));
		wanted = BIND_OVERRIDE;
	}
	config->bind = wanted;
	config->bind_source = CONFIG_ENVIRONMENT;
}

static const char not_for_projects[] =
    " may only be set in your own file, not by a project; it is ignored.";

/* Remark that NAME in the project's file is refused: "NAME" WHY. */
static void
refuse(struct arena *arena, struct config *config, const char *name,
    const char *why)
{
	struct buf sentence = buf_new(arena, 128);

	remark_quote(&sentence, span_str(name));
	buf_str(&sentence, why);
	remark_add(arena, &config->remarks, config->project.path,
	    buf_span(&sentence));
}

static void
refuse_limit(struct arena *arena, struct config *config,
    enum config_limit limit, uint64_t wanted)
{
	struct buf sentence = buf_new(arena, 160);

	remark_quote(&sentence, span_str(config_limit_name(limit)));
	buf_str(&sentence, " is ");
	buf_u64(&sentence, wanted);
	buf_str(&sentence, ", but a project may only lower it, and ");
	buf_u64(&sentence, config->limits[limit].value);
	buf_str(&sentence, " is in force; it is ignored.");
	remark_add(arena, &config->remarks, config->project.path,
	    buf_span(&sentence));
}

/*
 * A store outside of the project is shared with others.  A low limit would
 * remove their old versions.
 */
static bool
store_is_shared(const struct config *config)
{
	return config->store_source != CONFIG_DEFAULT;
}

static void
tighten_limit(struct arena *arena, struct config *config,
    enum config_limit limit, uint64_t wanted)
{
	if ((limit == LIMIT_STORE_BYTES || limit == LIMIT_STORE_DAYS) &&
	    store_is_shared(config))
		refuse(arena, config, config_limit_name(limit),
		    " is ignored, because the store in use is not this "
		    "project's alone.");
	else if (wanted > config->limits[limit].value)
		refuse_limit(arena, config, limit, wanted);
	else if (wanted < config->limits[limit].value)
		config->limits[limit] = (struct config_number){wanted,
		    CONFIG_PROJECT};
}

static void
apply_project(struct arena *arena, struct config *config, struct span home,
    const struct settings *project)
{
	if (project->has_policy && project->policy < config->policy) {
		config->policy = project->policy;
		config->policy_source = CONFIG_PROJECT;
	} else if (project->has_policy && project->policy > config->policy) {
		refuse(arena, config, "policy",
		    " may only be stricter in a project's file; "
		    "it is ignored.");
	}
	for (int i = 0; i < LIMITS; i++)
		if (project->has_limit[i])
			tighten_limit(arena, config, (enum config_limit)i,
			    project->limits[i]);
	for (int i = 0; i < WORK_SETTINGS; i++)
		if (project->work[i].p != NULL)
			refuse(arena, config,
			    config_work_name((enum config_work)i),
			    not_for_projects);
	if (project->has_store)
		refuse(arena, config, "store", not_for_projects);
	if (project->has_bind)
		refuse(arena, config, "bind", not_for_projects);
	add_excludes(arena, config, home, project, CONFIG_PROJECT);
}

void
config_merge(struct arena *arena, const struct config_where *where,
    const struct settings *user, const struct settings *project,
    struct config *config)
{
	size_t patterns = (user != NULL ? user->nexclude : 0) +
	    (project != NULL ? project->nexclude : 0);

	set_defaults(arena, config);
	if (patterns > 0)
		config->exclude = arena_array(arena, patterns,
		    sizeof(*config->exclude));
	if (user != NULL)
		apply_user(arena, config, where->home, user);
	apply_environment(arena, config, where->bind);
	for (int i = 0; i < LIMITS; i++)
		config->shared_limits[i] = config->limits[i].value;
	if (project != NULL)
		apply_project(arena, config, where->home, project);
}
