#include "unit_dir.h"

#include "config/config.h"
#include "config/merge.h"

/* ---- one file ---- */

struct parsed {
	struct settings settings;
	struct remarks remarks;
	bool usable;
};

static struct parsed
parse(struct arena *arena, const char *text)
{
	struct parsed parsed = {.usable = false};

	parsed.usable = settings_parse(arena,
	    unit_exact(arena, span_str(text)), SPAN("the file"),
	    &parsed.remarks, &parsed.settings);
	return parsed;
}

/* Does some remark hold TEXT? */
static bool
remarked(const struct remarks *remarks, const char *text)
{
	for (const struct remark *r = remarks->first; r != NULL; r = r->next)
		if (memmem(r->sentence.p, r->sentence.n, text,
			strlen(text)) != NULL)
			return true;
	return false;
}

static void
every_setting_is_read(struct arena *arena)
{
	struct parsed p = parse(arena,
	    " {\"policy\":\"coverage\",\"exclude\":[\"*.a\",\"b/c\"],"
	    "\"diff\":{\"maxBytes\":1e3,\"maxLines\":0},"
	    "\"store\":\"~/s\",\"storeMaxBytes\":9007199254740991,"
	    "\"storeMaxAgeDays\":30,"
	    "\"bind\":\"tool_result\",\"repeat\":4}\n");
	const struct settings *s = &p.settings;

	assert_true(p.usable);
	assert_int_equal(p.remarks.n, 0);
	assert_true(s->has_policy && s->has_store && s->has_bind);
	assert_int_equal(s->policy, POLICY_COVERAGE);
	assert_int_equal(s->bind, BIND_TOOL_RESULT);
	ASSERT_TEXT(s->store, "~/s");
	assert_int_equal(s->nexclude, 2);
	ASSERT_TEXT(s->exclude[0], "*.a");
	ASSERT_TEXT(s->exclude[1], "b/c");
	for (int i = 0; i < LIMITS; i++)
		assert_true(s->has_limit[i]);
	assert_int_equal(s->limits[LIMIT_DIFF_BYTES], 1000);
	assert_int_equal(s->limits[LIMIT_DIFF_LINES], 0);
	assert_int_equal(s->limits[LIMIT_STORE_BYTES],
	    UINT64_C(9007199254740991));
	assert_int_equal(s->limits[LIMIT_STORE_DAYS], 30);
	assert_int_equal(s->limits[LIMIT_REPEAT], 4);
}

static void
nothing_is_said(struct arena *arena)
{
	static const char *const texts[] = {"{}",
	    "{\"policy\":null,\"exclude\":null,\"diff\":null}",
	    "{\"store\":null,\"storeMaxBytes\":null,\"bind\":null}",
	    "{\"diff\":{\"maxBytes\":null},\"exclude\":[]}"};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct parsed p = parse(arena, texts[i]);
		const struct settings *s = &p.settings;

		assert_true(p.usable);
		assert_int_equal(p.remarks.n, 0);
		CHECK(!s->has_policy && !s->has_store && !s->has_bind &&
			s->nexclude == 0,
		    "%s says something", texts[i]);
		for (int limit = 0; limit < LIMITS; limit++)
			assert_false(s->has_limit[limit]);
	}
}

static void
no_object_is_no_settings(struct arena *arena)
{
	static const char *const texts[] = {"", "null", "[]", "\"strict\"",
	    "{", "{}x", "{\"policy\":\"strict\",}", "// {}\n{}",
	    "{\"policy\":\"\xff\"}"};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct parsed p = parse(arena, texts[i]);

		CHECK(!p.usable, "%s is used", texts[i]);
		CHECK(p.remarks.n == 1, "%s: %zu remarks", texts[i],
		    p.remarks.n);
	}
}

