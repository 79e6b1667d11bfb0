#include "cli/options.h"

#include "base/near.h"

const char *
cli_did_you_mean(const struct cli *cli, const char *dashes, struct span name,
    const struct span *names, size_t n)
{
	const struct span *near = near_name(name, names, n);
	struct buf hint = buf_new(cli->arena, 64);

	if (near == NULL)
		return "";
	buf_str(&hint, " Did you mean \"");
	buf_str(&hint, dashes);
	buf_add(&hint, *near);
	buf_str(&hint, "\"?");
	return arena_cstr(cli->arena, buf_span(&hint));
}

static bool
is_long(const char *argument)
{
	return argument[0] == '-' && argument[1] == '-';
}

/* A long option without the value behind its "=". */
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
	return OPTION_WRONG;
}

static int
complain_long(const struct cli *cli, const char *argument,
    const struct option *options)
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
	buf_str(&after,
	    cli_did_you_mean(cli, "--", span_from(name, 2), names, n));
	return complain(cli, "there is no option ",
	    arena_cstr(cli->arena, name),
	    arena_cstr(cli->arena, buf_span(&after)));
}

/* Is ARGUMENT a long option with a value, and CODE that option's? */
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
 * NULL.  Of "-5" getopt is done with the word, of "-5m" it is not.
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
		    "\" is no option, and no number here may be negative.");
	if (has_value(before, optopt, options))
		return complain(cli, "",
		    arena_cstr(cli->arena, without_value(before)),
		    " takes no value.");
	return complain(cli, "there is no option ", letter, ".");
}

/* Is VALUE what ends the options, or one of them? */
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

int
cli_option(const struct cli *cli, int argc, char **argv, const char *letters,
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
