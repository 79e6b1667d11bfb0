#include "cli/commands.h"
#include "cli/session.h"
#include "inspect/replay.h"
#include "json/emit.h"

static const char head[] =
    "Examples:\n"
    "  readcache replay session.jsonl             what its last entry can trust\n"
    "  readcache replay session.jsonl --leaf 4f1c2a9e\n"
    "  readcache replay session.jsonl --all-leaves --json\n"
    "\n"
    "Usage: readcache replay FILE [options]\n"
    "\n"
    "Replays a branch of a recorded pi session and shows what is proven to be\n"
    "in the model's context at its end: every trusted file and range, with the\n"
    "hash of the version that was shown; the boundary after which things\n"
    "count; and every entry that proves nothing, with the reason.\n";

static const char tail[] =
    "Exit status: 0 replayed, 1 a leaf cannot be trusted at all, 2 unusable.\n";

struct replay_given {
	const char *leaf;
	bool all;
};

#define AT(member) offsetof(struct replay_given, member)

static const struct command_option options[] = {
    {"leaf", .value = "ID", .kind = OPTION_TEXT, .at = AT(leaf),
	.help = "the branch that ends there; else the file's last entry\n"
		"(in version 1 sessions entries have the ids #LINE)"},
    {"all-leaves", .kind = OPTION_FLAG, .at = AT(all),
	.help = "every tip of the session's tree"},
    {"json", .kind = OPTION_JSON, .help = "for programs"},
};

/* Where the branch begins to count: an index into the branch's entries. */
static void
emit_boundary(struct buf *out, const struct index *index,
    const struct index_path *path)
{
	emit_name(out, "boundary");
	buf_char(out, '{');
	emit_name(out, "entryId");
	if (path->compaction != NODE_NONE)
		emit_string(out, index->nodes[path->compaction].id);
	else
		buf_str(out, "null");
	emit_number_member(out, "index", path->start);
	buf_char(out, '}');
}

static void
emit_trust(struct cli *cli, const struct replay *replay)
{
	struct buf *out = &cli->out;
	char hex[DIGEST_HEX + 1];

	emit_name(out, "trust");
	buf_char(out, '[');
	for (size_t i = 0; i < replay->ntrust; i++) {
		const struct trust_item *item = &replay->trust[i];

		buf_str(out, i > 0 ? ",{" : "{");
		emit_string_member(out, "path", item->path);
		if (!span_eq(item->path, item->name))
			emit_string_member(out, "name", item->name);
		emit_name(out, "scope");
		buf_char(out, '"');
		scope_write(out, item->scope);
		buf_char(out, '"');
		digest_hex(&item->hash, hex);
		emit_string_member(out, "hash", span_str(hex));
		emit_number_member(out, "seq", item->seq);
		buf_char(out, '}');
	}
	buf_char(out, ']');
}

static void
emit_ignored(struct buf *out, const struct index *index,
    const struct replay *replay)
{
	emit_name(out, "ignored");
	buf_char(out, '[');
	for (size_t i = 0; i < replay->nignored; i++) {
		const struct replay_ignored *one = &replay->ignored[i];

		buf_str(out, i > 0 ? ",{" : "{");
		emit_string_member(out, "entryId", index->nodes[one->node].id);
		emit_string_member(out, "why", span_str(replay_why(one->why, one->pieced)));
		buf_char(out, '}');
	}
	buf_char(out, ']');
}

static void
emit_members(struct cli *cli, const struct index *index, uint32_t leaf,
    const struct replay *replay)
{
	struct buf *out = &cli->out;

	emit_string_member(out, "leafId", index->nodes[leaf].id);
	emit_boundary(out, index, &replay->path);
	emit_trust(cli, replay);
	emit_name(out, "modes");
	buf_char(out, '{');
	for (int m = 0; m < MODE_PLAIN; m++)
		emit_number_member(out, mode_name((enum mode)m),
		    replay->modes[m]);
	buf_char(out, '}');
	emit_ignored(out, index, replay);
}

static void
tell_boundary(struct cli *cli, const struct index *index,
    const struct index_path *path)
{
	struct buf *out = &cli->out;

	buf_str(out, "counts from: ");
	if (path->compaction != NODE_NONE) {
		buf_str(out, "after the compaction ");
		cli_text(cli, index->nodes[path->compaction].id);
	} else {
		buf_str(out, path->broken
			? "after an entry that cannot be read"
			: "the beginning");
	}
	buf_str(out, ", ");
	buf_u64(out, path->n - path->start);
	buf_str(out, " of ");
	buf_u64(out, path->n);
	buf_str(out, " entries of the branch\n");
}

static void
tell_trust(struct cli *cli, const struct replay *replay)
{
	struct buf *out = &cli->out;
	char hex[DIGEST_HEX + 1];

	buf_str(out, "trusted: ");
	buf_u64(out, replay->ntrust);
	buf_str(out, replay->ntrust == 1 ? " scope of " : " scopes of ");
	buf_u64(out, replay->files);
	buf_str(out, replay->files == 1 ? " file\n" : " files\n");
	for (size_t i = 0; i < replay->ntrust; i++) {
		const struct trust_item *item = &replay->trust[i];

		digest_hex(&item->hash, hex);
		hex[12] = '\0';
		buf_str(out, "  ");
		buf_str(out, hex);
		buf_str(out, "  ");
		cli_text(cli, item->name);
		if (item->scope.kind == SCOPE_RANGE) {
			buf_str(out, " lines ");
			buf_u64(out, item->scope.first);
			buf_char(out, '-');
			buf_u64(out, item->scope.last);
		}
		buf_char(out, '\n');
	}
}