/* A wrong value is left out and named; the others count. */
static void
wrong_values_are_named(struct arena *arena)
{
	static const struct {
		const char *member, *remark;
	} rows[] = {
	    {"\"policy\":\"Strict\"", "\"policy\""},
	    {"\"policy\":1", "\"policy\""},
	    {"\"exclude\":\"*.a\"", "\"exclude\""},
	    {"\"exclude\":[1]", "\"exclude\""},
	    {"\"exclude\":[\"\"]", "\"exclude\""},
	    {"\"exclude\":[\"!keep\"]", "cannot be undone"},
	    {"\"exclude\":[\"a\\u0000b\"]", "\"exclude\""},
	    {"\"exclude\":[\"\\ud800\"]", "\"exclude\""},
	    {"\"diff\":1", "\"diff\""},
	    {"\"diff\":{\"maxBytes\":-1}", "\"diff.maxBytes\""},
	    {"\"diff\":{\"maxLines\":1.5}", "\"diff.maxLines\""},
	    {"\"diff\":{\"maxBytes\":\"5\"}", "\"diff.maxBytes\""},
	    {"\"diff\":{\"maxLine\":5}", "\"diff.maxLine\" is not a setting"},
	    {"\"storeMaxBytes\":1e300", "\"storeMaxBytes\""},
	    {"\"storeMaxBytes\":true", "\"storeMaxBytes\""},
	    {"\"store\":\"relative\"", "\"store\""},
	    {"\"store\":\"~\"", "\"store\""},
	    {"\"store\":\"\"", "\"store\""},
	    {"\"store\":[]", "\"store\""},
	    {"\"bind\":\"both\"", "\"bind\""},
	    {"\"Policy\":\"strict\"", "\"Policy\" is not a setting"},
	    {"\"\":{\"policy\":1}", "\"\" is not a setting"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char text[256];
		struct parsed p;
		bool policy = strncmp(rows[i].member, "\"policy", 7) == 0;

		(void)snprintf(text, sizeof(text), "{%s,%s}", rows[i].member,
		    policy ? "\"bind\":\"override\""
			   : "\"policy\":\"strict\"");
		p = parse(arena, text);
		CHECK(p.usable && p.remarks.n == 1 &&
			remarked(&p.remarks, rows[i].remark),
		    "%s: %zu remarks: %.*s", text, p.remarks.n,
		    p.remarks.n > 0 ? (int)p.remarks.first->sentence.n : 0,
		    p.remarks.n > 0 ? p.remarks.first->sentence.p : "");
		CHECK(policy ? p.settings.has_bind && !p.settings.has_policy
			     : p.settings.has_policy,
		    "%s: the other member does not count", text);
		assert_int_equal(p.settings.nexclude, 0);
	}
}

static void
the_last_of_equal_names_counts(struct arena *arena)
{
	struct parsed p = parse(arena,
	    "{\"storeMaxBytes\":1,\"storeMaxBytes\":2,"
	    "\"st\\u006freMaxBytes\":3}");

	assert_int_equal(p.settings.limits[LIMIT_STORE_BYTES], 3);
	assert_int_equal(p.remarks.n, 0);
}

/* Sentences stay sentences, whatever stands in the file. */
static void
remarks_are_bounded(struct arena *arena)
{
	struct buf text = buf_new(arena, 0);
	struct parsed p;

	buf_str(&text, "{\"");
	buf_add(&text, unit_repeat(arena, SPAN("\xc3\xa9"), 5000));
	buf_str(&text, "\":1");
	for (int i = 0; i < 1000; i++) {
		buf_str(&text, ",\"k");
		buf_u64(&text, (uint64_t)i);
		buf_str(&text, "\":0");
	}
	buf_char(&text, '}');
	p = parse(arena, arena_cstr(arena, buf_span(&text)));
	assert_true(p.usable);
	assert_in_range(p.remarks.n, 2, 100);
	for (const struct remark *r = p.remarks.first; r != NULL; r = r->next)
		CHECK(r->sentence.n < 200, "%zu bytes", r->sentence.n);
}

static void
patterns_are_bounded(struct arena *arena)
{
	struct buf text = buf_new(arena, 0);
	struct parsed p;

	buf_str(&text, "{\"exclude\":[\"");
	buf_add(&text, unit_repeat(arena, SPAN("*a"), 600));
	buf_char(&text, '"');
	for (int i = 0; i < 300; i++)
		buf_str(&text, ",\"x\"");
	buf_str(&text, "]}");
	p = parse(arena, arena_cstr(arena, buf_span(&text)));
	assert_int_equal(p.settings.nexclude, 256);
	assert_true(remarked(&p.remarks, "longer than 1024"));
	assert_true(remarked(&p.remarks, "more than 256"));
}

/* ---- who may decide ---- */

/* What is in force with these two files; NULL: the file is not there. */
static struct config
merge(struct arena *arena, const char *user, const char *project,
    const char *bind)
{
	struct config config = {
	    .cwd = SPAN("/work/p"),
	    .user = {SPAN("user"), CONFIG_USED},
	    .project = {SPAN("project"), CONFIG_USED},
	};
	struct config_where where = {SPAN("/work/p"), SPAN("/home/me"),
	    SPAN(""), span_str(bind), SPAN(""), false};
	struct parsed u = parse(arena, user != NULL ? user : "{}");
	struct parsed p = parse(arena, project != NULL ? project : "{}");

	config_merge(arena, &where, user != NULL ? &u.settings : NULL,
	    project != NULL ? &p.settings : NULL, &config);
	return config;
}

static void
defaults(struct arena *arena)
{
	struct config c = merge(arena, NULL, NULL, "");

	assert_int_equal(c.policy, POLICY_PIECES);
	assert_int_equal(c.bind, BIND_OVERRIDE);
	assert_int_equal(c.nexclude, 0);
	assert_int_equal(c.limits[LIMIT_DIFF_BYTES].value, 2 * 1024 * 1024);
	assert_int_equal(c.limits[LIMIT_DIFF_LINES].value, 12000);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].value,
	    256 * 1024 * 1024);
	assert_int_equal(c.limits[LIMIT_STORE_DAYS].value, 90);
	assert_int_equal(c.limits[LIMIT_REPEAT].value, 3);
	ASSERT_TEXT(c.store, "/work/p/.pi/readcache");
	for (int i = 0; i < LIMITS; i++)
		assert_int_equal(c.limits[i].source, CONFIG_DEFAULT);
	assert_int_equal(c.policy_source, CONFIG_DEFAULT);
	assert_int_equal(c.store_source, CONFIG_DEFAULT);
	assert_int_equal(c.bind_source, CONFIG_DEFAULT);
	assert_int_equal(c.remarks.n, 0);
}

