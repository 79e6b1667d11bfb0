#include "work/workflow/steady.h"

#include "work/fingerprint/still.h"

/* ---- what it depends on ---- */

/* Collects the fingerprints of a node, and the files that its params name. */
struct steady_walk {
	struct flow_run *run;
	struct steady *steady;
	size_t room;
};

static void
add(struct steady_walk *walk, struct span spec)
{
	struct work *work = walk->run->engine->work;
	struct steady *steady = walk->steady;

	steady->fingerprints = arena_more(work->arena, steady->fingerprints,
	    steady->n, &walk->room, sizeof(*steady->fingerprints));
	steady->fingerprints[steady->n++] =
	    fingerprint_resolve(&work->hasher, work->root, spec);
}

static void
add_file(void *context, struct span text)
{
	struct steady_walk *walk = context;
	struct buf spec = buf_new(walk->run->engine->work->arena, 64);
	struct span path;

	if (!resolve_names_file(text, &path))
		return;
	buf_str(&spec, "file:");
	buf_add(&spec, path);
	add(walk, buf_span(&spec));
}

static void
add_files(struct steady_walk *walk, const struct node *node)
{
	struct arena *arena = walk->run->engine->work->arena;

	strings_each(arena, node->params, add_file, walk);
	strings_each(arena, node->batch, add_file, walk);
}

static void
add_inner(struct steady_walk *walk, const struct bundle *inner)
{
	for (size_t i = 0; i < inner->workflow.nnodes; i++) {
		add_files(walk, &inner->workflow.nodes[i]);
		if (inner->inner[i] != NULL)
			add_inner(walk, inner->inner[i]);
	}
}

struct steady
steady_begin(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct work *work = run->engine->work;
	struct steady steady = {.fingerprints = NULL};
	struct steady_walk walk = {run, &steady, 0};

	for (size_t k = 0; k < node->fingerprint.n; k++)
		add(&walk, node->fingerprint.at[k]);
	add_files(&walk, node);
	if (run->bundle->inner[i] != NULL)
		add_inner(&walk, run->bundle->inner[i]);
	steady.still = fingerprint_watch(
	    &work->hasher, work->root, steady.fingerprints, steady.n);
	return steady;
}

void
steady_drop(struct steady *steady)
{
	still_end(steady->still);
	steady->still = NULL;
}

/* ---- after the work ---- */

static const char *
sentence(struct arena *arena, struct span what)
{
	struct buf text = buf_new(arena, 128);

	buf_str(&text, "its result is used, but not kept: ");
	buf_add(&text, what);
	buf_str(&text, ".");
	return arena_cstr(arena, buf_span(&text));
}

/* Say what has changed since JUDGED was made. */
static const char *
tell(struct arena *arena, const struct parts *now,
    const struct judgement *judged)
{
	struct verdict verdict = {.first = NULL};
	struct buf what = buf_new(arena, 64);

	if (now->why != NULL)
		return sentence(arena, SPAN("what it depends on went away while it worked"));
	if (now->unresolved.spec.n > 0) {
		buf_str(&what, "fingerprint ");
		buf_add(&what, now->unresolved.spec);
		buf_str(&what, " could not be told any more while it worked");
		return sentence(arena, buf_span(&what));
	}
	parts_compare(now, parts_json(&judged->parts), &verdict);
	if (verdict.first == NULL)
		return sentence(arena, SPAN("what it depends on changed while it worked"));
	buf_str(&what, verdict.first->reason == REASON_FINGERPRINT
			   ? "fingerprint "
			   : "");
	buf_add(&what, verdict.first->subject);
	buf_str(&what, " changed while it worked");
	return sentence(arena, buf_span(&what));
}

/* Compare contents with those in JUDGED.  NULL if they are the same. */
static const char *
compare(struct flow_run *run, size_t i, const struct judgement *judged)
{
	struct resolver r = judge_resolver(run, i);
	struct parts parts;

	if (parts_collect(&r, &run->engine->work->hasher,
		run->bundle->inner[i], &parts) &&
	    parts.unresolved.spec.n == 0 &&
	    digest_eq(&parts.config, &judged->parts.config))
		return NULL;
	return tell(r.arena, &parts, judged);
}

const char *
steady_end(struct flow_run *run, size_t i, const struct judgement *judged,
    struct steady *steady)
{
	struct work *work = run->engine->work;
	struct buf what = buf_new(work->arena, 64);
	struct still *still = steady->still;
	enum still_verdict verdict;
	struct span which;
	const char *why;

	if (still == NULL)
		return NULL;
	why = compare(run, i, judged);
	if (why != NULL) {
		steady_drop(steady);
		return why;
	}
	steady->still = NULL;
	verdict = fingerprint_kept_still(&work->hasher, work->root,
	    steady->fingerprints, steady->n, still, &which);
	if (verdict == STILL_SAME)
		return NULL;
	buf_add(&what, which);
	buf_str(&what, verdict == STILL_FRESH
			   ? STILL_FRESH_SAID
			   : " changed and came back while it worked");
	return sentence(work->arena, buf_span(&what));
}
