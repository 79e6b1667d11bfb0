#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/lossy.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "file/locate.h"
#include "host/host.h"
#include "inspect/report.h"

static const char head[] =
    "Examples:\n"
    "  readcache report session.jsonl -o report.html\n"
    "                         one page to look at in a browser\n"
    "  readcache report ~/.pi/agent/sessions/*/*.jsonl -o all.html\n"
    "                         several sessions: an overview first\n"
    "  readcache report --json session.jsonl\n"
    "                         the page's data\n"
    "\n"
    "Usage: readcache report FILE... -o PAGE | --json\n"
    "\n"
    "Shows what was saved, whether it was safe and why it was not more: reads\n"
    "over time, by file and by reason, and what was trusted along any branch.\n"
    "The page needs no network and holds no text of files, but their names.\n";

static const char tail[] =
    "Exit status: 0 done, 2 a file cannot be used or the page not written.\n";

struct report_given {
	const char *output;
};

static const struct command_option options[] = {
    {"output", .letter = 'o', .value = "PAGE", .kind = OPTION_TEXT,
	.at = offsetof(struct report_given, output), .offer = OFFER_FILES,
	.help = "write the page there; an existing regular file is\n"
		"replaced; - is standard output"},
    {"json", .kind = OPTION_JSON, .help = "for programs, on standard output"},
};

/* ---- sessions ---- */

static bool
add_report(struct cli *cli, const char *file, struct report *report)
{
	struct arena *arena = arena_scratch(cli->arena);
	struct progress progress = progress_begin(file);
	struct session_records records;
	struct index index;
	struct span home;
	bool good = cli_session(cli, arena, file, &index);

	if (good) {
		if (!locate_home(&home) || !utf8_valid(home))
			home = SPAN("");
		records = host->records(&index, progress_tell, &progress);
		*report = report_make(&records,
		    lossy(cli->arena, span_str(file)), home, cli->arena,
		    progress_tell, &progress);
		progress_end(&progress);
	}
	arena_reset(arena);
	return good;
}

/* ---- the page's place ---- */

/* Is PAGE one of the sessions it is about? */
static bool
is_session(const struct stat *page, char **files, int n)
{
	struct stat st;

	for (int i = 0; i < n; i++)
		if (stat(files[i], &st) == 0 && st.st_dev == page->st_dev &&
		    st.st_ino == page->st_ino)
			return true;
	return false;
}

/* NULL if PATH may be written, else a sentence that says why not. */
static const char *
refusal(const char *path, char **files, int n)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? NULL : strerror(errno);
	if (S_ISDIR(st.st_mode))
		return "it is a directory; name a file in it";
	if (!S_ISREG(st.st_mode))
		return "it is not a regular file, so it is not replaced; "
		       "-o - writes to standard output";
	if (is_session(&st, files, n))
		return "it is one of the sessions; it is not overwritten";
	return NULL;
}

/* ---- the command ---- */

static int
check(const struct cli *cli, const char *output, struct words words)
{
	const char *why = NULL;

	if (words.n == 0)
		return cli_usage(cli, "report takes session files.");
	if (cli->json && output != NULL)
		return cli_usage(cli, "either -o or --json, not both.");
	if (!cli->json && output == NULL)
		return cli_usage(cli, "say with -o where the page shall be.");
	if (output != NULL && output[0] == '\0')
		return cli_usage(cli, "-o needs the name of a file.");
	if (output != NULL && strcmp(output, "-") != 0)
		why = refusal(output, words.at, words.n);
	return why != NULL ? cli_unusable(cli, output, why) : CLI_OK;
}

static int
write_page(struct cli *cli, const char *output, const struct report *reports,
    size_t n)
{
	struct buf page;

	if (strcmp(output, "-") == 0) {
		report_page(&cli->out, reports, n);
		return CLI_OK;
	}
	page = buf_new(cli->arena, 1 << 16);
	report_page(&page, reports, n);
	if (!beside_put(cli->arena, AT_FDCWD, output, buf_span(&page)))
		return cli_unusable(cli, output, strerror(errno));
	return CLI_OK;
}

static int
run(struct cli *cli, const void *given, struct words words)
{
	const char *output = ((const struct report_given *)given)->output;
	int status = check(cli, output, words);
	struct report *reports;
	size_t n = 0;

	if (status != CLI_OK)
		return status;
	reports = arena_array(cli->arena, (size_t)words.n, sizeof(*reports));
	for (int i = 0; i < words.n; i++) {
		if (add_report(cli, words.at[i], &reports[n]))
			n++;
		else
			status = CLI_USAGE;
	}
	if (n == 0)
		return CLI_USAGE;
	if (cli->json) {
		report_json(&cli->out, reports, n);
		buf_char(&cli->out, '\n');
		return status;
	}
	return write_page(cli, output, reports, n) == CLI_OK ? status
							     : CLI_USAGE;
}

const struct command cli_report = {
    .name = "report",
    .takes = "FILE...",
    .summary = "a page to look at",
    .offer = OFFER_FILES,
    .size = sizeof(struct report_given),
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
