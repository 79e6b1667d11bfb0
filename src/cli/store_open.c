#include "cli/store_open.h"

#include <errno.h>

#include "path/name.h"
#include "path/where.h"
#include "store/dir.h"

/* The directory NAMED, or the one in force, as an absolute name. */
static struct span
choose_root(struct cli *cli, const char *named, const struct config *config)
{
	struct buf path = buf_new(cli->arena, 256);

	if (named == NULL)
		return config->store;
	if (named[0] != '/') {
		buf_add(&path, config->cwd);
		buf_char(&path, '/');
	}
	buf_str(&path, named);
	/* Who names a link means what it leads to; others are not followed. */
	return where_of(cli->arena, config->cwd,
	    name_normalize(cli->arena, buf_span(&path)), WHERE_LEADS)
	    .name;
}

int
store_choose(struct cli *cli, const char *named, struct store_opened *opened)
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
	opened->absent = false;
	return CLI_OK;
}

int
store_check(struct cli *cli, struct store_opened *opened)
{
	enum dir_fault fault = dir_look(&opened->store);

	opened->absent = fault == DIR_ABSENT;
	if (fault == DIR_FINE || fault == DIR_ABSENT)
		return CLI_OK;
	(void)cli_unusable(cli, arena_cstr(cli->arena, opened->store.root),
	    fault == DIR_FAILED ? strerror(errno) : dir_fault_text(fault));
	return CLI_STORE;
}