static void
the_user_may_set_everything(struct arena *arena)
{
	struct config c = merge(arena,
	    "{\"policy\":\"strict\",\"exclude\":[\"*.a\"],"
	    "\"diff\":{\"maxBytes\":99999999,\"maxLines\":1},"
	    "\"store\":\"~/s/../t\",\"storeMaxBytes\":7,\"repeat\":9,"
	    "\"storeMaxAgeDays\":400,"
	    "\"bind\":\"tool_result\"}",
	    NULL, "");

	assert_int_equal(c.policy, POLICY_STRICT);
	assert_int_equal(c.policy_source, CONFIG_USER);
	assert_int_equal(c.limits[LIMIT_DIFF_BYTES].value, 99999999);
	assert_int_equal(c.limits[LIMIT_DIFF_LINES].value, 1);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].value, 7);
	assert_int_equal(c.limits[LIMIT_STORE_DAYS].value, 400);
	assert_int_equal(c.limits[LIMIT_REPEAT].value, 9);
	for (int i = 0; i < LIMITS; i++)
		assert_int_equal(c.limits[i].source, CONFIG_USER);
	ASSERT_TEXT(c.store, "/home/me/t");
	assert_int_equal(c.store_source, CONFIG_USER);
	assert_int_equal(c.bind, BIND_TOOL_RESULT);
	assert_int_equal(c.bind_source, CONFIG_USER);
	assert_int_equal(c.nexclude, 1);
	assert_int_equal(c.exclude[0].source, CONFIG_USER);
	assert_int_equal(c.remarks.n, 0);
}

