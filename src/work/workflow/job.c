#include "work/workflow/job.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/utf8.h"
#include "work/workflow/context.h"
#include "work/workflow/value_file.h"
#include "json/emit.h"

enum job_state
job_fail(struct flow_run *run, size_t i, ...)
{
	struct buf sentence = buf_new(run->engine->work->arena, 128);
	const char *piece;
	va_list pieces;

	va_start(pieces, i);
	while ((piece = va_arg(pieces, const char *)) != NULL)
		buf_str(&sentence, piece);
	va_end(pieces);
	run->nodes[i].error =
	    arena_cstr(run->engine->work->arena, buf_span(&sentence));
	return JOB_FAILED;
}

enum job_state
job_not_started(struct flow_run *run, size_t i, const struct span *argv)
{
	const char *why = strerror(errno);

	run->nodes[i].error_has_value = true;
	return job_fail(run, i, "cannot start ",
	    arena_cstr(run->engine->work->arena, argv[0]), ": ", why, ".",
	    NULL);
}

void
job_tell_waiting(void *place, long holder)
{
	const struct job_place *at = place;
	struct engine_listener *listener = &at->run->engine->listener;
	struct buf sentence = buf_new(at->run->engine->work->arena, 96);

	buf_str(&sentence, "waiting for ");
	if (holder > 0) {
		buf_str(&sentence, "process ");
		buf_u64(&sentence, (uint64_t)holder);
	} else {
		buf_str(&sentence, "another process");
	}
	buf_str(&sentence, ", which is at it.");
	listener->remark(listener->context, at->run, at->i,
	    arena_cstr(at->run->engine->work->arena, buf_span(&sentence)));
}

/* ---- its room ---- */

void
job_open(struct flow_run *run, size_t i)
{
	struct engine *engine = run->engine;
	struct job *job = engine->free_jobs;
	struct arena *room = job != NULL ? job->room : NULL;

	if (job != NULL)
		engine->free_jobs = job->next;
	else
		job = arena_array(engine->work->arena, 1, sizeof(*job));
	*job = (struct job){.room = room};
	run->nodes[i].job = job;
}

enum { VALUE_LARGE = 1024 * 1024 };

static void
keep(struct arena *arena, struct span *text)
{
	if (text->p != NULL)
		text->p = arena_cstr(arena, *text);
}

void
job_close(struct flow_run *run, size_t i)
{
	struct arena *arena = run->engine->work->arena;
	struct value *value = &run->values[i];
	struct job *job = run->nodes[i].job;

	if (job == NULL)
		return;
	lock_release(job->locks);
	job->locks = NULL;
	steady_drop(&job->steady);
	/* When we only look, the plans of stages are needed to the end. */
	if (job->plan != NULL && !job->is_roomed)
		return;
	if (job->plan != NULL)
		run->nodes[i].verdict =
		    verdict_copy(arena, &run->nodes[i].verdict);
	/*
	 * A large value keeps its arena: copying it would need as much again.
	 */
	if (job->is_roomed &&
	    value->out.n + value->err.n + value->json.n > VALUE_LARGE) {
		job->room = NULL;
	} else if (job->is_roomed) {
		keep(arena, &value->out);
		keep(arena, &value->err);
		keep(arena, &value->json);
		arena_reset(job->room);
	}
	run->nodes[i].job = NULL;
	job->next = run->engine->free_jobs;
	run->engine->free_jobs = job;
}

/* ---- starting ---- */

/* The request that an agent's command reads: the node and its params. */
static bool
agent_request(
    const struct flow_run *run, struct resolver *r, struct span *request)
{
	struct buf out = buf_new(r->arena, r->params.n + 128);

	buf_char(&out, '{');
	emit_number_member(&out, "v", 1);
	emit_string_member(&out, "flow", run->bundle->workflow.name);
	emit_string_member(&out, "node", r->node->id);
	emit_name(&out, "params");
	buf_add(&out, r->params);
	if (r->node->context.n > 0) {
		emit_name(&out, "context");
		if (!context_write(r, &out))
			return false;
	}
	buf_str(&out, "}\n");
	*request = buf_span(&out);
	return true;
}

bool
job_command(struct flow_run *run, size_t i, struct resolver *r,
    struct span **words, size_t *n, struct span *input)
{
	if (r->node->type == NODE_AGENT ? !agent_request(run, r, input)
					: !resolve_stdin(r, input)) {
		(void)job_fail(run, i, r->why, NULL);
		return false;
	}
	if (r->node->run.n > 0) {
		if (resolve_command(r, words, n))
			return true;
		(void)job_fail(run, i, r->why, NULL);
		return false;
	}
	if (r->agent.n == 0) {
		(void)job_fail(run, i,
		    "nobody answers it: give the node a \"run\", or set "
		    "READCACHE_AGENT to a command that answers agents.",
		    NULL);
		return false;
	}
	*words = exec_shell(r->arena, r->agent);
	*n = 3;
	return true;
}

