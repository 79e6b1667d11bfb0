/*
 * config.h -- the settings in force, and where each comes from.
 *
 * There are two files: the user's, $XDG_CONFIG_HOME/readcache/config.json, and
 * the project's, <cwd>/.pi/readcache.json.  The project's file comes with a
 * cloned repository and is not trusted: it may only tighten.
 *
 * Nothing here fails.  What cannot be used is left out, and a remark says why.
 * If a file may exist but cannot be read, it might exclude any file; then
 * unread is set.
 *
 * Settings are loaded for every read, so loading is cheap: without files it
 * takes two system calls.
 */
#ifndef READCACHE_CONFIG_CONFIG_H
#define READCACHE_CONFIG_CONFIG_H

#include <stdint.h>

#include "config/match.h"
#include "config/remark.h"
#include "replay/policy.h"

enum config_source {
	CONFIG_DEFAULT,
	CONFIG_USER,
	CONFIG_PROJECT,
	CONFIG_ENVIRONMENT /* for "bind" only */
};

/* How the pi extension takes part in reads. */
enum config_bind { BIND_OVERRIDE, BIND_TOOL_RESULT };

enum config_limit {
	LIMIT_DIFF_BYTES, /* larger files are not compared */
	LIMIT_DIFF_LINES,
	LIMIT_STORE_BYTES, /* gc brings a larger store down to this */
	LIMIT_STORE_DAYS,  /* gc removes what was not used for this long */
	LIMIT_REPEAT, /* marker in a row that is sent as text (coverage) */
	LIMITS
};

/* Settings of the work cache: texts that were validated. */
enum config_work {
	WORK_TTL,	/* how long a flow file's session lasts: a duration */
	WORK_ITERATION, /* "on" or "off": do flow files have a session? */
	WORK_CHECKOUT,	/* how outputs are restored, in order of preference */
	WORK_SETTINGS
};

struct config_text {
	struct span value;
	enum config_source source;
};

struct config_number {
	uint64_t value;
	enum config_source source;
};

struct config_pattern {
	struct pattern pattern;
	enum config_source source;
};

/* One of the two files. */
enum config_state {
	CONFIG_ABSENT,
	CONFIG_USED,
	CONFIG_IGNORED /* a remark says why */
};

struct config_file {
	struct span path; /* empty: there is no place for it */
	enum config_state state;
};

struct config {
	struct span cwd;      /* absolute and normalized */
	struct span real_cwd; /* cwd without links; empty: not needed */
	struct span home, real_home; /* the same; empty: not needed */
	enum policy policy;
	enum config_source policy_source;
	struct config_number limits[LIMITS];
	uint64_t shared_limits[LIMITS]; /* for any store but config->store */
	struct config_pattern *exclude; /* besides the built-in names */
	size_t nexclude;
	struct span store; /* absolute and normalized */
	enum config_source store_source;
	enum config_bind bind;
	enum config_source bind_source;
	struct config_text work[WORK_SETTINGS];
	struct config_file user, project;
	bool unread; /* there are some, and what they exclude is not known */
	struct remarks remarks;
};

/* What the settings depend on besides the files. */
struct config_where {
	struct span cwd;  /* absolute */
	struct span home; /* empty: none */
	struct span xdg;  /* XDG_CONFIG_HOME, empty: not set */
	struct span bind; /* READCACHE_BIND, empty: not set */
	struct span state; /* XDG_STATE_HOME, empty: not set */
	bool homeless;    /* it is not known which home it is */
};

/* For CWD, with the rest taken from the environment. */
struct config_where config_where(struct span cwd);

/*
 * The directory of the user's key, which identifies the user's stores:
 * $XDG_STATE_HOME/readcache, or ~/.local/state/readcache.  Empty if there is no
 * place for it.
 */
struct span config_keys(struct arena *arena, const struct config_where *where);

/* Read both files.  The whole result lives in ARENA. */
struct config config_load(struct arena *arena,
    const struct config_where *where);

/* Do the settings exclude PATH, which is absolute and normalized? */
bool config_excludes(struct arena *arena, const struct config *config,
    struct span path);

/*
 * LIMIT for the store ROOT.  What a project lowers holds only for
 * config->store.
 */
uint64_t config_store_limit(const struct config *config, struct span root,
    enum config_limit limit);

/* The names that users write. */
const char *config_source_name(enum config_source source);
const char *config_bind_name(enum config_bind bind);
const char *config_limit_name(enum config_limit limit);
const char *config_work_name(enum config_work setting);

/*
 * Is TEXT valid for SETTING?  config_work_wants says what is valid, as a part
 * of a sentence.
 */
bool config_work_valid(enum config_work setting, struct span text);
const char *config_work_wants(enum config_work setting);

/* How long a session lasts, in ms; and whether there are sessions at all. */
uint64_t config_session_ttl(const struct config *config);
bool config_iterates(const struct config *config);

#endif
