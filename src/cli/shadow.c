#include "base/amount.h"
#include "base/lossy.h"
#include "cli/commands.h"
#include "cli/losses.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "file/locate.h"
#include "host/host.h"
#include "inspect/shadow.h"
#include "json/emit.h"

static const char head[] =
    "Examples:\n"
    "  readcache shadow session.jsonl      what readcache would have saved\n"
    "  readcache shadow ~/.pi/agent/sessions/*/*.jsonl\n"
    "  readcache shadow --policy strict session.jsonl\n"
    "                                      what that policy alone would have\n"
    "  readcache shadow --json session.jsonl\n"
    "\n"
    "Usage: readcache shadow [options] FILE...\n"
    "\n"
    "Answers every read of sessions that were recorded without readcache once\n"
    "more, by the same decision as a real read, from the recorded texts, and\n"
    "counts the bytes of those answers. Nothing is estimated but tokens, which\n"
    "are bytes/4. Reads that cannot be told from the recording (images, texts\n"
    "that are not the host's) count as served in full.\n";

static const char tail[] =
    "Exit status: 0 done, 2 a file cannot be used.\n";

enum { LISTED = 10 };

struct shadow_given {
	const char *policy, *files;
	bool reads;
};

#define AT(member) offsetof(struct shadow_given, member)

static const struct command_option options[] = {
    {"policy", .value = "NAME", .kind = OPTION_TEXT, .at = AT(policy),
	.offer = OFFER_WORDS, .words = "strict coverage pieces",
	.help = "pieces (default) or coverage, side by side with\n"
		"strict; or strict alone"},
    {"files", .value = "N", .kind = OPTION_TEXT, .at = AT(files),
	.help = "how many files to list, most saved first (10)"},
    {"json", .kind = OPTION_JSON, .help = "for programs; lists all files"},
    {"reads", .kind = OPTION_FLAG, .at = AT(reads),
	.help = "with --json: list every read, too"},
};

/* Sums over several sessions. */
struct shadow_total {
	enum policy policy;
	struct shadow_sum all;
	struct shadow_sum strict; /* to compare, if POLICY is another */
	uint64_t compact, violations, sessions;
	uint64_t losses;
	struct buf losses_list;
	bool reads; /* list them */
	struct buf reads_list;
	bool several; /* more than one session is named */
	struct listed_file *files;
	size_t nfiles;
	struct map *by_name; /* name -> struct listed_file * */
};

struct listed_file {
	struct listed_file *next;
	struct shadow_sum sum;
};

static void
add_sums(struct shadow_sum *to, const struct shadow_sum *sum)
{
	to->reads += sum->reads;
	to->baseline_bytes += sum->baseline_bytes;
	to->served_bytes += sum->served_bytes;
	for (int m = 0; m < MODE_COUNT; m++)
		to->modes[m] += sum->modes[m];
}

/* Add a file of one session, which may have been read in others too. */
static void
add_file(struct arena *arena, struct shadow_total *total,
    const struct shadow_sum *sum)
{
	struct span name = {arena_cstr(arena, sum->name), sum->name.n};
	uint64_t *found = map_at(total->by_name, name, 0);
	struct listed_file *file = (struct listed_file *)(uintptr_t)*found;

	if (file == NULL) {
		file = arena_array(arena, 1, sizeof(*file));
		file->sum.name = name;
		file->next = total->files;
		total->files = file;
		total->nfiles++;
		*found = (uintptr_t)file;
	}
	add_sums(&file->sum, sum);
}

/* All files, most bytes saved first. */
static struct shadow_sum *
sort_files(struct arena *arena, const struct shadow_total *total)
{
	struct shadow_sum *sorted = arena_array(arena, total->nfiles + 1,
	    sizeof(*sorted));
	size_t n = 0;

	for (const struct listed_file *f = total->files; f != NULL;
	     f = f->next)
		sorted[n++] = f->sum;
	shadow_sort(sorted, n);
	return sorted;
}

static void
add_shadow(
    struct cli *cli, const struct shadow *shadow, struct shadow_total *total)
{
	add_sums(&total->all, &shadow->all);
	total->compact += shadow->compact;
	total->violations += shadow->violations;
	total->sessions++;
	for (size_t i = 0; i < shadow->nfiles; i++)
		add_file(cli->arena, total, &shadow->files[i]);
}

/* The list of reads, and whose they are. */
struct read_list {
	struct buf *out;
	const struct index *index;
	const char *file; /* NULL: there is one session */
	struct arena *arena;
};

