#include "workflow/still.h"

#include "finger/witness.h"

/* Is there anything that can move? */
static bool
depends(const struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];

	return node->fingerprint.n > 0 || node->params.n > 0 ||
	       node->batch.n > 0 || run->bundle->inner[i] != NULL;
}

/* What a walk over the files of a node needs. */
struct walk {
	struct key key;
	struct arena *scratch;
	struct span root;
};

static void
add_file(void *context, struct span text)
{
	struct walk *walk = context;
	struct span path;

	if (resolve_names_file(text, &path))
		witness_file(&walk->key, walk->scratch, walk->root, path);
}

static void
add_node(struct walk *walk, const struct node *node)
{
	strings_each(walk->scratch, node->params, add_file, walk);
	strings_each(walk->scratch, node->batch, add_file, walk);
}

static void
add_inner(struct walk *walk, const struct bundle *inner)
{
	for (size_t i = 0; i < inner->workflow.nnodes; i++) {
		add_node(walk, &inner->workflow.nodes[i]);
		if (inner->inner[i] != NULL)
			add_inner(walk, inner->inner[i]);
	}
}

struct digest
still_witness(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct walk walk = {.scratch = store_scratch(run->engine->work->store),
	    .root = run->engine->work->root};

	key_begin(&walk.key, "flow-witness", 1);
	if (depends(run, i))
		add_node(&walk, node);
	for (size_t k = 0; k < node->fingerprint.n; k++)
		witness_finger(&walk.key, walk.scratch, walk.root,
		    node->fingerprint.at[k]);
	if (run->bundle->inner[i] != NULL)
		add_inner(&walk, run->bundle->inner[i]);
	return key_end(&walk.key);
}

static const char *
sentence(struct arena *arena, struct span what)
{
	struct buf text = buf_new(arena, 128);

	buf_str(&text, "its result is used, but not kept: ");
	buf_add(&text, what);
	buf_str(&text, " while it worked.");
	return arena_cstr(arena, buf_span(&text));
}

/* The names of what is not as it was when JUDGED was made. */
static const char *
tell(struct arena *arena, const struct parts *now,
    const struct judgement *judged)
{
	struct verdict verdict = {.first = NULL};
	struct buf what = buf_new(arena, 64);

	if (now->why != NULL)
		return sentence(arena, SPAN("what it depends on went away"));
	if (now->unresolved.spec.n > 0) {
		buf_str(&what, "fingerprint ");
		buf_add(&what, now->unresolved.spec);
		buf_str(&what, " could not be told any more");
		return sentence(arena, buf_span(&what));
	}
	parts_compare(now, parts_json(&judged->parts), &verdict);
	if (verdict.first == NULL)
		return sentence(arena, SPAN("what it depends on changed"));
	buf_str(&what, verdict.first->reason == REASON_FINGERPRINT
			   ? "fingerprint "
			   : "");
	buf_add(&what, verdict.first->subject);
	buf_str(&what, " changed");
	return sentence(arena, buf_span(&what));
}

const char *
still_broken(struct flow_run *run, size_t i, const struct judgement *judged,
    const struct digest *witness)
{
	struct resolver r = judge_resolver(run, i);
	struct digest then = *witness, now;
	struct parts parts;

	if (!depends(run, i))
		return NULL;
	if (!parts_collect(&r, &run->engine->work->hasher,
		run->bundle->inner[i], &parts) ||
	    parts.unresolved.spec.n > 0 ||
	    !digest_eq(&parts.config, &judged->parts.config))
		return tell(r.arena, &parts, judged);
	now = still_witness(run, i);
	if (digest_eq(&then, &now))
		return NULL;
	return sentence(
	    r.arena, SPAN("what it depends on changed and came back"));
}
