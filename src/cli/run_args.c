#include "cli/run_args.h"

#include "base/utf8.h"
#include "cli/options.h"
#include "key/canon.h"
#include "record/clock.h"
#include "wire/emit.h"

enum option_code {
	OPTION_DEP = 256,
	OPTION_OUT,
	OPTION_OUT_NOT_KEPT,
	OPTION_CODE,
	OPTION_PARAM,
	OPTION_ENV,
	OPTION_FINGERPRINT,
	OPTION_TTL,
	OPTION_FORCE,
	OPTION_NO_COMMIT,
	OPTION_FAILURES,
	OPTION_STDIN,
	OPTION_MODE,
	OPTION_EXPLAIN,
	OPTION_DRY,
	OPTION_JSON,
	OPTION_STORE
};

/* A usage error of run's own: its status is not the command's. */
static int
complain(const struct cli *cli, const char *before, const char *what,
    const char *behind)
{
	(void)cli_complain(cli, before, what, behind);
	return EXEC_OURSELVES;
}

/* ---- lists; each has room for all arguments there are ---- */

static void
add_span(struct span *list, size_t *n, const char *text)
{
	list[(*n)++] = span_str(text);
}

static void
add_out(struct stage *stage, const char *path, bool kept)
{
	stage->outs[stage->nouts++] = (struct stage_out){
	    .path = span_str(path),
	    .keep = kept ? OUT_KEPT : OUT_NOT_KEPT,
	};
}

/* The value of a parameter: JSON if it is that, else a text. */
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
add_param(struct cli *cli, struct stage *stage, const char *text)
{
	const char *equals = strchr(text, '=');
	struct span name;

	if (equals == NULL || equals == text)
		return complain(cli, "\"", text,
		    "\" is no parameter; say --param NAME=VALUE.");
	if (!utf8_valid(span_str(text)))
		return complain(cli, "", "a parameter is no UTF-8 text.", "");
	name = (struct span){text, (size_t)(equals - text)};
	for (size_t i = 0; i < stage->nparams; i++)
		if (span_eq(stage->params[i].name, name))
			return complain(cli, "the parameter \"",
			    arena_cstr(cli->arena, name), "\" is given twice.");
	stage->params[stage->nparams++] =
	    (struct stage_param){name, param_json(cli, span_str(equals + 1))};
	return CLI_OK;
}

/* ---- options ---- */

static int
take_value(struct cli *cli, int code, const char *value, struct run_args *args)
{
	struct stage *stage = &args->stage;

	switch (code) {
	case 'n':
		stage->name = span_str(value);
		break;
	case OPTION_DEP:
		add_span(stage->deps, &stage->ndeps, value);
		break;
	case OPTION_CODE:
		add_span(stage->code, &stage->ncode, value);
		break;
	case OPTION_OUT:
	case OPTION_OUT_NOT_KEPT:
		add_out(stage, value, code == OPTION_OUT);
		break;
	case OPTION_PARAM:
		return add_param(cli, stage, value);
	case OPTION_ENV:
		add_span(stage->env, &stage->nenv, value);
		break;
	case OPTION_FINGERPRINT:
		add_span(stage->fingerprints, &stage->nfingerprints, value);
		break;
	case OPTION_TTL:
		if (!duration_parse(span_str(value), &args->policy.ttl_ms))
			return complain(cli, "\"", value,
			    "\" is no duration such as 30s, 10m, 6h or 2d.");
		break;
	case OPTION_MODE:
		if (!checkout_parse(span_str(value), &args->modes))
			return complain(cli, "\"", value,
			    "\" is none of hardlink, symlink and copy.");
		args->modes_given = true;
		break;
	default:
		args->store = value;
	}
	return CLI_OK;
}

/* An option without a value.  False if CODE is none. */
static bool
take_flag(struct cli *cli, int code, struct run_args *args)
{
	switch (code) {
	case OPTION_FORCE:
		args->policy.flags |= STAGE_FORCE;
		break;
	case OPTION_NO_COMMIT:
		args->policy.flags |= STAGE_NO_COMMIT;
		break;
	case OPTION_FAILURES:
		args->policy.flags |= STAGE_KEEP_FAILURES;
		break;
	case OPTION_STDIN:
		args->stdin_given = true;
		break;
	case OPTION_EXPLAIN:
		args->explain = true;
		break;
	case OPTION_DRY:
		args->dry = true;
		break;
	case OPTION_JSON:
		cli->json = true;
		break;
	case 'h':
		args->help = true;
		break;
	default:
		return false;
	}
	return true;
}

static int
take_options(struct cli *cli, int argc, char **argv, struct run_args *args)
{
	static const struct option options[] = {
	    {"name", required_argument, NULL, 'n'},
	    {"dep", required_argument, NULL, OPTION_DEP},
	    {"out", required_argument, NULL, OPTION_OUT},
	    {"out-not-kept", required_argument, NULL, OPTION_OUT_NOT_KEPT},
	    {"code", required_argument, NULL, OPTION_CODE},
	    {"param", required_argument, NULL, OPTION_PARAM},
	    {"env", required_argument, NULL, OPTION_ENV},
	    {"fp", required_argument, NULL, OPTION_FINGERPRINT},
	    {"ttl", required_argument, NULL, OPTION_TTL},
	    {"force", no_argument, NULL, OPTION_FORCE},
	    {"no-commit", no_argument, NULL, OPTION_NO_COMMIT},
	    {"cache-failures", no_argument, NULL, OPTION_FAILURES},
	    {"stdin", no_argument, NULL, OPTION_STDIN},
	    {"checkout-mode", required_argument, NULL, OPTION_MODE},
	    {"explain", no_argument, NULL, OPTION_EXPLAIN},
	    {"dry-run", no_argument, NULL, OPTION_DRY},
	    {"json", no_argument, NULL, OPTION_JSON},
	    {"store", required_argument, NULL, OPTION_STORE},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	int code, status = CLI_OK;

	/* "+": the command's own options are not ours. */
	while (status == CLI_OK &&
	       (code = cli_option(cli, argc, argv, "+:n:h", options)) != -1) {
		if (code == OPTION_WRONG)
			return EXEC_OURSELVES;
		if (!take_flag(cli, code, args))
			status = take_value(cli, code, optarg, args);
	}
	return status;
}

int
run_args(struct cli *cli, int argc, char **argv, struct run_args *args)
{
	struct stage *stage = &args->stage;
	size_t room = (size_t)argc;
	int status;

	*args = (struct run_args){.modes = checkout_default()};
	stage->flow = SPAN("run");
	stage->name = SPAN("");
	stage->deps = arena_array(cli->arena, room, sizeof(*stage->deps));
	stage->code = arena_array(cli->arena, room, sizeof(*stage->code));
	stage->outs = arena_array(cli->arena, room, sizeof(*stage->outs));
	stage->params = arena_array(cli->arena, room, sizeof(*stage->params));
	stage->env = arena_array(cli->arena, room, sizeof(*stage->env));
	stage->fingerprints =
	    arena_array(cli->arena, room, sizeof(*stage->fingerprints));
	stage->argv = arena_array(cli->arena, room, sizeof(*stage->argv));
	args->policy.flags = STAGE_WANT_SAID;
	status = take_options(cli, argc, argv, args);
	for (int i = optind; i < argc && status == CLI_OK; i++)
		add_span(stage->argv, &stage->argc, argv[i]);
	return status;
}