static void
a_project_may_tighten(struct arena *arena)
{
	struct config c = merge(arena,
	    "{\"policy\":\"coverage\",\"exclude\":[\"*.a\"],"
	    "\"diff\":{\"maxBytes\":1000}}",
	    "{\"policy\":\"strict\",\"exclude\":[\"*.b\"],"
	    "\"diff\":{\"maxBytes\":999,\"maxLines\":0},"
	    "\"storeMaxBytes\":5,\"storeMaxAgeDays\":8,\"repeat\":2}",
	    "");

	assert_int_equal(c.remarks.n, 0);
	assert_int_equal(c.policy, POLICY_STRICT);
	assert_int_equal(c.policy_source, CONFIG_PROJECT);
	assert_int_equal(c.limits[LIMIT_DIFF_BYTES].value, 999);
	assert_int_equal(c.limits[LIMIT_DIFF_LINES].value, 0);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].value, 5);
	assert_int_equal(c.limits[LIMIT_STORE_DAYS].value, 8);
	assert_int_equal(c.limits[LIMIT_REPEAT].value, 2);
	for (int i = 0; i < LIMITS; i++)
		assert_int_equal(c.limits[i].source, CONFIG_PROJECT);
	assert_int_equal(c.nexclude, 2);
	ASSERT_TEXT(c.exclude[0].pattern.text, "*.a");
	assert_int_equal(c.exclude[0].source, CONFIG_USER);
	ASSERT_TEXT(c.exclude[1].pattern.text, "*.b");
	assert_int_equal(c.exclude[1].source, CONFIG_PROJECT);
}

/* Each of these is refused, named, and changes nothing. */
static void
a_project_may_not_loosen(struct arena *arena)
{
	static const struct {
		const char *project, *remark;
	} rows[] = {
	    {"{\"policy\":\"coverage\"}", "\"policy\""},
	    {"{\"policy\":\"pieces\"}", "\"policy\""},
	    {"{\"diff\":{\"maxBytes\":1001}}", "\"diff.maxBytes\" is 1001"},
	    {"{\"diff\":{\"maxLines\":101}}", "\"diff.maxLines\" is 101"},
	    {"{\"storeMaxBytes\":10001}", "\"storeMaxBytes\" is 10001"},
	    {"{\"store\":\"/tmp/elsewhere\"}", "\"store\""},
	    {"{\"bind\":\"tool_result\"}", "\"bind\""},
	    {"{\"bind\":\"override\"}", "\"bind\""},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct config c = merge(arena,
		    "{\"policy\":\"strict\","
		    "\"diff\":{\"maxBytes\":1000,\"maxLines\":100},"
		    "\"storeMaxBytes\":10000}",
		    rows[i].project, "");

		CHECK(c.remarks.n == 1 && remarked(&c.remarks, rows[i].remark),
		    "%s: %zu remarks", rows[i].project, c.remarks.n);
		ASSERT_TEXT(c.remarks.first->file, "project");
		assert_int_equal(c.policy, POLICY_STRICT);
		assert_int_equal(c.limits[LIMIT_DIFF_BYTES].value, 1000);
		assert_int_equal(c.limits[LIMIT_DIFF_LINES].value, 100);
		assert_int_equal(c.limits[LIMIT_STORE_BYTES].value, 10000);
		ASSERT_TEXT(c.store, "/work/p/.pi/readcache");
		assert_int_equal(c.bind, BIND_OVERRIDE);
		assert_int_equal(c.bind_source, CONFIG_DEFAULT);
	}
}