static void
list_read(void *context, const struct shadow_read *read)
{
	const struct read_list *list = context;
	struct buf *out = list->out;

	buf_str(out, out->n > 0 ? ",{" : "{");
	if (list->file != NULL)
		emit_string_member(out, "file",
		    lossy(list->arena, span_str(list->file)));
	emit_string_member(out, "entryId", list->index->nodes[read->node].id);
	if (read->name.n > 0)
		emit_string_member(out, "path", read->name);
	emit_string_member(out, "mode", span_str(mode_name(read->mode)));
	if (read->reason != NULL)
		emit_string_member(out, "reason", span_str(read->reason));
	emit_number_member(out, "baselineBytes", read->baseline_bytes);
	emit_number_member(out, "servedBytes", read->served_bytes);
	buf_char(out, '}');
}

static bool
add_session(struct cli *cli, const char *file, struct shadow_total *total)
{
	struct arena *arena = arena_scratch(cli->arena);
	struct arena *walk = arena_scratch(arena); /* for one policy */
	struct progress progress = progress_begin(file);
	struct session_records records;
	struct shadow shadow;
	struct index index;
	struct span home;
	struct read_list list = {&total->reads_list, &index,
	    total->several ? file : NULL, arena};

	if (!cli_session(cli, arena, file, &index)) {
		arena_reset(arena);
		return false;
	}
	if (!locate_home(&home))
		home = SPAN("");
	records = host->records(&index, progress_tell, &progress);
	progress_end(&progress);
	total->losses += records.losses;
	losses_emit(cli, &total->losses_list, &records,
	    total->several ? file : NULL);
	shadow = shadow_run_each(&records, total->policy, home,
	    total->reads ? list_read : NULL, &list, walk);
	add_shadow(cli, &shadow, total);
	if (total->policy != POLICY_STRICT) {
		arena_reset(walk);
		shadow = shadow_run(&records, POLICY_STRICT, home, walk);
		add_sums(&total->strict, &shadow.all);
	}
	arena_reset(arena);
	return true;
}

static void
emit_modes(struct buf *out, const struct shadow_sum *sum)
{
	emit_name(out, "modes");
	buf_char(out, '{');
	for (int m = 0; m < MODE_COUNT; m++)
		emit_number_member(out, mode_name((enum mode)m),
		    sum->modes[m]);
	buf_char(out, '}');
}

/* Write PART of WHOLE as a number with four digits after the point. */
static void
write_ratio(struct buf *out, int64_t part, uint64_t whole)
{
	uint64_t size = (uint64_t)(part < 0 ? -part : part);
	uint64_t parts = whole > 0 ? (size * 10000 + whole / 2) / whole : 0;
	char digits[5] = {(char)('0' + parts / 1000 % 10),
	    (char)('0' + parts / 100 % 10), (char)('0' + parts / 10 % 10),
	    (char)('0' + parts % 10), '\0'};

	if (part < 0)
		buf_char(out, '-');
	buf_u64(out, parts / 10000);
	buf_char(out, '.');
	buf_str(out, digits);
}

static void
emit_saved(struct buf *out, const struct shadow_sum *sum)
{
	int64_t saved = (int64_t)(sum->baseline_bytes - sum->served_bytes);

	emit_number_member(out, "servedBytes", sum->served_bytes);
	emit_name(out, "savedBytes");
	if (saved < 0)
		buf_char(out, '-');
	buf_u64(out, (uint64_t)(saved < 0 ? -saved : saved));
	emit_name(out, "savedRatio");
	write_ratio(out, saved, sum->baseline_bytes);
}

static void
emit_figures(struct buf *out, const struct shadow_sum *sum)
{
	emit_number_member(out, "reads", sum->reads);
	emit_number_member(out, "baselineBytes", sum->baseline_bytes);
	emit_saved(out, sum);
	emit_modes(out, sum);
}

static void
emit(struct cli *cli, const struct shadow_total *total)
{
	const struct shadow_sum *files = sort_files(cli->arena, total);
	struct buf *out = &cli->out;

	buf_str(out, "{\"v\":1");
	emit_string_member(out, "policy",
	    span_str(policy_name(total->policy)));
	emit_number_member(out, "sessions", total->sessions);
	emit_figures(out, &total->all);
	emit_number_member(out, "recordedCompact", total->compact);
	emit_number_member(out, "violations", total->violations);
	emit_name(out, "losses");
	buf_char(out, '[');
	buf_add(out, buf_span(&total->losses_list));
	buf_char(out, ']');
	if (total->reads) {
		emit_name(out, "answers");
		buf_char(out, '[');
		buf_add(out, buf_span(&total->reads_list));
		buf_char(out, ']');
	}
	if (total->policy != POLICY_STRICT) {
		emit_name(out, "strict");
		buf_char(out, '{');
		emit_saved(out, &total->strict);
		buf_char(out, '}');
	}
	emit_name(out, "files");
	buf_char(out, '[');
	for (size_t i = 0; i < total->nfiles; i++) {
		buf_str(out, i == 0 ? "{" : ",{");
		emit_string_member(out, "path", files[i].name);
		emit_figures(out, &files[i]);
		buf_char(out, '}');
	}
	buf_str(out, "]}\n");
}

