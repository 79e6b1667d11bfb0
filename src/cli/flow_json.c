#include "cli/flow_json.h"

#include "cli/flow_show.h"
#include "json/emit.h"

static const char *
outcome_name(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_REUSED:
		return "cached";
	case OUTCOME_DONE:
		return "executed";
	case OUTCOME_STALE:
		return "stale";
	case OUTCOME_FAILED:
		return "failed";
	case OUTCOME_BLOCKED:
		return "blocked";
	case OUTCOME_WAITING:
	case OUTCOME_WORKING:
		break;
	}
	return "not reached";
}

const char *
cli_flow_json_status(const struct flow_run *run)
{
	if (run->failed)
		return "failed";
	if (run->blocked)
		return "blocked";
	for (size_t i = 0; i < run->bundle->graph.n; i++)
		if (run->nodes[i].outcome == OUTCOME_STALE)
			return "stale";
	return run->engine->options.mode == ENGINE_LOOK ? "cached"
							: "completed";
}

/* A reuse costs nothing. */
static const char no_usage[] = "{\"input\":0,\"output\":0,\"cacheRead\":0,"
			       "\"cacheWrite\":0,\"cost\":0,\"turns\":0}";

void
cli_flow_json_node(struct buf *out, const struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	const struct node_run *it = &run->nodes[i];
	const struct value *value = &run->values[i];
	struct buf name = buf_new(out->arena, 64);
	bool reused = it->outcome == OUTCOME_REUSED;

	cli_flow_show_name(&name, run, i);
	emit_string_member(out, "id", buf_span(&name));
	emit_string_member(out, "type", span_str(node_type_name(node->type)));
	emit_string_member(out, "status", span_str(outcome_name(it->outcome)));
	emit_name(out, "cacheHit");
	buf_str(out, !reused				  ? "null"
		     : it->verdict.tier == TIER_CROSS_RUN ? "\"cross-run\""
							  : "\"run\"");
	if (reused) {
		emit_name(out, "usage");
		buf_str(out, no_usage);
	}
	verdict_members(out, &it->verdict);
	emit_number_member(out, "ms", it->took_us / 1000);
	if (it->error != NULL)
		emit_string_member(out, "error", span_str(it->error));
	if (value->out.p != NULL) {
		emit_number_member(out, "exit", (uint64_t)value->exit);
		(void)emit_bytes_member(
		    out, "stdout", "stdout_base64", value->out);
		(void)emit_bytes_member(
		    out, "stderr", "stderr_base64", value->err);
	}
	if (value->json.n > 0) {
		emit_name(out, "json");
		buf_add(out, value->json);
	}
}

static void
emit_nodes(struct buf *out, const struct flow_run *run, bool *first)
{
	for (size_t k = 0; k < run->bundle->graph.n; k++) {
		size_t i = run->bundle->graph.order[k];

		buf_str(out, *first ? "\n" : ",\n");
		*first = false;
		buf_char(out, '{');
		cli_flow_json_node(out, run, i);
		buf_char(out, '}');
		if (run->nodes[i].inner != NULL)
			emit_nodes(out, run->nodes[i].inner, first);
	}
}

void
cli_flow_json_run(struct cli *cli, const struct flow_run *run)
{
	struct buf *out = &cli->out;
	bool first = true;

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_string_member(out, "flow", run->bundle->source.shown);
	if (run->engine->options.mode == ENGINE_RUN)
		emit_string_member(out, "run", run->engine->run_id);
	emit_string_member(out, "status", span_str(cli_flow_json_status(run)));
	emit_name(out, "nodes");
	buf_char(out, '[');
	emit_nodes(out, run, &first);
	buf_str(out, "]}\n");
}