/* To ask for what is so anyway is no loosening. */
static void
a_project_may_agree(struct arena *arena)
{
	struct config c = merge(arena,
	    "{\"policy\":\"coverage\",\"diff\":{\"maxLines\":100}}",
	    "{\"policy\":\"coverage\",\"diff\":{\"maxLines\":100}}", "");

	assert_int_equal(c.remarks.n, 0);
	assert_int_equal(c.policy, POLICY_COVERAGE);
	assert_int_equal(c.policy_source, CONFIG_USER);
	assert_int_equal(c.limits[LIMIT_DIFF_LINES].source, CONFIG_USER);
	/* The same is so by default. */
	c = merge(arena, NULL, "{\"policy\":\"pieces\"}", "");
	assert_int_equal(c.remarks.n, 0);
	assert_int_equal(c.policy, POLICY_PIECES);
	assert_int_equal(c.policy_source, CONFIG_DEFAULT);
	c = merge(arena, "{\"policy\":\"coverage\"}",
	    "{\"policy\":\"pieces\"}", "");
	assert_int_equal(c.remarks.n, 1);
	assert_int_equal(c.policy, POLICY_COVERAGE);
	c = merge(arena, NULL, "{\"policy\":\"coverage\"}", "");
	assert_int_equal(c.remarks.n, 0);
	assert_int_equal(c.policy, POLICY_COVERAGE);
	assert_int_equal(c.policy_source, CONFIG_PROJECT);
	c = merge(arena, NULL, "{\"policy\":\"strict\"}", "");
	assert_int_equal(c.remarks.n, 0);
	assert_int_equal(c.policy, POLICY_STRICT);
	assert_int_equal(c.policy_source, CONFIG_PROJECT);
}

/* Others' old versions are not the project's to throw away. */
static void
a_shared_store_is_not_the_projects(struct arena *arena)
{
	struct config c = merge(arena, "{\"store\":\"/var/rc\"}",
	    "{\"storeMaxBytes\":0,\"storeMaxAgeDays\":0}", "");

	assert_int_equal(c.limits[LIMIT_STORE_BYTES].value,
	    256 * 1024 * 1024);
	assert_int_equal(c.limits[LIMIT_REPEAT].value, 3);
	assert_int_equal(c.limits[LIMIT_STORE_DAYS].value, 90);
	assert_true(remarked(&c.remarks, "\"storeMaxBytes\""));
	assert_true(remarked(&c.remarks, "\"storeMaxAgeDays\""));
	/* Nor are those of a store that a request names. */
	c = merge(arena, NULL, "{\"storeMaxAgeDays\":1}", "");
	assert_int_equal(config_store_limit(&c, c.store, LIMIT_STORE_DAYS), 1);
	assert_int_equal(config_store_limit(&c, SPAN("/var/rc"),
			     LIMIT_STORE_DAYS),
	    90);
}

static void
the_environment_decides_about_bind(struct arena *arena)
{
	struct config c = merge(arena, "{\"bind\":\"override\"}", NULL,
	    "tool_result");

	assert_int_equal(c.bind, BIND_TOOL_RESULT);
	assert_int_equal(c.bind_source, CONFIG_ENVIRONMENT);
	assert_int_equal(c.remarks.n, 0);
	c = merge(arena, "{\"bind\":\"tool_result\"}", NULL, "nonsense");
	assert_int_equal(c.bind, BIND_OVERRIDE);
	assert_int_equal(c.remarks.n, 1);
	ASSERT_TEXT(c.remarks.first->file, "READCACHE_BIND");
}

/* ---- patterns ---- */

