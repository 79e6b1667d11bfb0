#include "cli/help.h"

#include "cli/commands.h"

static const char head[] =
    "Examples:\n"
    "  readcache read src/main.c            a file as pi's read shows it\n"
    "  readcache shadow session.jsonl       what it would have saved there\n"
    "  readcache doctor                     is everything in its place?\n"
    "  echo '{\"v\":1,\"op\":\"read\",\"cwd\":\"/etc\",\"params\":{\"path\":"
    "\"hosts\"}}' | readcache\n"
    "                                       one request, one response line\n"
    "\n"
    "readcache answers a coding agent's reads of files: the first one with\n"
    "the text, a repeated one with a one-line marker, a changed file with a\n"
    "diff, but only if the text is provably still in the model's context.\n"
    "\n";

static const char tail[] =
    "\n"
    "Options:\n"
    "  -h, --help         this text; with --json the table of all commands\n"
    "      --version      version of the program and of the protocol\n"
    "\n"
    "Exit status:\n"
    "  0  answered        1  the read itself failed, or something was found\n"
    "  2  the request or the arguments cannot be used\n";

enum { MAIN_COLUMN = 21, GAP = 3 };

/* Write spaces from column FROM to column TO. */
static void
pad(struct buf *out, size_t from, size_t to)
{
	for (; from < to; from++)
		buf_char(out, ' ');
}

/* Write "  NAME TAKES".  The result is its width. */
static size_t
write_name(struct buf *out, const char *name, const char *takes)
{
	size_t before = out->n;

	buf_str(out, "  ");
	buf_str(out, name);
	if (takes[0] != '\0')
		buf_char(out, ' ');
	buf_str(out, takes);
	return out->n - before;
}

/* Write TEXT with each of its lines at COLUMN. */
static void
write_text(struct buf *out, const char *text, size_t column)
{
	for (; *text != '\0'; text++) {
		buf_char(out, *text);
		if (*text == '\n')
			pad(out, 0, column);
	}
	buf_char(out, '\n');
}

/* ---- the program's ---- */

static void
list_commands(struct buf *out, bool for_hosts)
{
	const struct command *command;

	for (size_t i = 0; (command = commands_at(i)) != NULL; i++)
		if (command->for_hosts == for_hosts) {
			pad(out, write_name(out, command->name, command->takes),
			    MAIN_COLUMN);
			write_text(out, command->summary, MAIN_COLUMN);
		}
}

void
help_main(struct buf *out)
{
	buf_str(out, head);
	buf_str(out,
	    "For hosts (JSON, see SPEC.md):\n"
	    "  (no arguments)     one request on standard input, one response "
	    "line\n");
	list_commands(out, true);
	buf_str(out,
	    "\nFor people (each has a --help, and --json for programs):\n");
	list_commands(out, false);
	buf_str(out, tail);
}

/* ---- a command's ---- */

/* Write "  -n, --name VALUE".  The result is its width. */
static size_t
write_option(struct buf *out, const struct command_option *option)
{
	size_t before = out->n;

	buf_str(out, "  ");
	if (option->letter != '\0') {
		buf_char(out, '-');
		buf_char(out, option->letter);
		buf_str(out, ", ");
	} else {
		buf_str(out, "    ");
	}
	buf_str(out, "--");
	buf_str(out, option->name);
	if (option->kind == OPTION_MAYBE)
		buf_str(out, "[=");
	else if (option->value[0] != '\0')
		buf_char(out, ' ');
	buf_str(out, option->value);
	if (option->kind == OPTION_MAYBE)
		buf_char(out, ']');
	return out->n - before;
}

/* Every command has --help; it comes last. */
static const struct command_option help_option = {
    "help", .letter = 'h', .help = "this text"};

static size_t
column_of(struct buf *out, const struct command *command)
{
	size_t before = out->n, widest = write_option(out, &help_option);

	for (int i = 0; i < command->noptions; i++) {
		size_t width = write_option(out, &command->options[i]);

		if (width > widest)
			widest = width;
	}
	out->n = before;
	return widest + GAP;
}

static void
list_options(struct buf *out, const struct command *command)
{
	size_t column = column_of(out, command);

	if (command->noptions == 0 || command->options[0].kind != OPTION_TITLE)
		buf_str(out, "\nOptions:\n");
	for (int i = 0; i <= command->noptions; i++) {
		const struct command_option *option =
		    i < command->noptions ? &command->options[i] : &help_option;

		if (option->kind == OPTION_TITLE) {
			buf_char(out, '\n');
			write_text(out, option->help, 0);
			continue;
		}
		pad(out, write_option(out, option), column);
		write_text(out, option->help, column);
	}
}

static void
list_actions(struct buf *out, const struct command *command)
{
	size_t before = out->n, column = 0;

	for (int i = 0; i < command->nactions; i++) {
		size_t width = write_name(
		    out, command->actions[i].name, command->actions[i].takes);

		if (width > column)
			column = width;
	}
	out->n = before;
	column += 2;
	for (int i = 0; i < command->nactions; i++) {
		pad(out,
		    write_name(out, command->actions[i].name,
			command->actions[i].takes),
		    column);
		write_text(out, command->actions[i].help, column);
	}
}

void
help_command(struct buf *out, const struct command *command)
{
	if (command->head == NULL) {
		help_main(out);
		return;
	}
	buf_str(out, command->head);
	if (command->nactions > 0) {
		buf_char(out, '\n');
		list_actions(out, command);
	}
	if (command->body != NULL)
		buf_str(out, command->body);
	list_options(out, command);
	buf_char(out, '\n');
	buf_str(out, command->tail);
}