/* Write "12.3 %". */
static void
write_percent(struct buf *out, uint64_t part, uint64_t whole)
{
	uint64_t tenths = whole > 0 ? (part * 1000 + whole / 2) / whole : 0;

	buf_u64(out, tenths / 10);
	buf_char(out, '.');
	buf_u64(out, tenths % 10);
	buf_str(out, " %");
}

static void
tell_saved(struct buf *out, const struct shadow_sum *sum)
{
	int64_t saved = (int64_t)(sum->baseline_bytes - sum->served_bytes);

	amount_bytes(out, sum->served_bytes);
	buf_str(out, saved < 0 ? " served, lost " : " served, saved ");
	write_percent(out, (uint64_t)(saved < 0 ? -saved : saved),
	    sum->baseline_bytes);
}

static void
tell_sum(struct buf *out, const struct shadow_sum *sum)
{
	amount_bytes(out, sum->baseline_bytes);
	buf_str(out, " read, ");
	tell_saved(out, sum);
}

/* Write the policies side by side. */
static void
tell_policies(struct buf *out, const struct shadow_total *total)
{
	if (total->policy == POLICY_STRICT)
		return;
	buf_str(out, "strict: ");
	tell_saved(out, &total->strict);
	buf_str(out, "; ");
	buf_str(out, policy_name(total->policy));
	buf_str(out, ": ");
	tell_saved(out, &total->all);
	buf_char(out, '\n');
}

static void
tell_modes(struct buf *out, const struct shadow_sum *sum)
{
	const char *separator = "answers: ";

	for (int m = 0; m < MODE_COUNT; m++) {
		if (sum->modes[m] == 0)
			continue;
		buf_str(out, separator);
		buf_str(out, mode_name((enum mode)m));
		buf_char(out, ' ');
		buf_u64(out, sum->modes[m]);
		separator = ", ";
	}
	if (sum->reads > 0)
		buf_char(out, '\n');
}

static void
tell(struct cli *cli, const struct shadow_total *total, uint64_t listed)
{
	struct buf *out = &cli->out;
	const struct shadow_sum *files = sort_files(cli->arena, total);

	amount_count(out, total->all.reads, "read");
	buf_str(out, " in ");
	amount_count(out, total->sessions, "session");
	buf_str(out, ", policy ");
	buf_str(out, policy_name(total->policy));
	buf_char(out, '\n');
	tell_sum(out, &total->all);
	buf_char(out, '\n');
	tell_policies(out, total);
	tell_modes(out, &total->all);
	if (total->violations > 0) {
		amount_count(out, total->violations, "answer");
		buf_str(out, " could not be understood by a reader: this is a "
			     "bug in readcache\n");
	}
	if (total->losses > 0) {
		buf_u64(out, total->losses);
		buf_str(out, total->losses == 1
			? " silent loss of context, by the bill: nothing "
			  "shown before it counts\n"
			: " silent losses of context, by the bill: nothing "
			  "shown before them counts\n");
	}
	if (total->compact > 0) {
		amount_count(out, total->compact, "compact answer");
		buf_str(out, " of readcache among them, which cannot be told "
			     "again\n");
	}
	for (size_t i = 0; i < total->nfiles && i < listed; i++) {
		buf_str(out, "  ");
		cli_text(cli, files[i].name);
		buf_str(out, ": ");
		tell_sum(out, &files[i]);
		buf_char(out, '\n');
	}
}

static bool
parse_policy(const char *name, enum policy *policy)
{
	*policy = POLICY_PIECES;
	return name == NULL || policy_parse(span_str(name), policy);
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	const struct shadow_given *typed = given;
	struct shadow_total total = {
	    .several = words.n > 1, .reads = typed->reads};
	uint64_t listed = LISTED;
	int status = CLI_OK;

	if (!parse_policy(typed->policy, &total.policy))
		return cli_usage(cli, "--policy must be strict, coverage or pieces.");
	if (typed->files != NULL &&
	    !number_parse(span_str(typed->files), &listed))
		return cli_usage(cli, "--files must be a number.");
	if (words.n == 0)
		return cli_usage(cli, "shadow takes session files.");
	total.by_name = map_new(cli->arena, 64);
	total.losses_list = buf_new(cli->arena, 64);
	total.reads_list = buf_new(cli->arena, 64);
	for (int i = 0; i < words.n; i++)
		if (!add_session(cli, words.at[i], &total))
			status = CLI_USAGE;
	if (total.sessions == 0)
		return CLI_USAGE;
	if (cli->json)
		emit(cli, &total);
	else
		tell(cli, &total, listed);
	return status;
}

const struct command cli_shadow = {
    .name = "shadow",
    .takes = "FILE...",
    .summary = "what readcache would have saved in a session",
    .offer = OFFER_FILES,
    .size = sizeof(struct shadow_given),
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
