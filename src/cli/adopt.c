#include "cli/adopt.h"

#include <errno.h>
#include <stdio.h>

#include "base/amount.h"
#include "cli/store_open.h"
#include "json/emit.h"
#include "store/owner.h"
#include "store/seal.h"
#include "store/walk.h"

/*
 * All names in DIR of KIND, S_IFREG or S_IFDIR.  They are listed before the
 * work begins, because sealing makes new files.
 */
static struct span *
names_in(struct arena *arena, int dir, mode_t kind, size_t *n)
{
	size_t room = (size_t)walk_count(dir), got = 0;
	struct span *names = arena_array(arena, room + 1, sizeof(*names));
	struct walk walk = walk_begin(dir);
	struct walk_thing thing;

	while (got < room && walk_any(&walk, &thing))
		if ((thing.st.st_mode & S_IFMT) == kind &&
		    strcmp(thing.name, DIR_STAMP) != 0)
			names[got++] = span_str(arena_cstr(
			    arena, span_str(thing.name)));
	walk_end(&walk);
	*n = got;
	return names;
}

/*
 * Seal all files in DIR, which is SUB of the store, or the directory BELOW in
 * it.  The result is how many were sealed.
 */
static uint64_t
seal_files(struct store *store, int dir, struct span sub, struct span below)
{
	uint64_t sealed = 0;
	size_t n;
	struct span *names = names_in(store->arena, dir, S_IFREG, &n);

	for (size_t i = 0; i < n; i++)
		sealed += seal_again(store, dir,
		    (struct seal_name){sub, below, names[i].p});
	return sealed;
}

/* Seal all files in the directories of SUB. */
static uint64_t
seal_below(struct store *store, const char *sub)
{
	int dir = dir_open(store, sub, DIR_USE);
	uint64_t sealed = 0;
	struct span *names;
	size_t n;

	if (dir < 0)
		return 0;
	names = names_in(store->arena, dir, S_IFDIR, &n);
	for (size_t i = 0; i < n; i++) {
		int below = dir_below(store, dir, names[i].p, DIR_USE);

		if (below < 0)
			continue;
		sealed += seal_files(store, below, span_str(sub), names[i]);
		arena_close_fd(store->arena, below);
	}
	arena_close_fd(store->arena, dir);
	return sealed;
}

static uint64_t
seal_all(struct store *store)
{
	int memo = dir_open(store, "memo", DIR_USE);
	uint64_t sealed =
	    memo >= 0 ? seal_files(store, memo, SPAN("memo"), SPAN("")) : 0;

	return sealed + seal_below(store, "stages") +
	       seal_below(store, "flows");
}

static void
show(struct cli *cli, struct span root, const char *what, uint64_t sealed)
{
	struct buf *out = &cli->out;

	if (cli->json) {
		buf_char(out, '{');
		emit_number_member(out, "v", 1);
		emit_number_member(out, "adopted", sealed);
		buf_str(out, "}\n");
		return;
	}
	cli_text(cli, root);
	buf_str(out, what);
	if (sealed > 0) {
		buf_str(out, ", with ");
		amount_count(out, sealed, "text");
	}
	buf_char(out, '\n');
}

int
cli_adopt(struct cli *cli)
{
	struct store_opened opened;
	struct store *store = &opened.store;
	enum dir_fault fault;

	if (store_choose_quietly(cli, NULL, &opened) != CLI_OK)
		return CLI_USAGE;
	fault = dir_look(store);
	if (fault == DIR_KEY_UNFIT) {
		(void)store_check(cli, &opened);
		return CLI_USAGE;
	}
	if (fault != DIR_FINE && fault != DIR_STRANGE) {
		(void)store_check(cli, &opened);
		return cli_unusable(cli, arena_cstr(cli->arena, store->root),
		    "there is nothing to adopt.");
	}
	if (fault == DIR_FINE) {
		show(cli, store->root, ": it is yours already", 0);
		return CLI_OK;
	}
	if (!owner_take(store))
		return cli_unusable(cli, arena_cstr(cli->arena, store->root),
		    errno == EACCES ? dir_fault_text(DIR_KEYLESS)
				    : strerror(errno));
	show(cli, store->root, ": it is yours now", seal_all(store));
	return CLI_OK;
}