static void
patterns(struct arena *arena)
{
	static const struct {
		const char *pattern, *path;
		bool match;
	} rows[] = {
	    {"*.secret", "/work/p/a.secret", true},
	    {"*.secret", "/elsewhere/deep/a.SECRET", true},
	    {"*.secret", "/work/p/a.secret/b", false},
	    {"*.secret", "/work/p/a.secrets", false},
	    {"notes", "/work/p/x/notes", true},
	    {"notes", "/work/p/notes/x", false},
	    {"*", "/work/p/.hidden", true},
	    {"[a-c]?.txt", "/work/p/bx.txt", true},
	    {"[a-c]?.txt", "/work/p/dx.txt", false},
	    {"a\\*b", "/work/p/a*b", true},
	    {"a\\*b", "/work/p/axb", false},

	    {"priv/", "/work/p/priv/a", true},
	    {"priv/", "/work/p/priv/deep/a", true},
	    {"priv/", "/work/p/private/a", false},
	    {"priv/", "/work/p/x/priv/a", false},
	    {"priv/", "/elsewhere/priv/a", false},
	    {"priv/", "/work/pp/priv/a", false},
	    {"./priv/a", "/work/p/priv/a", true},
	    {"priv/*", "/work/p/priv/deep/a", true},
	    {"priv/*.txt", "/work/p/priv/deep/a.txt", true},
	    {"priv/*.txt", "/work/p/priv/a.txt.c", false},
	    {"conf/prod*", "/work/p/conf/production/a", true},
	    {"CONF/a", "/work/p/conf/A", true},
	    {"**/a", "/work/p/a", true},
	    {"**/a", "/work/p/x/y/a", true},
	    {"**/a", "/work/p/ba", false},
	    {"x/**/a", "/work/p/x/a", true},
	    {"x/**/a", "/work/p/x/y/z/a", true},
	    {"x/**/a", "/work/p/y/a", false},
	    {"x/**", "/work/p/x/y/z", true},
	    {"x/**", "/work/p/x", false},

	    {"/priv", "/work/p/priv/a", true},
	    {"/priv", "/priv/a", true},
	    {"/priv", "/work/p/x/priv", false},
	    {"/work/p/x", "/work/p/x", true},
	    {"~/.ssh/", "/home/me/.ssh/config", true},
	    {"~/.ssh/", "/work/p/.ssh/config", false},
	    {"~/**/a", "/home/me/a", true},
	    {"~/**/a", "/home/me/x/a", true},
	    {"~/a", "/disk/me/a", true},
	    {"~/a", "/disk/me/b", false},
	    {"~/a", "/work/p/a", false},
	    {"~/a", "/a", false},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct config c = {.cwd = SPAN("/work/p"),
		    .real_cwd = SPAN("/work/p"),
		    .home = SPAN("/home/me"),
		    .real_home = SPAN("/disk/me"),
		    .nexclude = 1};
		struct config_pattern one = {
		    pattern_make(arena, span_str(rows[i].pattern),
			SPAN("/home/me")),
		    CONFIG_USER};

		c.exclude = &one;
		CHECK(config_excludes(arena, &c, span_str(rows[i].path)) ==
			rows[i].match,
		    "%s, %s", rows[i].pattern, rows[i].path);
	}
}

/* A home that looks like a pattern is a directory all the same. */
static void
homes_are_no_patterns(struct arena *arena)
{
	struct config_pattern one = {
	    pattern_make(arena, SPAN("~/a"), SPAN("/home/[me]*")), CONFIG_USER};
	struct config c = {.cwd = SPAN("/work"),
	    .home = SPAN("/home/[me]*"),
	    .exclude = &one,
	    .nexclude = 1};

	assert_true(config_excludes(arena, &c, SPAN("/home/[me]*/a")));
	assert_false(config_excludes(arena, &c, SPAN("/home/m/a")));
}

static void
cwd_may_be_the_root_or_a_link(struct arena *arena)
{
	struct config_pattern one = {
	    pattern_make(arena, SPAN("priv/"), SPAN("")), CONFIG_USER};
	struct config c = {.cwd = SPAN("/"), .real_cwd = SPAN("/"),
	    .exclude = &one, .nexclude = 1};

	assert_true(config_excludes(arena, &c, SPAN("/priv/a")));
	c.cwd = SPAN("/link");
	c.real_cwd = SPAN("/real");
	assert_true(config_excludes(arena, &c, SPAN("/link/priv/a")));
	assert_true(config_excludes(arena, &c, SPAN("/real/priv/a")));
	assert_false(config_excludes(arena, &c, SPAN("/priv/a")));
}

/* ---- files ---- */

struct world {
	struct arena *arena;
	const char *name;
	struct config_where where;
};

static const char *
at(const struct world *world, const char *rest)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/%s", world->name, rest);
	return unit_path(world->arena, path);
}