static void
tell(struct cli *cli, const struct index *index, uint32_t leaf,
    const struct replay *replay)
{
	struct buf *out = &cli->out;
	const char *separator = "reads: ";

	buf_str(out, "leaf: ");
	cli_text(cli, index->nodes[leaf].id);
	buf_char(out, '\n');
	tell_boundary(cli, index, &replay->path);
	for (int m = 0; m < MODE_PLAIN; m++) {
		buf_str(out, separator);
		buf_str(out, mode_name((enum mode)m));
		buf_char(out, ' ');
		buf_u64(out, replay->modes[m]);
		separator = ", ";
	}
	buf_char(out, '\n');
	tell_trust(cli, replay);
	buf_str(out, "ignored: ");
	buf_u64(out, replay->nignored);
	buf_char(out, '\n');
	for (size_t i = 0; i < replay->nignored; i++) {
		const struct replay_ignored *one = &replay->ignored[i];

		buf_str(out, "  ");
		cli_text(cli, index->nodes[one->node].id);
		buf_str(out, "  ");
		buf_str(out, replay_why(one->why, one->pieced));
		buf_char(out, '\n');
	}
}

/* T8 */
static const char no_trust[] = "the entry cannot be read, its id occurs twice, "
			       "or its parents go in a circle";

/* More leaves than can be replayed at once. */
static const char too_many[] = "the session has too many branches to replay "
			       "them all, these are the latest; --leaf shows "
			       "any other";

/* As JSON, say WHY there is nothing to show of LEAF. */
static void
emit_refusal(struct cli *cli, const struct index *index, uint32_t leaf,
    const char *why)
{
	if (!cli->json)
		return;
	emit_string_member(&cli->out, "leafId", index->nodes[leaf].id);
	emit_string_member(&cli->out, "why", span_str(why));
}

/* Show one leaf.  FIRST says that nothing was written before it. */
static int
show_leaf(struct cli *cli, const struct index *index, uint32_t leaf,
    bool first)
{
	struct arena *arena = arena_scratch(cli->arena);
	struct history_where where = {
	    .here = {.cwd = index->cwd}, .dirs = index->dirs};
	struct replay replay;

	if (!locate_home(&where.here.home))
		where.here.home = SPAN("");
	if (where.here.cwd.n == 0)
		where.here.cwd = SPAN("/");
	if (!replay_leaf(index, leaf, &where, arena, &replay)) {
		(void)cli_unusable(cli,
		    arena_cstr(cli->arena, index->nodes[leaf].id), no_trust);
		emit_refusal(cli, index, leaf, no_trust);
		return CLI_FOUND;
	}
	if (!cli->json) {
		if (!first)
			buf_char(&cli->out, '\n');
		tell(cli, index, leaf, &replay);
	} else {
		emit_members(cli, index, leaf, &replay);
	}
	arena_reset(arena);
	return CLI_OK;
}

/* Show all leaves, or the latest ones if there are too many. */
static int
show_all(struct cli *cli, const struct index *index, const char *file)
{
	const bool *chosen = replay_choose(index, cli->arena);
	int status = CLI_OK;
	bool first = true, all = true;

	if (cli->json)
		buf_str(&cli->out, "{\"v\":1,\"leaves\":[");
	for (uint32_t i = 0; i < index->n; i++) {
		if (index->nodes[i].has_child)
			continue;
		all = all && chosen[i];
		if (!chosen[i] && !cli->json)
			continue;
		if (cli->json)
			buf_str(&cli->out, first ? "{" : ",{");
		if (!chosen[i])
			emit_refusal(cli, index, i, too_many);
		else if (show_leaf(cli, index, i, first) != CLI_OK)
			status = CLI_FOUND;
		if (cli->json)
			buf_char(&cli->out, '}');
		first = false;
		if (cli_flush(cli, CLI_OK) != CLI_OK)
			return CLI_USAGE; /* write at once: there may be many */
	}
	if (cli->json)
		buf_str(&cli->out, "]}\n");
	if (!all)
		(void)cli_unusable(cli, file, too_many);
	return all ? status : CLI_FOUND;
}

static int
show_one(struct cli *cli, const struct index *index, uint32_t leaf)
{
	int status;

	if (!cli->json)
		return show_leaf(cli, index, leaf, true);
	buf_str(&cli->out, "{\"v\":1");
	status = show_leaf(cli, index, leaf, true);
	if (status != CLI_OK)
		cli->out.n = 0;
	else
		buf_str(&cli->out, "}\n");
	return status;
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	const struct replay_given *typed = given;
	struct index index;
	uint32_t leaf;

	if (words.n != 1)
		return cli_usage(cli, "replay takes one session file.");
	if (typed->all && typed->leaf != NULL)
		return cli_usage(cli, "--leaf and --all-leaves exclude "
				      "each other.");
	if (!cli_session(cli, cli->arena, words.at[0], &index))
		return CLI_USAGE;
	if (typed->all)
		return show_all(cli, &index, words.at[0]);
	leaf = cli_leaf(cli, &index, words.at[0], typed->leaf);
	return leaf != NODE_NONE ? show_one(cli, &index, leaf) : CLI_USAGE;
}

const struct command cli_replay = {
    .name = "replay",
    .takes = "FILE",
    .summary = "what a recorded session's leaf can trust, and why",
    .offer = OFFER_FILES,
    .size = sizeof(struct replay_given),
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
