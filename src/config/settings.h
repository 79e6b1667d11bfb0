/*
 * settings.h -- what one settings file says.  merge.h decides what it may say.
 */
#ifndef READCACHE_CONFIG_SETTINGS_H
#define READCACHE_CONFIG_SETTINGS_H

#include "config/config.h"

struct settings {
	bool has_policy, has_store, has_bind;
	bool has_limit[LIMITS];
	struct span work[WORK_SETTINGS]; /* p is NULL: not set */
	enum policy policy;
	enum config_bind bind;
	uint64_t limits[LIMITS];
	struct span store; /* absolute, or beginning with "~/" */
	struct span *exclude;
	size_t nexclude;
	bool exclude_lost; /* some part of exclude could not be used */
};

/*
 * Read TEXT, the contents of FILE.  What is not understood is left out, and a
 * remark says so.  False if nothing can be used.
 */
bool settings_parse(struct arena *arena, struct span text, struct span file,
    struct remarks *remarks, struct settings *settings);

/*
 * The bind called TEXT.  False if there is none of that name; *BIND is then
 * BIND_OVERRIDE.
 */
bool settings_bind(struct span text, enum config_bind *bind);

#endif
