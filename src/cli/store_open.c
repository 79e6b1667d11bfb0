#include "cli/store_open.h"

#include <errno.h>

#include "path/name.h"
#include "path/where.h"
#include "store/dir.h"
#include "store/owner.h"

/* The directory NAMED, or the one in force, as an absolute name. */
static struct span
choose_root(struct cli *cli, const char *named, const struct config *config)
{
	struct span path;

	if (named == NULL)
		return config->store;
	path = name_from(cli->arena, config->cwd, span_str(named));
	/* A link that the user names is followed; no other link is. */
	return where_of(cli->arena, config->cwd,
	    name_normalize(cli->arena, path), WHERE_LEADS)
	    .name;
}

static void
tell(struct cli *cli, struct store_opened *opened, enum dir_fault fault)
{
	/* Only the first message about a store is printed. */
	if (!opened->told)
		(void)cli_unusable(cli,
		    arena_cstr(cli->arena, opened->store.root),
		    fault == DIR_FAILED ? strerror(errno)
					: dir_fault_text(fault));
	opened->told = true;
}

/*
 * Report a store that is not ours: otherwise nobody would know why nothing is
 * found in it.
 */
static void
tell_owner(struct cli *cli, struct store_opened *opened)
{
	struct store *store = &opened->store;
	int root = dir_root(store, DIR_LOOK);

	if (store->guarded && store->keys.n == 0)
		tell(cli, opened, DIR_KEYLESS);
	else if (owner_key_is_unfit(store))
		tell(cli, opened, DIR_KEY_UNFIT);
	else if (root >= 0 && owner_ask(store, root, DIR_LOOK) == OWNER_STRANGE)
		tell(cli, opened, DIR_STRANGE);
}

bool
store_excludes(struct arena *arena, const void *config, struct span path)
{
	const struct config *settings = config;

	return settings->unread || config_excludes(arena, settings, path);
}

int
store_choose(struct cli *cli, const char *named, struct store_opened *opened)
{
	int status = store_choose_quietly(cli, named, opened);

	if (status == CLI_OK)
		tell_owner(cli, opened);
	return status;
}

int
store_choose_quietly(
    struct cli *cli, const char *named, struct store_opened *opened)
{
	struct config_where where;
	struct span cwd;

	if (named != NULL && named[0] == '\0')
		return cli_usage(cli, "--store needs the name of a directory.");
	if (!cli_cwd(cli, &cwd))
		return CLI_USAGE;
	where = config_where(cwd);
	opened->config = config_load(cli->arena, &where);
	opened->store = store_at(cli->arena,
	    choose_root(cli, named, &opened->config), opened->config.cwd);
	opened->store.keys = config_keys(cli->arena, &where);
	/* A store that the user has named is trusted. */
	if (named == NULL && opened->config.store_source == CONFIG_DEFAULT)
		store_guard(&opened->store);
	opened->absent = false;
	opened->told = false;
	return CLI_OK;
}

int
store_check(struct cli *cli, struct store_opened *opened)
{
	enum dir_fault fault = dir_look(&opened->store);

	opened->absent = fault == DIR_ABSENT;
	if (fault == DIR_FINE || fault == DIR_ABSENT)
		return CLI_OK;
	tell(cli, opened, fault);
	return CLI_STORE;
}
