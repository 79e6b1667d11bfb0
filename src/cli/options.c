#include "cli/options.h"

#include <getopt.h>

/* The code of an option without a letter: this plus its index in the table. */
enum { CODE_FIRST = 256 };

/* The result of next_code after a message. */
enum { CODE_WRONG = '?' };

static bool
is_long(const char *argument)
{
	return argument[0] == '-' && argument[1] == '-';
}

/* A long option without "=" and its value. */
static struct span
without_value(const char *argument)
{
	return (struct span){argument, strcspn(argument, "=")};
}

static int
complain(const struct cli *cli, const char *before, const char *what,
    const char *after)
{
	(void)cli_complain(cli, before, what, after);
	return CODE_WRONG;
}

static int
complain_long(
    const struct cli *cli, const char *argument, const struct option *options)
{
	struct span name = without_value(argument), *names;
	struct buf after = buf_new(cli->arena, 64);
	size_t n = 0;

	while (options[n].name != NULL)
		n++;
	names = arena_array(cli->arena, n, sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = span_str(options[i].name);
	buf_char(&after, '.');
	buf_str(
	    &after, cli_did_you_mean(cli, "--", span_from(name, 2), names, n));
	return complain(cli, "there is no option ",
	    arena_cstr(cli->arena, name),
	    arena_cstr(cli->arena, buf_span(&after)));
}

/* Is ARGUMENT a long option with a value, and CODE its code? */
static bool
has_value(const char *argument, int code, const struct option *options)
{
	struct span name = without_value(argument);

	if (!is_long(argument) || argument[name.n] == '\0')
		return false;
	for (; options->name != NULL; options++)
		if (options->val == code &&
		    strncmp(options->name, name.p + 2, name.n - 2) == 0)
			return true;
	return false;
}

/*
 * The word, if it begins with the digit that getopt complains about, else
 * NULL. getopt has moved past the word "-5", but not past "-5m".
 */
static const char *
negative(char **argv)
{
	const char digit[] = {'-', (char)optopt, '\0'};
	const char *word = strcmp(argv[optind - 1], digit) == 0
			       ? argv[optind - 1]
			       : argv[optind];

	return optopt >= '0' && optopt <= '9' && word != NULL &&
		       strncmp(word, digit, 2) == 0
		   ? word
		   : NULL;
}

static int
complain_unknown(
    const struct cli *cli, char **argv, const struct option *options)
{
	const char letter[] = {'-', (char)optopt, '\0'};
	const char *before = argv[optind - 1], *number;

	if (optopt == 0)
		return complain_long(cli, before, options);
	number = negative(argv);
	if (number != NULL)
		return complain(cli, "\"", number,
		    "\" is not an option, and no number here may be negative.");
	if (has_value(before, optopt, options))
		return complain(cli, "",
		    arena_cstr(cli->arena, without_value(before)),
		    " takes no value.");
	return complain(cli, "there is no option ", letter, ".");
}

/* Is VALUE "--", or the name of an option? */
static bool
is_no_value(const char *value, const struct option *options)
{
	if (!is_long(value))
		return false;
	for (; options->name != NULL; options++)
		if (strcmp(options->name, value + 2) == 0)
			return true;
	return value[2] == '\0';
}

static int
complain_value(const struct cli *cli, const char *option, const char *value)
{
	struct buf after = buf_new(cli->arena, 64);

	buf_str(&after, " needs a value, but \"");
	buf_str(&after, value);
	buf_str(&after, "\" follows.");
	return complain(
	    cli, "", option, arena_cstr(cli->arena, buf_span(&after)));
}

/* The code of the next option; -1 at the end, CODE_WRONG after a message. */
static int
next_code(const struct cli *cli, int argc, char **argv, const char *letters,
    const struct option *options)
{
	int code;

	opterr = 0;
	optarg = NULL;
	code = getopt_long(argc, argv, letters, options, NULL);
	if (code == '?')
		return complain_unknown(cli, argv, options);
	if (code == ':')
		return complain(cli, "", argv[optind - 1], " needs a value.");
	if (code == -1 || optarg == NULL || optarg != argv[optind - 1] ||
	    !is_no_value(optarg, options))
		return code;
	return complain_value(cli, argv[optind - 2], optarg);
}

/* ---- the table, for getopt ---- */

static int
code_of(const struct command *command, int i)
{
	char letter = command->options[i].letter;

	return letter != '\0' ? letter : CODE_FIRST + i;
}

static int
arguments_of(const struct command_option *option)
{
	switch ((enum option_kind)option->kind) {
	case OPTION_TEXT:
	case OPTION_LIST:
		return required_argument;
	case OPTION_MAYBE:
		return optional_argument;
	case OPTION_FLAG:
	case OPTION_JSON:
	case OPTION_TITLE:
		break;
	}
	return no_argument;
}

static const struct option *
long_options(const struct cli *cli, const struct command *command)
{
	struct option *options = arena_array(
	    cli->arena, (size_t)command->noptions + 2, sizeof(*options));
	size_t n = 0;

	for (int i = 0; i < command->noptions; i++)
		if (command->options[i].kind != OPTION_TITLE)
			options[n++] = (struct option){command->options[i].name,
			    arguments_of(&command->options[i]), NULL,
			    code_of(command, i)};
	options[n++] = (struct option){"help", no_argument, NULL, 'h'};
	options[n] = (struct option){NULL, 0, NULL, 0};
	return options;
}

static const char *
letters_of(const struct cli *cli, const struct command *command)
{
	struct buf letters = buf_new(cli->arena, 32);

	/* "+": the options of the wrapped command are not ours. */
	buf_str(&letters, command->wraps ? "+:h" : ":h");
	for (int i = 0; i < command->noptions; i++)
		if (command->options[i].letter != '\0') {
			buf_char(&letters, command->options[i].letter);
			if (arguments_of(&command->options[i]) ==
			    required_argument)
				buf_char(&letters, ':');
		}
	return arena_cstr(cli->arena, buf_span(&letters));
}

/* ---- where they go ---- */

/*
 * Make empty lists.  ARGC is room enough, as each value is in a word of its
 * own.
 */
static void
make_lists(
    struct cli *cli, const struct command *command, int argc, void *given)
{
	for (int i = 0; i < command->noptions; i++) {
		const struct command_option *option = &command->options[i];
		struct option_list *list = (void *)((char *)given + option->at);

		if (option->kind != OPTION_LIST || list->at != NULL)
			continue;
		list->at =
		    arena_array(cli->arena, (size_t)argc, sizeof(*list->at));
		list->marks = arena_array(cli->arena, (size_t)argc, 1);
	}
}

static void
add_value(struct option_list *list, char mark)
{
	list->at[list->n] = span_str(optarg);
	list->marks[list->n++] = mark;
}

static void
take(struct cli *cli, const struct command_option *option, void *given)
{
	void *at = (char *)given + option->at;

	switch ((enum option_kind)option->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		break;
	case OPTION_TEXT:
	case OPTION_MAYBE:
		*(const char **)at = optarg != NULL ? optarg : "";
		break;
	case OPTION_LIST:
		add_value(at, option->mark);
		break;
	case OPTION_JSON:
		cli->json = true;
		break;
	case OPTION_TITLE:
		break;
	}
}

enum options_taken
options_take(struct cli *cli, const struct command *command, int argc,
    char **argv, void *given, struct words *words)
{
	const struct option *options = long_options(cli, command);
	const char *letters = letters_of(cli, command);
	int code;

	make_lists(cli, command, argc, given);
	while ((code = next_code(cli, argc, argv, letters, options)) != -1) {
		if (code == CODE_WRONG)
			return OPTIONS_WRONG;
		if (code == 'h')
			return OPTIONS_HELP;
		for (int i = 0; i < command->noptions; i++)
			if (code_of(command, i) == code)
				take(cli, &command->options[i], given);
	}
	*words = (struct words){argv + optind, argc - optind};
	return OPTIONS_GOOD;
}