/* <name>/home and <name>/p with an empty .pi. */
static struct world
new_world(struct arena *arena, const char *name)
{
	struct world world = {.arena = arena, .name = name};

	assert_int_equal(mkdir(unit_path(arena, name), 0755), 0);
	assert_int_equal(mkdir(at(&world, "home"), 0755), 0);
	assert_int_equal(mkdir(at(&world, "home/.config"), 0755), 0);
	assert_int_equal(mkdir(at(&world, "home/.config/readcache"), 0755),
	    0);
	assert_int_equal(mkdir(at(&world, "p"), 0755), 0);
	assert_int_equal(mkdir(at(&world, "p/.pi"), 0755), 0);
	world.where = (struct config_where){span_str(at(&world, "p")),
	    span_str(at(&world, "home")), SPAN(""), SPAN(""), SPAN(""),
	    false};
	return world;
}

#define USER_FILE "home/.config/readcache/config.json"
#define PROJECT_FILE "p/.pi/readcache.json"

static void
both_files_are_read(struct arena *arena)
{
	struct world world = new_world(arena, "both");
	struct config c = config_load(arena, &world.where);

	assert_int_equal(c.user.state, CONFIG_ABSENT);
	assert_int_equal(c.project.state, CONFIG_ABSENT);
	ASSERT_TEXT(c.user.path, at(&world, USER_FILE));
	ASSERT_TEXT(c.project.path, at(&world, PROJECT_FILE));
	unit_write_file(at(&world, USER_FILE),
	    SPAN("{\"storeMaxBytes\":50,\"exclude\":[\"a/\"]}"));
	unit_write_file(at(&world, PROJECT_FILE),
	    SPAN("{\"storeMaxBytes\":40}"));
	c = config_load(arena, &world.where);
	assert_int_equal(c.remarks.n, 0);
	assert_int_equal(c.user.state, CONFIG_USED);
	assert_int_equal(c.project.state, CONFIG_USED);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].value, 40);
	assert_int_equal(c.nexclude, 1);
}

/* XDG_CONFIG_HOME counts if it is absolute. */
static void
the_place_of_the_users_file(struct arena *arena)
{
	struct world world = new_world(arena, "xdg");
	struct config c;

	unit_write_file(at(&world, USER_FILE), SPAN("{\"storeMaxBytes\":1}"));
	assert_int_equal(mkdir(at(&world, "xdg"), 0755), 0);
	assert_int_equal(mkdir(at(&world, "xdg/readcache"), 0755), 0);
	unit_write_file(at(&world, "xdg/readcache/config.json"),
	    SPAN("{\"storeMaxBytes\":2}"));
	world.where.xdg = span_str(at(&world, "xdg"));
	c = config_load(arena, &world.where);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].value, 2);
	world.where.xdg = SPAN("xdg");
	c = config_load(arena, &world.where);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].value, 1);
	world.where.home = SPAN("");
	c = config_load(arena, &world.where);
	assert_int_equal(c.user.path.n, 0);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].source, CONFIG_DEFAULT);
}

/* The project's file is ignored with a remark that holds TEXT. */
static void
check_ignored(struct world *world, const char *text)
{
	struct config c = config_load(world->arena, &world->where);

	CHECK(c.project.state == CONFIG_IGNORED, "%s: not ignored", text);
	CHECK(c.remarks.n == 1 && remarked(&c.remarks, text), "%s: %.*s",
	    text, c.remarks.n > 0 ? (int)c.remarks.first->sentence.n : 0,
	    c.remarks.n > 0 ? c.remarks.first->sentence.p : "");
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].source, CONFIG_DEFAULT);
}

static void
a_project_file_is_no_link(struct arena *arena)
{
	struct world world = new_world(arena, "links");
	const char *file = at(&world, PROJECT_FILE);

	unit_write_file(at(&world, "outside"), SPAN("{\"storeMaxBytes\":1}"));
	assert_int_equal(symlink("../../outside", file), 0);
	check_ignored(&world, "symbolic link");
	assert_int_equal(unlink(file), 0);

	/* .pi leads elsewhere, where a good file is. */
	assert_int_equal(rename(at(&world, "outside"), file), 0);
	assert_int_equal(rename(at(&world, "p/.pi"), at(&world, "moved")), 0);
	assert_int_equal(symlink("../moved", at(&world, "p/.pi")), 0);
	check_ignored(&world, ".pi is a symbolic link");
}

