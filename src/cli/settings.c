#include "cli/settings.h"

#include "base/lossy.h"
#include "config/edit.h"
#include "json/emit.h"

/* The name as it is typed.  The file has other names for two of them. */
static const char *
typed_name(enum config_work setting)
{
	switch (setting) {
	case WORK_TTL:
		return "ttl";
	case WORK_ITERATION:
		return "iteration-mode";
	case WORK_CHECKOUT:
	case WORK_SETTINGS:
		break;
	}
	return "checkout-mode";
}

static bool
find_setting(const char *name, enum config_work *setting)
{
	for (int i = 0; i < WORK_SETTINGS; i++)
		if (strcmp(name, typed_name((enum config_work)i)) == 0) {
			*setting = (enum config_work)i;
			return true;
		}
	return false;
}

/* ---- show ---- */

static void
show_json(struct cli *cli, const struct config *config)
{
	struct buf *out = &cli->out;

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_string_member(out, "file", lossy(cli->arena, config->user.path));
	for (int i = 0; i < WORK_SETTINGS; i++) {
		emit_name(out, typed_name((enum config_work)i));
		buf_char(out, '{');
		emit_string_member(out, "value", config->work[i].value);
		emit_string_member(out, "source",
		    span_str(config_source_name(config->work[i].source)));
		buf_char(out, '}');
	}
	buf_str(out, "}\n");
}

static int
show(struct cli *cli, const struct config *config)
{
	struct buf *out = &cli->out;

	if (cli->json) {
		show_json(cli, config);
		return CLI_OK;
	}
	for (int i = 0; i < WORK_SETTINGS; i++) {
		const char *name = typed_name((enum config_work)i);

		buf_str(out, name);
		for (size_t n = strlen(name); n < 16; n++)
			buf_char(out, ' ');
		buf_add(out, config->work[i].value);
		buf_str(out, " (");
		buf_str(out, config_source_name(config->work[i].source));
		buf_str(out, ")\n");
	}
	return CLI_OK;
}

/* ---- set ---- */

static int
refuse_value(struct cli *cli, enum config_work setting, const char *value)
{
	struct buf sentence = buf_new(cli->arena, 128);

	buf_char(&sentence, '"');
	buf_str(&sentence, cli_visible(cli, value));
	buf_str(&sentence, "\" will not do: ");
	buf_str(&sentence, typed_name(setting));
	buf_str(&sentence, " is ");
	buf_str(&sentence, config_work_wants(setting));
	buf_char(&sentence, '.');
	return cli_usage(cli, arena_cstr(cli->arena, buf_span(&sentence)));
}

static int
need_value(struct cli *cli, enum config_work setting)
{
	struct buf sentence = buf_new(cli->arena, 128);

	buf_str(&sentence, typed_name(setting));
	buf_str(&sentence, " needs one value: ");
	buf_str(&sentence, config_work_wants(setting));
	buf_char(&sentence, '.');
	return cli_usage(cli, arena_cstr(cli->arena, buf_span(&sentence)));
}

static int
set(struct cli *cli, const struct config *config, enum config_work setting,
    const char *text)
{
	struct span value = span_str(text);
	const char *fault;

	if (strcmp(text, "default") == 0)
		value = (struct span){NULL, 0};
	else if (!config_work_valid(setting, value))
		return refuse_value(cli, setting, text);
	if (config->user.path.n == 0)
		return cli_usage(cli, "there is no home directory for a "
				      "settings file.");
	fault = config_edit(
	    cli->arena, config->user.path, config_work_name(setting), value);
	if (fault != NULL)
		return cli_unusable(
		    cli, arena_cstr(cli->arena, config->user.path), fault);
	return CLI_OK;
}

int
cli_settings(struct cli *cli, const struct config *config, char **names, int n)
{
	enum config_work setting;

	if (n == 0 || (n == 1 && strcmp(names[0], "show") == 0))
		return show(cli, config);
	if (!find_setting(names[0], &setting))
		return cli_complain(cli, "\"", names[0],
		    "\" is not ttl, iteration-mode or checkout-mode.");
	if (n != 2)
		return need_value(cli, setting);
	return set(cli, config, setting, names[1]);
}
