#include "config/config.h"

#include "base/amount.h"
#include "base/lossy.h"
#include "cli/commands.h"
#include "json/emit.h"

static const char head[] =
    "Examples:\n"
    "  readcache config          every setting in force, and where it is "
    "from\n"
    "  readcache config --json   the same for programs\n"
    "\n"
    "Usage: readcache config [--json]\n"
    "\n"
    "Settings are read from two JSON files:\n"
    "  user     $XDG_CONFIG_HOME/readcache/config.json (else ~/.config)\n"
    "  project  .pi/readcache.json in the current directory; it may only\n"
    "           tighten: more excludes, smaller limits, a stricter policy\n"
    "\n"
    "  {\n"
    "    \"policy\": \"pieces\",\n"
    "    \"repeat\": 3,\n"
    "    \"exclude\": [\"*.secret\", \"private/\"],\n"
    "    \"diff\": {\"maxBytes\": 2097152, \"maxLines\": 12000},\n"
    "    \"store\": \"~/.cache/readcache\",\n"
    "    \"storeMaxBytes\": 268435456,\n"
    "    \"storeMaxAgeDays\": 90,\n"
    "    \"bind\": \"override\",\n"
    "    \"ttl\": \"24h\",\n"
    "    \"iterationMode\": \"on\",\n"
    "    \"checkoutMode\": \"hardlink,symlink,copy\"\n"
    "  }\n"
    "\n"
    "A pattern without a slash is for names, one with a slash for paths below\n"
    "the current directory; what it matches is read plainly and not kept.\n"
    "store, bind and the last three (see readcache cache settings) are for\n"
    "the user's file only. readcache(1) says more.\n";

static const char tail[] =
    "Exit status:\n"
    "  0  shown, whatever the files hold\n"
    "  2  the arguments cannot be used\n";

/* ---- for people ---- */

static void
pad(struct buf *out, const char *text, size_t width)
{
	buf_str(out, text);
	for (size_t n = strlen(text); n < width; n++)
		buf_char(out, ' ');
	buf_char(out, ' ');
}

/* Begin a row with the name of a value and where it comes from. */
static struct buf *
begin_row(struct cli *cli, const char *name, const char *source)
{
	pad(&cli->out, name, 15);
	pad(&cli->out, source, 11);
	return &cli->out;
}

static void
show_limit(struct cli *cli, const struct config *config,
    enum config_limit limit)
{
	struct config_number number = config->limits[limit];
	struct buf *out = begin_row(cli, config_limit_name(limit),
	    config_source_name(number.source));

	buf_u64(out, number.value);
	if ((limit == LIMIT_DIFF_BYTES || limit == LIMIT_STORE_BYTES) &&
	    number.value >= 1024) {
		buf_str(out, " (");
		amount_bytes(out, number.value);
		buf_char(out, ')');
	}
	buf_char(out, '\n');
}

static void
show_excludes(struct cli *cli, const struct config *config)
{
	buf_str(begin_row(cli, "exclude", "built in"),
	    "names of keys and secrets (.env*, *.pem, ...: readcache(1))\n");
	for (size_t i = 0; i < config->nexclude; i++) {
		const struct config_pattern *p = &config->exclude[i];

		(void)begin_row(cli, "", config_source_name(p->source));
		cli_text(cli, p->pattern.text);
		buf_char(&cli->out, '\n');
	}
}

static void
show_file(struct cli *cli, const char *name, const struct config_file *file)
{
	if (file->path.n == 0)
		return;
	buf_str(&cli->out, name);
	cli_text(cli, file->path);
	switch (file->state) {
	case CONFIG_ABSENT:
		buf_str(&cli->out, " (not there)");
		break;
	case CONFIG_IGNORED:
		buf_str(&cli->out, " (ignored)");
		break;
	case CONFIG_USED:
		break;
	}
	buf_char(&cli->out, '\n');
}

static void
show(struct cli *cli, const struct config *config)
{
	struct buf *out = begin_row(cli, "policy",
	    config_source_name(config->policy_source));

	buf_str(out, policy_name(config->policy));
	buf_char(out, '\n');
	show_limit(cli, config, LIMIT_REPEAT);
	show_excludes(cli, config);
	show_limit(cli, config, LIMIT_DIFF_BYTES);
	show_limit(cli, config, LIMIT_DIFF_LINES);
	(void)begin_row(cli, "store",
	    config_source_name(config->store_source));
	cli_text(cli, config->store);
	buf_char(out, '\n');
	show_limit(cli, config, LIMIT_STORE_BYTES);
	show_limit(cli, config, LIMIT_STORE_DAYS);
	(void)begin_row(cli, "bind", config_source_name(config->bind_source));
	buf_str(out, config_bind_name(config->bind));
	buf_char(out, '\n');
	for (int i = 0; i < WORK_SETTINGS; i++) {
		(void)begin_row(cli, config_work_name((enum config_work)i),
		    config_source_name(config->work[i].source));
		cli_text(cli, config->work[i].value);
		buf_char(out, '\n');
	}
	buf_char(out, '\n');
	show_file(cli, "user file      ", &config->user);
	show_file(cli, "project file   ", &config->project);
	if (config->remarks.n > 0)
		buf_char(out, '\n');
	for (const struct remark *r = config->remarks.first; r != NULL;
	     r = r->next) {
		cli_text(cli, r->file);
		buf_str(out, ": ");
		cli_text(cli, r->sentence);
		buf_char(out, '\n');
	}
}

