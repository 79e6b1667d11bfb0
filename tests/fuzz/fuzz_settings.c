/*
 * Settings: "USER NUL PROJECT".  Whatever a project says, nothing becomes
 * looser than the user has it.
 */
#include "fuzz.h"

#include "config/merge.h"
#include "config/settings.h"

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

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span text = fuzz_part(&input, '\0');
	const struct settings *user = parsed(arena, text);
	const struct settings *project = parsed(arena, input);
	struct config mine = merged(arena, user, NULL);
	struct config both = merged(arena, user, project);

	EXPECT(both.policy == mine.policy || both.policy == POLICY_STRICT);
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
