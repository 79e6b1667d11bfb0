/* It says whose C library this is, as every header does. */
#include <limits.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/amount.h"
#include "base/digest.h"
#include "base/lossy.h"
#include "cli/commands.h"
#include "doctor/checkup.h"
#include "json/emit.h"
#include "path/variants.h"
#include "store/state/state.h"

static const char head[] =
    "Examples:\n"
    "  readcache doctor          what is installed, and what to do next\n"
    "  readcache doctor --json   the same for programs\n"
    "\n"
    "Usage: readcache doctor [--json]\n"
    "\n"
    "Looks at this program, the settings in force in the current directory,\n"
    "its store, pi, and the extension that connects the two. Nothing is run\n"
    "and nothing is changed.\n";

static const char tail[] =
    "Exit status:\n"
    "  0  all is well\n"
    "  1  something needs doing; it is listed, the worst first\n"
    "  2  the arguments cannot be used\n";

#define PROTOCOL 1

/* ---- for people ---- */

static void
row(struct cli *cli, const char *name, struct span value)
{
	struct buf *out = &cli->out;

	buf_str(out, name);
	for (size_t n = strlen(name); n < 11; n++)
		buf_char(out, ' ');
	cli_text(cli, value);
}

static void
show_config(struct cli *cli, const struct checkup *f)
{
	const struct config *config = &f->config;
	bool user = config->user.state == CONFIG_USED;
	bool project = config->project.state == CONFIG_USED;
	struct buf *out = &cli->out;

	row(cli, "settings", SPAN(""));
	if (!user && !project)
		buf_str(out, "the defaults");
	if (user)
		cli_text(cli, config->user.path);
	if (user && project)
		buf_str(out, " and ");
	if (project)
		cli_text(cli, config->project.path);
	buf_str(out, "; policy ");
	buf_str(out, policy_name(config->policy));
	buf_str(out, ", bind ");
	buf_str(out, config_bind_name(config->bind));
	if (config->nexclude > 0) {
		buf_str(out, ", ");
		amount_count(out, config->nexclude, "exclude");
	}
	buf_char(out, '\n');
}

static void
show_store(struct cli *cli, const struct checkup *f)
{
	struct buf *out = &cli->out;

	row(cli, "store", f->config.store);
	if (f->fault == DIR_FINE) {
		buf_str(out, ": ");
		amount_count(out, f->stats.objects, "object");
		buf_str(out, ", ");
		amount_bytes(out, f->stats.bytes);
		buf_str(out, " of at most ");
		amount_bytes(out, f->config.limits[LIMIT_STORE_BYTES].value);
	} else {
		buf_str(out, f->fault == DIR_ABSENT ? ": made by the first read"
						    : ": cannot be used");
	}
	buf_char(out, '\n');
	if (f->database.dir.n == 0)
		return;
	row(cli, "database", f->database.dir);
	buf_str(out, ": ");
	amount_bytes(out, f->database.bytes);
	buf_char(out, '\n');
}

static void
show_listed(struct cli *cli, const struct pi_settings *settings)
{
	struct buf *out = &cli->out;

	if (!checkup_listed(settings))
		return;
	row(cli, "", settings->source);
	buf_str(out, " in ");
	cli_text(cli, settings->file);
	buf_char(out, '\n');
}

/*
 * These libraries are linked into the program: an update of the system's own
 * does not update them.
 */
static struct span
libraries(struct cli *cli)
{
	struct buf out = buf_new(cli->arena, 128);

	buf_str(&out, "OpenSSL ");
	buf_str(&out, digest_library());
	buf_str(&out, ", utf8proc ");
	buf_str(&out, variants_library());
	buf_str(&out, ", ");
	buf_add(&out, state_library());
#ifdef __GLIBC__
	buf_str(&out, ", glibc ");
	buf_str(&out, gnu_get_libc_version());
#endif
	return buf_span(&out);
}