/* A larger input goes through a file: its pages need not stay in memory. */
enum { INPUT_IN_MEMORY = 1024 * 1024 };

bool
job_exec(struct flow_run *run, size_t i, struct arena *arena,
    struct exec_command *command)
{
	struct work *work = run->engine->work;
	struct job *job = run->nodes[i].job;
	int failure, fd = -1, error;

	if (command->input.n > INPUT_IN_MEMORY)
		fd = value_file_open(work->store, command->input);
	if (fd >= 0)
		command->input_from = &fd;
	state_rest(work->state);
	job->child = exec_start(arena, command, &failure);
	error = errno;
	if (fd >= 0)
		(void)close(fd);
	command->input_from = NULL;
	errno = error;
	return job->child != NULL;
}

static enum job_state
start_command(struct flow_run *run, size_t i, struct resolver *r)
{
	struct work *work = run->engine->work;
	struct exec_command command = {.cwd = work->root, .echo = EXEC_QUIET};
	struct span params;

	if (!resolve_params(r, &params))
		return job_fail(run, i, r->why, NULL);
	if (!job_command(
		run, i, r, &command.argv, &command.argc, &command.input))
		return JOB_FAILED;
	if (!job_exec(run, i, r->arena, &command))
		return job_not_started(run, i, command.argv);
	return JOB_WORKS;
}

static enum job_state
start_item(struct flow_run *run, size_t i)
{
	struct job *job = run->nodes[i].job;
	struct resolver r = judge_resolver(run, i);

	r.arena = job->room;
	r.makes_files = true;
	r.item = job->items[job->done];
	r.index = job->done;
	return start_command(run, i, &r);
}

/* All items are done, or there were none. */
static enum job_state
end_batch(struct flow_run *run, size_t i)
{
	struct job *job = run->nodes[i].job;

	buf_char(&job->json, ']');
	run->values[i] = (struct value){
	    .known = true,
	    .out = buf_span(&job->out),
	    .err = buf_span(&job->err),
	    .json = buf_span(&job->json),
	};
	return JOB_IS_DONE;
}

enum job_state
job_start(struct flow_run *run, size_t i)
{
	struct resolver r = judge_resolver(run, i);
	struct job *job = run->nodes[i].job;

	if (job->room == NULL)
		job->room = arena_scratch(run->engine->work->arena);
	job->is_roomed = true;
	r.arena = job->room;
	r.makes_files = true;
	if (r.node->batch.n == 0)
		return start_command(run, i, &r);
	if (!resolve_items(&r, &job->items, &job->nitems))
		return job_fail(run, i, r.why, NULL);
	job->out = buf_new(r.arena, 256);
	job->err = buf_new(r.arena, 256);
	job->json = buf_new(r.arena, 256);
	buf_char(&job->json, '[');
	return job->nitems > 0 ? start_item(run, i) : end_batch(run, i);
}

/* ---- ending ---- */

const char *
job_exit_text(const struct flow_run *run, const char *before, int status)
{
	struct buf text = buf_new(run->engine->work->arena, 64);

	buf_str(&text, before);
	if (status > 128 && status < 128 + 65) {
		buf_str(&text, "ended by signal ");
		buf_u64(&text, (uint64_t)(status - 128));
	} else {
		buf_str(&text, "exit status ");
		buf_u64(&text, (uint64_t)status);
	}
	return arena_cstr(run->engine->work->arena, buf_span(&text));
}

/* Add an item's output as JSON: as it is if it is JSON, else as a string. */
static void
add_item_json(struct buf *json, struct span out)
{
	struct json_doc doc;

	if (json->n > 1)
		buf_char(json, ',');
	while (out.n > 0 && out.p[out.n - 1] == '\n')
		out.n--;
	if (json_judge(json->arena, out, &doc))
		buf_add(json, json_trim(out));
	else if (utf8_valid(out))
		emit_string(json, out);
	else
		buf_str(json, "null");
}

enum job_state
job_next(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct job *job = run->nodes[i].job;
	const struct said *said = exec_said(job->child);
	struct span out = buf_span(&said->text[SAID_OUT]);
	struct span err = buf_span(&said->text[SAID_ERR]);
	int status = exec_status(job->child);

	run->values[i] = (struct value){
	    .exit = status, .out = out, .err = err, .json = SPAN("")};
	job->child = NULL;
	if (status != 0)
		return job_fail(run, i,
		    job_exit_text(run,
			node->type == NODE_GATE ? "the gate said no: " : "",
			status),
		    NULL);
	if (said->lost)
		return job_fail(run, i,
		    "it said more than 64 MiB; let it write to a file.", NULL);
	if (node->batch.n == 0) {
		run->values[i].known = true;
		return JOB_IS_DONE;
	}
	buf_add(&job->out, out);
	buf_add(&job->err, err);
	add_item_json(&job->json, out);
	return ++job->done < job->nitems ? start_item(run, i)
					 : end_batch(run, i);
}
