#include "base/amount.h"
#include "base/lossy.h"
#include "cli/commands.h"
#include "cli/losses.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "file/locate.h"
#include "host/host.h"
#include "inspect/audit.h"
#include "json/emit.h"

static const char head[] =
    "Examples:\n"
    "  readcache audit session.jsonl\n"
    "  readcache audit ~/.pi/agent/sessions/*/*.jsonl\n"
    "  readcache audit --json session.jsonl | jq '.violations[].why'\n"
    "\n"
    "Usage: readcache audit [options] FILE...\n"
    "\n"
    "Looks at every compact answer (\"unchanged\", or a diff) in recorded\n"
    "pi sessions, on every branch, whoever made it, and checks from the texts\n"
    "that the model could see at that moment whether it could know what the\n"
    "answer claims. Every one that it could not is a violation.\n";

static const char tail[] =
    "Exit status: 0 no violation, 1 violations, 2 a file cannot be used (the\n"
    "others are audited, and shown, all the same).\n";

struct audit_given {
	bool quiet;
};

static const struct command_option options[] = {
    {"quiet", .letter = 'q', .kind = OPTION_FLAG,
	.at = offsetof(struct audit_given, quiet), .help = "violations only"},
    {"json", .kind = OPTION_JSON, .help = "for programs"},
};

/* Sums over several sessions, and their violations as they will be shown. */
struct total {
	uint64_t sessions, answers, compact, violations;
	struct buf list;
	struct buf losses;
	int files; /* named on the command line */
};

static void
emit_violation(struct cli *cli, struct total *total, const char *file,
    const struct index *index, const struct audit_violation *violation)
{
	struct buf *out = &total->list;

	buf_str(out, total->violations > 0 ? ",{" : "{");
	if (total->files > 1)
		emit_string_member(out, "file",
		    lossy(cli->arena, span_str(file)));
	emit_string_member(out, "entryId", index->nodes[violation->node].id);
	emit_string_member(out, "path", violation->path);
	emit_name(out, "scope");
	buf_char(out, '"');
	scope_write(out, violation->scope);
	buf_char(out, '"');
	emit_string_member(out, "why", violation->why);
	buf_char(out, '}');
}

/* "  4f1c2a9e  /home/me/notes.txt lines 5-9: line 7 was never shown" */
static void
tell_violation(struct cli *cli, const struct index *index,
    const struct audit_violation *violation)
{
	struct buf *out = &cli->out;

	buf_str(out, "  ");
	cli_text(cli, index->nodes[violation->node].id);
	buf_str(out, "  ");
	if (violation->path.n > 0)
		cli_text(cli, violation->path);
	else
		buf_char(out, '?');
	if (violation->scope.kind == SCOPE_RANGE) {
		buf_str(out, " lines ");
		buf_u64(out, violation->scope.first);
		buf_char(out, '-');
		buf_u64(out, violation->scope.last);
	}
	buf_str(out, ": ");
	cli_text(cli, violation->why);
	buf_char(out, '\n');
}

static void
tell_figures(struct buf *out, uint64_t answers, uint64_t compact,
    uint64_t violations)
{
	amount_count(out, answers, "read");
	buf_str(out, ", ");
	buf_u64(out, compact);
	buf_str(out, " compact, ");
	if (violations > 0)
		amount_count(out, violations, "violation");
	else
		buf_str(out, "no violation");
	buf_char(out, '\n');
}

static void
show_session(struct cli *cli, const struct audit_given *typed,
    struct total *total, const char *file,
    const struct session_records *records, const struct audit *audit)
{
	const struct index *index = records->index;
	bool heading = !typed->quiet || audit->n > 0;

	if (!cli->json && heading) {
		cli_text(cli, span_str(file));
		buf_str(&cli->out, ": ");
		tell_figures(&cli->out, audit->answers, audit->compact,
		    audit->n);
	}
	if (cli->json)
		losses_emit(cli, &total->losses, records,
		    total->files > 1 ? file : NULL);
	else if (!typed->quiet)
		losses_tell(cli, records);
	for (size_t i = 0; i < audit->n; i++) {
		if (cli->json)
			emit_violation(cli, total, file, index,
			    &audit->violations[i]);
		else
			tell_violation(cli, index, &audit->violations[i]);
		total->violations++;
	}
	total->sessions++;
	total->answers += audit->answers;
	total->compact += audit->compact;
}

static bool
audit_file(struct cli *cli, const struct audit_given *typed,
    struct total *total, struct arena *arena, const char *file)
{
	struct progress progress;
	struct session_records records;
	struct index index;
	struct audit audit;
	struct span home;

	arena_reset(arena);
	if (!cli_session(cli, arena, file, &index))
		return false;
	if (!locate_home(&home))
		home = SPAN("");
	progress = progress_begin(file);
	records = host->records(&index, progress_tell, &progress);
	audit = audit_session(&records, home, arena, progress_tell,
	    &progress);
	progress_end(&progress);
	show_session(cli, typed, total, file, &records, &audit);
	return true;
}

static void
show_total(struct cli *cli, const struct audit_given *typed,
    const struct total *total)
{
	struct buf *out = &cli->out;

	if (cli->json) {
		buf_str(out, "{\"v\":1");
		emit_number_member(out, "answers", total->answers);
		emit_number_member(out, "compact", total->compact);
		emit_name(out, "violations");
		buf_char(out, '[');
		buf_add(out, buf_span(&total->list));
		buf_char(out, ']');
		emit_name(out, "losses");
		buf_char(out, '[');
		buf_add(out, buf_span(&total->losses));
		buf_str(out, "]}\n");
	} else if (!typed->quiet && total->sessions > 1) {
		buf_str(out, "all ");
		buf_u64(out, total->sessions);
		buf_str(out, " sessions: ");
		tell_figures(out, total->answers, total->compact,
		    total->violations);
	}
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	const struct audit_given *typed = given;
	struct total total = {
	    .list = buf_new(cli->arena, 256),
	    .losses = buf_new(cli->arena, 64),
	    .files = words.n,
	};
	struct arena *arena = arena_scratch(cli->arena);
	int status = CLI_OK;

	if (words.n == 0)
		return cli_usage(cli, "audit takes one or more session files.");
	for (int i = 0; i < words.n; i++)
		if (!audit_file(cli, typed, &total, arena, words.at[i]))
			status = CLI_USAGE;
	show_total(cli, typed, &total);
	if (status == CLI_OK && total.violations > 0)
		status = CLI_FOUND;
	return status;
}

const struct command cli_audit = {
    .name = "audit",
    .takes = "FILE...",
    .summary = "check that recorded answers could be understood",
    .offer = OFFER_FILES,
    .size = sizeof(struct audit_given),
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
