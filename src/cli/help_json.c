/*
 * The table of commands as JSON.  The completions are made from it, and the
 * manual page is checked against it.
 */
#include "cli/commands.h"
#include "cli/help.h"
#include "json/emit.h"

static void
emit_text(struct buf *out, const char *name, const char *text)
{
	if (text[0] != '\0')
		emit_string_member(out, name, span_str(text));
}

static void
emit_flag(struct buf *out, const char *name, bool value)
{
	emit_name(out, name);
	buf_str(out, value ? "true" : "false");
}

static const char *
offer_name(enum offer offer)
{
	switch (offer) {
	case OFFER_FILES:
		return "files";
	case OFFER_DIRECTORIES:
		return "directories";
	case OFFER_VARIABLES:
		return "variables";
	case OFFER_WORDS:
		return "words";
	case OFFER_COMMANDS:
		return "commands";
	case OFFER_NOTHING:
		break;
	}
	return "nothing";
}

static void
emit_option(struct buf *out, const struct command_option *option)
{
	const char letter[] = {option->letter, '\0'};

	buf_char(out, '{');
	emit_text(out, "name", option->name);
	emit_text(out, "letter", letter);
	emit_text(out, "value", option->value);
	emit_flag(out, "optional", option->kind == OPTION_MAYBE);
	emit_flag(out, "repeats", option->kind == OPTION_LIST);
	emit_text(out, "offer", offer_name((enum offer)option->offer));
	emit_text(out, "words", option->words);
	emit_text(out, "help", option->help);
	buf_char(out, '}');
}

static void
emit_options(struct buf *out, const struct command *command)
{
	const char *separator = "";

	emit_name(out, "options");
	buf_char(out, '[');
	for (int i = 0; i < command->noptions; i++) {
		if (command->options[i].kind == OPTION_TITLE)
			continue;
		buf_str(out, separator);
		emit_option(out, &command->options[i]);
		separator = ",";
	}
	buf_char(out, ']');
}

static void
emit_actions(struct buf *out, const struct command *command)
{
	emit_name(out, "actions");
	buf_char(out, '[');
	for (int i = 0; i < command->nactions; i++) {
		buf_str(out, i > 0 ? ",{" : "{");
		emit_text(out, "name", command->actions[i].name);
		emit_text(out, "takes", command->actions[i].takes);
		emit_text(out, "words", command->actions[i].words);
		emit_text(out, "help", command->actions[i].help);
		buf_char(out, '}');
	}
	buf_char(out, ']');
}

void
help_json(struct buf *out)
{
	const struct command *command;

	buf_str(out, "{\"v\":1,\"commands\":[");
	for (size_t i = 0; (command = commands_at(i)) != NULL; i++) {
		buf_str(out, i > 0 ? ",{" : "{");
		emit_text(out, "name", command->name);
		emit_text(out, "older", command->older);
		emit_text(out, "takes", command->takes);
		emit_text(out, "summary", command->summary);
		emit_text(out, "offer", offer_name((enum offer)command->offer));
		emit_flag(out, "wraps", command->wraps);
		emit_options(out, command);
		emit_actions(out, command);
		buf_char(out, '}');
	}
	buf_str(out, "]}\n");
}
