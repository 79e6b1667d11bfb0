#include "cli/run_args.h"

#include "base/utf8.h"
#include "json/canon.h"
#include "json/emit.h"
#include "work/record/clock.h"

/* A usage error of run itself: its status must not look like the command's. */
static int
complain(const struct cli *cli, const char *before, const char *what,
    const char *after)
{
	(void)cli_complain(cli, before, what, after);
	return EXEC_OURSELVES;
}

/* The value of a parameter: TEXT if it is JSON, else TEXT as a JSON string. */
static struct span
param_json(struct cli *cli, struct span text)
{
	struct buf quoted = buf_new(cli->arena, text.n + 8);
	struct span canonical;

	if (canon_json(cli->arena, text, &canonical) == NULL)
		return canonical;
	emit_string(&quoted, text);
	return buf_span(&quoted);
}

static int
take_param(struct cli *cli, struct stage *stage, struct span text)
{
	const char *equals = memchr(text.p, '=', text.n);
	struct span name;

	if (equals == NULL || equals == text.p)
		return complain(cli, "\"", text.p,
		    "\" is not a parameter; say --param NAME=VALUE.");
	if (!utf8_valid(text))
		return complain(cli, "", "a parameter is not UTF-8 text.", "");
	name = (struct span){text.p, (size_t)(equals - text.p)};
	for (size_t i = 0; i < stage->nparams; i++)
		if (span_eq(stage->params[i].name, name))
			return complain(cli, "the parameter \"",
			    arena_cstr(cli->arena, name), "\" is given twice.");
	stage->params[stage->nparams++] = (struct stage_param){
	    name, param_json(cli, span_from(text, name.n + 1)), false};
	return CLI_OK;
}

static int
take_params(
    struct cli *cli, struct stage *stage, const struct option_list *params)
{
	int status = CLI_OK;

	stage->params =
	    arena_array(cli->arena, params->n, sizeof(*stage->params));
	for (size_t i = 0; i < params->n && status == CLI_OK; i++)
		status = take_param(cli, stage, params->at[i]);
	return status;
}

static void
take_outs(struct cli *cli, struct stage *stage, const struct option_list *outs)
{
	stage->outs = arena_array(cli->arena, outs->n, sizeof(*stage->outs));
	for (size_t i = 0; i < outs->n; i++)
		stage->outs[stage->nouts++] = (struct stage_out){
		    .path = outs->at[i],
		    .keep = outs->marks[i] == RUN_OUT_NOT_KEPT ? OUT_NOT_KEPT
							       : OUT_KEPT,
		};
}

static int
take_policy(
    struct cli *cli, const struct run_given *given, struct run_args *args)
{
	args->policy.flags = STAGE_WANT_SAID;
	if (given->force)
		args->policy.flags |= STAGE_FORCE;
	if (given->no_commit)
		args->policy.flags |= STAGE_NO_COMMIT;
	if (given->cache_failures)
		args->policy.flags |= STAGE_KEEP_FAILURES;
	if (given->ttl != NULL &&
	    !duration_parse(span_str(given->ttl), &args->policy.ttl_ms))
		return complain(cli, "\"", given->ttl,
		    "\" is not a duration such as 30s, 10m, 6h or 2d.");
	args->modes = checkout_default();
	if (given->modes != NULL &&
	    !checkout_parse(span_str(given->modes), &args->modes))
		return complain(cli, "\"", given->modes,
		    "\" is not hardlink, symlink or copy.");
	return CLI_OK;
}

int
run_args(struct cli *cli, const struct run_given *given, struct words words,
    struct run_args *args)
{
	struct stage *stage = &args->stage;
	int status;

	*args = (struct run_args){0};
	*stage = (struct stage){
	    .flow = SPAN("run"),
	    .name = option_text(given->name),
	    .deps = given->deps.at,
	    .ndeps = given->deps.n,
	    .code = given->code.at,
	    .ncode = given->code.n,
	    .env = given->env.at,
	    .nenv = given->env.n,
	    .fingerprints = given->fingerprints.at,
	    .nfingerprints = given->fingerprints.n,
	};
	take_outs(cli, stage, &given->outs);
	status = take_params(cli, stage, &given->params);
	if (status == CLI_OK)
		status = take_policy(cli, given, args);
	stage->argv =
	    arena_array(cli->arena, (size_t)words.n, sizeof(*stage->argv));
	for (int i = 0; i < words.n; i++)
		stage->argv[stage->argc++] = span_str(words.at[i]);
	return status;
}
