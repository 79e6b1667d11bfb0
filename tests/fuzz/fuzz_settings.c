/*
 * Settings: "USER NUL PROJECT".  Whatever a project says, nothing becomes
 * looser than the user has it.  A setting that is changed in USER changes
 * nothing else.
 */
#include "fuzz.h"

#include "config/edit.h"
#include "config/merge.h"
#include "config/settings.h"
#include "json/json.h"

static const struct config_where where = {
    .cwd = {"/work/p", 7},
    .home = {"/home/me", 8},
    .xdg = {"", 0},
    .bind = {"", 0},
};

static struct config
merged(struct arena *arena, const struct settings *user,
    const struct settings *project)
{
	struct config config = {
	    .cwd = where.cwd,
	    .user = {.path = SPAN("user.json")},
	    .project = {.path = SPAN("project.json")},
	};

	config_merge(arena, &where, user, project, &config);
	return config;
}

static const struct settings *
parsed(struct arena *arena, struct span text)
{
	struct settings *settings = arena_array(arena, 1, sizeof(*settings));
	struct remarks remarks = {0};

	return settings_parse(arena, text, SPAN("file"), &remarks, settings)
		   ? settings
		   : NULL;
}

/* Setting one thing changes nothing else. */
static void
check_edit(struct arena *arena, struct span text)
{
	const struct span *edited =
	    config_edit_text(arena, text, "policy", SPAN("strict"));
	const struct settings *before = parsed(arena, text), *after;
	struct config was, is;

	if (edited == NULL) {
		EXPECT(before == NULL);
		return;
	}
	EXPECT(json_valid(arena, *edited));
	after = parsed(arena, *edited);
	EXPECT(before == NULL || after != NULL);
	if (before == NULL)
		return;
	was = merged(arena, before, NULL);
	is = merged(arena, after, NULL);
	EXPECT(is.policy == POLICY_STRICT);
	EXPECT(span_eq(is.store, was.store) && is.bind == was.bind);
	EXPECT(is.nexclude == was.nexclude);
	for (int i = 0; i < LIMITS; i++)
		EXPECT(is.limits[i].value == was.limits[i].value);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span text = fuzz_part(&input, '\0');
	const struct settings *user = parsed(arena, text);
	const struct settings *project = parsed(arena, input);
	struct config mine = merged(arena, user, NULL);
	struct config both = merged(arena, user, project);

	check_edit(arena, text);
	EXPECT(both.policy <= mine.policy);
	for (int i = 0; i < LIMITS; i++) {
		EXPECT(both.limits[i].value <= mine.limits[i].value);
		EXPECT(both.shared_limits[i] == mine.limits[i].value);
	}
	EXPECT(span_eq(both.store, mine.store));
	EXPECT(both.bind == mine.bind);
	EXPECT(both.nexclude >= mine.nexclude);
	for (size_t i = 0; i < mine.nexclude; i++)
		EXPECT(span_eq(both.exclude[i].pattern.text,
		    mine.exclude[i].pattern.text));
	if (config_excludes(arena, &mine, SPAN("/work/p/a/b.txt")))
		EXPECT(config_excludes(arena, &both, SPAN("/work/p/a/b.txt")));
}