/* ---- for programs ---- */

static void
emit_source(struct buf *out, enum config_source source)
{
	emit_string_member(out, "source",
	    span_str(config_source_name(source)));
	buf_char(out, '}');
}

static void
emit_text(struct cli *cli, const char *name, struct span value,
    enum config_source source)
{
	emit_name(&cli->out, name);
	buf_char(&cli->out, '{');
	emit_string_member(&cli->out, "value", lossy(cli->arena, value));
	emit_source(&cli->out, source);
}

static void
emit_limit(struct cli *cli, const char *name,
    const struct config_number *number)
{
	emit_name(&cli->out, name);
	buf_char(&cli->out, '{');
	emit_number_member(&cli->out, "value", number->value);
	emit_source(&cli->out, number->source);
}

static void
emit_file(struct cli *cli, const char *name, const struct config_file *file)
{
	static const char states[][8] = {"absent", "used", "ignored"};
	struct buf *out = &cli->out;

	emit_name(out, name);
	if (file->path.n == 0) {
		buf_str(out, "null");
		return;
	}
	buf_char(out, '{');
	emit_string_member(out, "path", lossy(cli->arena, file->path));
	emit_string_member(out, "state", span_str(states[file->state]));
	buf_char(out, '}');
}

static void
emit_excludes(struct cli *cli, const struct config *config)
{
	struct buf *out = &cli->out;

	emit_name(out, "exclude");
	buf_char(out, '[');
	for (size_t i = 0; i < config->nexclude; i++) {
		if (i > 0)
			buf_char(out, ',');
		buf_char(out, '{');
		emit_string_member(out, "value",
		    lossy(cli->arena, config->exclude[i].pattern.text));
		emit_source(out, config->exclude[i].source);
	}
	buf_char(out, ']');
}

static void
emit_remarks(struct cli *cli, const struct remarks *remarks)
{
	struct buf *out = &cli->out;

	emit_name(out, "remarks");
	buf_char(out, '[');
	for (const struct remark *r = remarks->first; r != NULL;
	     r = r->next) {
		if (r != remarks->first)
			buf_char(out, ',');
		buf_char(out, '{');
		emit_string_member(out, "file", lossy(cli->arena, r->file));
		emit_string_member(out, "text",
		    lossy(cli->arena, r->sentence));
		buf_char(out, '}');
	}
	buf_char(out, ']');
}

static void
show_json(struct cli *cli, const struct config *config)
{
	const struct config_number *limits = config->limits;
	struct buf *out = &cli->out;

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_name(out, "files");
	buf_char(out, '{');
	emit_file(cli, "user", &config->user);
	emit_file(cli, "project", &config->project);
	buf_char(out, '}');
	emit_name(out, "settings");
	buf_char(out, '{');
	emit_text(cli, "policy", span_str(policy_name(config->policy)),
	    config->policy_source);
	emit_limit(cli, "repeat", &limits[LIMIT_REPEAT]);
	emit_excludes(cli, config);
	emit_name(out, "diff");
	buf_char(out, '{');
	emit_limit(cli, "maxBytes", &limits[LIMIT_DIFF_BYTES]);
	emit_limit(cli, "maxLines", &limits[LIMIT_DIFF_LINES]);
	buf_char(out, '}');
	emit_text(cli, "store", config->store, config->store_source);
	emit_limit(cli, "storeMaxBytes", &limits[LIMIT_STORE_BYTES]);
	emit_limit(cli, "storeMaxAgeDays", &limits[LIMIT_STORE_DAYS]);
	emit_text(cli, "bind", span_str(config_bind_name(config->bind)),
	    config->bind_source);
	for (int i = 0; i < WORK_SETTINGS; i++)
		emit_text(cli, config_work_name((enum config_work)i),
		    config->work[i].value, config->work[i].source);
	buf_char(out, '}');
	emit_remarks(cli, &config->remarks);
	buf_str(out, "}\n");
}

static const struct command_option options[] = {
    {"json", .kind = OPTION_JSON, .help = "one JSON object"},
};

static int
run(struct cli *cli, const void *given, struct words words)
{
	struct config_where where;
	struct config config;
	struct span cwd;

	(void)given;
	if (words.n > 0)
		return cli_usage(cli, "config takes no arguments.");
	if (!cli_cwd(cli, &cwd))
		return CLI_USAGE;
	where = config_where(cwd);
	config = config_load(cli->arena, &where);
	if (cli->json)
		show_json(cli, &config);
	else
		show(cli, &config);
	return CLI_OK;
}

const struct command cli_config = {
    .name = "config",
    .summary = "the settings in force, and where they come from",
    COMMAND_OPTIONS(options),
    .head = head,
    .tail = tail,
    .run = run,
};
