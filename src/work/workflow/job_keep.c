/* What is kept of a node that has ended. */
#include "base/utf8.h"
#include "work/workflow/job.h"

static struct span
hex_of(struct arena *arena, const struct digest *digest)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(digest, hex);
	return span_str(arena_cstr(arena, (struct span){hex, DIGEST_HEX}));
}

static void
remark(struct flow_run *run, size_t i, const char *sentence)
{
	struct engine_listener *listener = &run->engine->listener;

	listener->remark(listener->context, run, i, sentence);
}

/* Write the result as a record.  False if it could not be written. */
static bool
save_record(struct flow_run *run, size_t i, const struct judgement *judged,
    struct span key)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	const struct value *value = &run->values[i];
	struct engine *engine = run->engine;
	struct record record = {
	    .key = key,
	    .value = value->out,
	    .life = {.created_ms = run->nodes[i].created_ms},
	    .kind = SPAN("node"),
	    .status = SPAN("done"),
	    .exited = true,
	    .exit = (uint64_t)value->exit,
	    .errors = value->err,
	    .inputs = parts_json(&judged->parts),
	    .flow = utf8_valid(run->bundle->source.path)
			? run->bundle->source.path
			: SPAN("(not text)"),
	    .phase = node->id,
	    .run_id = engine->run_id,
	    .creator = engine->creator,
	    .tool_version = SPAN(READCACHE_VERSION),
	};

	if (value->json.n > 0)
		record.json = value->json;
	return record_save(&engine->work->records, &record);
}

static void
note(struct flow_run *run, size_t i, const struct judgement *judged,
    struct span key)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	const struct node_run *ended = &run->nodes[i];
	struct session_node *known = session_note(&run->session, node->id);
	bool changed = known->changed;

	*known = (struct session_node){
	    .id = node->id,
	    .ending = ended->outcome == OUTCOME_FAILED	  ? ENDED_BADLY
		      : ended->outcome == OUTCOME_BLOCKED ? ENDED_BLOCKED
							  : ENDED_WELL,
	    .stamp = ended->stamp,
	    .cached_ms = ended->created_ms,
	    .took_ms = ended->took_us / 1000,
	    .run = run->engine->run_id,
	    .key = key,
	    .type = span_str(node_type_name(node->type)),
	    .error = ended->error == NULL ? SPAN("")
		     : ended->error_has_value
			 ? SPAN("its command could not be started.")
			 : span_str(ended->error),
	    .changed = changed,
	};
	if (judged != NULL) {
		known->config = judged->parts.config;
		known->above = judged->above;
		known->nabove = judged->nabove;
	}
	session_mark(&run->session, known);
}

/*
 * If an input changed during the work, the command may have seen it before or
 * after: do not keep the result.
 */
static void
doubt(struct flow_run *run, size_t i, struct judgement *judged)
{
	const char *why =
	    steady_end(run, i, judged, &run->nodes[i].job->steady);

	if (why == NULL)
		return;
	judged->keep = false;
	remark(run, i, why);
}

void
job_keep(struct flow_run *run, size_t i, struct judgement *judged)
{
	struct node_run *ended = &run->nodes[i];
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct arena *arena = run->engine->work->arena;
	struct span key = SPAN("");

	if (ended->created_ms == 0)
		ended->created_ms = clock_now();
	if (judged->keep && ended->outcome == OUTCOME_DONE)
		doubt(run, i, judged);
	if (judged->keep && ended->outcome == OUTCOME_DONE) {
		key = hex_of(arena, &judged->key);
		if (!save_record(run, i, judged, key)) {
			if (work_tells_unkept(run->engine->work))
				remark(run, i,
				    "its result could not be kept; it will be "
				    "done again next time.");
			key = SPAN("");
		}
	}
	/* A result that was not kept has a stamp unlike all others. */
	ended->stamp = judge_stamp(node, &run->values[i],
	    key.n > 0 ? key : node->id, ended->created_ms, run->engine->run_id);
	ended->is_stamped = true;
	if (!judged->keep)
		return;
	note(run, i, judged, key);
	(void)session_jot(&run->session);
}

void
job_note_stage(struct flow_run *run, size_t i)
{
	struct span key = run->nodes[i].record;

	note(run, i, NULL, key.p != NULL ? key : SPAN(""));
}