static void
show(struct cli *cli, const struct checkup *f)
{
	struct buf *out = &cli->out;

	row(cli, "readcache", SPAN(READCACHE_VERSION));
	buf_str(out, ", protocol ");
	buf_u64(out, PROTOCOL);
	buf_char(out, '\n');
	row(cli, "program", f->exe.n > 0 ? f->exe : SPAN("unknown"));
	buf_char(out, '\n');
	row(cli, "built with", libraries(cli));
	buf_char(out, '\n');
	show_config(cli, f);
	show_store(cli, f);
	row(cli, "confined",
	    f->confined ? SPAN("serve can read, make, rename and remove "
			       "files, and nothing else")
			: SPAN("no: this system, or this build, has no filter "
			       "of calls for serve"));
	buf_char(out, '\n');
	row(cli, "pi", f->pi.n > 0 ? f->pi : SPAN("not on PATH"));
	buf_char(out, '\n');
	row(cli, "extension",
	    f->beside.n > 0 ? f->beside : SPAN("none beside this program"));
	buf_char(out, '\n');
	show_listed(cli, &f->user);
	show_listed(cli, &f->project);
	buf_str(out, f->ntodo > 0 ? "\nTo do:\n" : "\nAll is well.\n");
	for (size_t i = 0; i < f->ntodo; i++) {
		buf_str(out, "  ");
		cli_text(cli, f->todo[i]);
		buf_char(out, '\n');
	}
}

/* ---- for programs ---- */

static void
emit_path(struct cli *cli, const char *name, struct span path)
{
	struct buf *out = &cli->out;

	emit_name(out, name);
	if (path.n > 0)
		emit_string(out, lossy(cli->arena, path));
	else
		buf_str(out, "null");
}

static void
emit_store(struct cli *cli, const struct checkup *f)
{
	struct buf *out = &cli->out;
	struct span state = SPAN("unusable");

	if (f->fault == DIR_FINE)
		state = SPAN("ready");
	else if (f->fault == DIR_ABSENT)
		state = SPAN("absent");
	emit_name(out, "store");
	buf_char(out, '{');
	emit_path(cli, "dir", f->config.store);
	emit_string_member(out, "state", state);
	emit_number_member(out, "objects", f->stats.objects);
	emit_number_member(out, "bytes", f->stats.bytes);
	emit_number_member(out, "maxBytes",
	    f->config.limits[LIMIT_STORE_BYTES].value);
	emit_path(cli, "database", f->database.dir);
	buf_char(out, '}');
}

static void
emit_config(struct cli *cli, const struct checkup *f)
{
	struct buf *out = &cli->out;
	const struct config *config = &f->config;

	emit_name(out, "config");
	buf_char(out, '{');
	emit_path(cli, "user",
	    config->user.state == CONFIG_USED ? config->user.path : SPAN(""));
	emit_path(cli, "project",
	    config->project.state == CONFIG_USED ? config->project.path
						 : SPAN(""));
	emit_string_member(out, "policy",
	    span_str(policy_name(config->policy)));
	emit_string_member(out, "bind",
	    span_str(config_bind_name(config->bind)));
	emit_number_member(out, "remarks", config->remarks.n);
	buf_char(out, '}');
}

static void
emit_extension(struct cli *cli, const struct checkup *f)
{
	struct buf *out = &cli->out;

	emit_name(out, "extension");
	buf_char(out, '{');
	emit_path(cli, "beside", f->beside);
	emit_path(cli, "user",
	    checkup_listed(&f->user) ? f->user.source : SPAN(""));
	emit_path(cli, "project",
	    checkup_listed(&f->project) ? f->project.source : SPAN(""));
	buf_char(out, '}');
}

static void
show_json(struct cli *cli, const struct checkup *f)
{
	struct buf *out = &cli->out;

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_string_member(out, "version", SPAN(READCACHE_VERSION));
	emit_number_member(out, "protocol", PROTOCOL);
	emit_path(cli, "program", f->exe);
	emit_string_member(out, "builtWith", libraries(cli));
	emit_config(cli, f);
	emit_store(cli, f);
	emit_name(out, "confined");
	buf_str(out, f->confined ? "true" : "false");
	emit_path(cli, "pi", f->pi);
	emit_extension(cli, f);
	emit_name(out, "todo");
	buf_char(out, '[');
	for (size_t i = 0; i < f->ntodo; i++) {
		if (i > 0)
			buf_char(out, ',');
		emit_string(out, lossy(cli->arena, f->todo[i]));
	}
	buf_str(out, "]}\n");
}

static const struct command_option options[] = {
    {"json", .kind = OPTION_JSON, .help = "one JSON object"},
};

static int
run(struct cli *cli, const void *given, struct words words)
{
	struct checkup checkup;
	struct span cwd;

	(void)given;
	if (words.n > 0)
		return cli_usage(cli, "doctor takes no arguments.");
	if (!cli_cwd(cli, &cwd))
		return CLI_USAGE;
	checkup = checkup_make(cli->arena, cwd);
	if (cli->json)
		show_json(cli, &checkup);
	else
		show(cli, &checkup);
	return checkup.ntodo > 0 ? CLI_FOUND : CLI_OK;
}

const struct command cli_doctor = {
    .name = "doctor",
    .summary = "what is installed, and what to do next",
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
