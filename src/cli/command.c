#include "cli/command.h"

#include "base/near.h"

int
command_action(const struct command *command, struct span name)
{
	for (int i = 0; i < command->nactions; i++)
		if (span_eq(name, span_str(command->actions[i].name)))
			return i;
	return -1;
}

/* Write the actions as "key, get and set", if LAST is " and ". */
static void
list_actions(struct buf *out, const struct command *command, const char *last)
{
	for (int i = 0; i < command->nactions; i++) {
		if (i > 0)
			buf_str(out, i + 1 < command->nactions ? ", " : last);
		buf_str(out, command->actions[i].name);
	}
	buf_char(out, '.');
}

int
command_take_action(
    struct cli *cli, const struct command *command, struct words *words)
{
	struct buf sentence = buf_new(cli->arena, 128);
	int action;

	if (words->n == 0) {
		buf_str(&sentence, "say what to do: ");
		list_actions(&sentence, command, " or ");
		(void)cli_usage(
		    cli, arena_cstr(cli->arena, buf_span(&sentence)));
		return -1;
	}
	action = command_action(command, span_str(words->at[0]));
	if (action >= 0) {
		words->at++;
		words->n--;
		return action;
	}
	buf_str(&sentence, "\" is not ");
	list_actions(&sentence, command, " or ");
	(void)cli_complain(cli, "\"", words->at[0],
	    arena_cstr(cli->arena, buf_span(&sentence)));
	return -1;
}

const char *
command_action_hint(
    struct cli *cli, const struct command *command, struct span name)
{
	struct span *names =
	    arena_array(cli->arena, command->nactions, sizeof(*names));

	for (int i = 0; i < command->nactions; i++)
		names[i] = span_str(command->actions[i].name);
	return cli_did_you_mean(cli, "", name, names, command->nactions);
}

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