static void
a_project_file_is_a_small_file(struct arena *arena)
{
	struct world world = new_world(arena, "kinds");
	const char *file = at(&world, PROJECT_FILE);
	struct span blanks = unit_repeat(arena, SPAN(" "), 64 * 1024 - 19);

	assert_int_equal(mkfifo(file, 0600), 0);
	check_ignored(&world, "regular file");
	assert_int_equal(unlink(file), 0);
	assert_int_equal(mkdir(file, 0700), 0);
	check_ignored(&world, "regular file");
	assert_int_equal(rmdir(file), 0);
	unit_write_file(file, SPAN("{\"storeMaxBytes\":1"));
	check_ignored(&world, "JSON");
	unit_write_file(file,
	    unit_join(arena, SPAN("{\"storeMaxBytes\":1}"), blanks));
	assert_int_equal(
	    config_load(arena, &world.where).limits[LIMIT_STORE_BYTES].value,
	    1);
	unit_write_file(file,
	    unit_join(arena, SPAN("{\"storeMaxBytes\":10}"), blanks));
	check_ignored(&world, "64 KiB");
}

/* The user's may be a link: it is how people keep their files. */
static void
the_users_file_may_be_a_link(struct arena *arena)
{
	struct world world = new_world(arena, "user-link");
	const char *file = at(&world, USER_FILE);
	struct config c;

	unit_write_file(at(&world, "dotfiles"),
	    SPAN("{\"storeMaxBytes\":3}"));
	assert_int_equal(symlink(at(&world, "dotfiles"), file), 0);
	c = config_load(arena, &world.where);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].value, 3);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(mkfifo(file, 0600), 0);
	c = config_load(arena, &world.where);
	assert_int_equal(c.user.state, CONFIG_IGNORED);
	assert_int_equal(c.remarks.n, 1);
	assert_int_equal(c.limits[LIMIT_STORE_BYTES].source, CONFIG_DEFAULT);
}

/* Nothing is there at all, not even the directory. */
static void
no_directory_is_no_remark(struct arena *arena)
{
	struct config_where where = {span_str(unit_path(arena, "no/such")),
	    span_str(unit_path(arena, "no/home")), SPAN(""), SPAN(""),
	    SPAN(""), false};
	struct config c = config_load(arena, &where);

	assert_int_equal(c.remarks.n, 0);
	where.cwd = SPAN("/");
	c = config_load(arena, &where);
	ASSERT_TEXT(c.project.path, "/.pi/readcache.json");
	ASSERT_TEXT(c.store, "/.pi/readcache");
}

/* It is loaded for every read; descriptors must not add up. */
static void
loading_is_repeatable(struct arena *arena)
{
	struct world world = new_world(arena, "often");

	unit_write_file(at(&world, USER_FILE), SPAN("{}"));
	unit_write_file(at(&world, PROJECT_FILE), SPAN("{}"));
	for (int i = 0; i < 100; i++)
		assert_int_equal(config_load(arena, &world.where).user.state,
		    CONFIG_USED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_setting_is_read),
		TEST(nothing_is_said),
		TEST(no_object_is_no_settings),
		TEST(wrong_values_are_named),
		TEST(the_last_of_equal_names_counts),
		TEST(remarks_are_bounded),
		TEST(patterns_are_bounded),
		TEST(defaults),
		TEST(the_user_may_set_everything),
		TEST(a_project_may_tighten),
		TEST(a_project_may_not_loosen),
		TEST(a_project_may_agree),
		TEST(a_shared_store_is_not_the_projects),
		TEST(the_environment_decides_about_bind),
		TEST(patterns),
		TEST(homes_are_no_patterns),
		TEST(cwd_may_be_the_root_or_a_link),
		TEST(both_files_are_read),
		TEST(the_place_of_the_users_file),
		TEST(a_project_file_is_no_link),
		TEST(a_project_file_is_a_small_file),
		TEST(the_users_file_may_be_a_link),
		TEST(no_directory_is_no_remark),
		TEST(loading_is_repeatable),
	};

	return RUN_TESTS_IN_DIR(tests);
}
