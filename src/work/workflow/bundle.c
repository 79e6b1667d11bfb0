#include "work/workflow/bundle.h"

#include "work/workflow/files.h"
#include "work/workflow/parse.h"

/* A workflow that is being loaded, and the one that runs it. */
struct above {
	const struct source *source;
	const struct above *next;
};

/*
 * How large all workflows inside may be together.  Each counts as often as it
 * is run, so without a limit a few small files that run each other twice would
 * be billions of workflows.
 */
#define INNER_MAX ((size_t)16 * 1024 * 1024)
#define INNER_LEAST 512 /* bytes that each counts for at least */

struct loader {
	struct arena *arena;
	const struct work *work;
	struct flow_faults *faults;
	size_t inner; /* bytes of the workflows inside so far */
};

static struct bundle *load(struct loader *l, struct span name,
    const struct above *above, const char **why);

static void
tell(struct loader *l, const struct bundle *outer, const struct node *node,
    const char *sentence)
{
	flow_fault_add(l->faults, outer->source.shown,
	    flow_faults_are_full(l->faults)
		? 0
		: workflow_line(&outer->workflow, node->source.p),
	    node->id, sentence, NULL);
}

static bool
is_above(const struct above *above, const struct source *source)
{
	for (; above != NULL; above = above->next)
		if (span_eq(above->source->path, source->path))
			return true;
	return false;
}

/* The first node inside of BUNDLE that forbids sharing its result, or NULL. */
static const struct node *
find_unshared(const struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->workflow.nnodes; i++) {
		const struct node *node = &bundle->workflow.nodes[i];
		const struct node *inside =
		    bundle->inner[i] != NULL ? find_unshared(bundle->inner[i])
					     : NULL;

		if (node_decides(node) || node->effects)
			return node;
		if (inside != NULL)
			return inside;
	}
	return NULL;
}

/* A node whose result is shared would skip a gate in its inner workflow. */
static void
check_inside(struct loader *l, const struct bundle *outer,
    const struct node *node, const struct bundle *inner)
{
	const struct node *unshared;
	struct buf sentence;

	if (node->scope != NODE_CROSS_RUN)
		return;
	unshared = find_unshared(inner);
	if (unshared == NULL)
		return;
	sentence = buf_new(l->arena, 128);
	buf_str(&sentence, "it cannot be cross-run: the workflow inside has "
			   "the node '");
	buf_add(&sentence, unshared->id);
	buf_str(&sentence, "', ");
	buf_str(&sentence, unshared->effects		 ? "which has effects"
			   : unshared->type == NODE_GATE ? "a gate"
							 : "an approval");
	buf_str(&sentence, ", which every run must have for itself.");
	tell(l, outer, node, arena_cstr(l->arena, buf_span(&sentence)));
}

/*
 * Check the files of all nodes now.  Otherwise a stage would refuse them only
 * when its turn comes, after others have run.
 */
static void
check_files(struct loader *l, const struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->workflow.nnodes; i++) {
		const struct node *node = &bundle->workflow.nodes[i];
		struct stage stage = files_of(l->arena, node);
		const char *why = stage_check_files(l->work, &stage);

		if (why != NULL)
			tell(l, bundle, node, why);
	}
}

static void
load_inner(
    struct loader *l, struct bundle *outer, size_t i, const struct above *above)
{
	const struct node *node = &outer->workflow.nodes[i];
	const char *why = NULL;
	struct bundle *inner;

	if (node->type != NODE_FLOW || node->run.n != 1)
		return;
	inner = load(l, node->run.at[0], above, &why);
	if (why != NULL)
		tell(l, outer, node, why);
	if (inner != NULL)
		check_inside(l, outer, node, inner);
	outer->inner[i] = inner;
}

/* Count BUNDLE, which is inside of another.  False if that is too much. */
static bool
count_inner(struct loader *l, const struct bundle *bundle)
{
	size_t n = bundle->source.text.n;

	l->inner += n > INNER_LEAST ? n : INNER_LEAST;
	return l->inner <= INNER_MAX;
}

static struct bundle *
load(struct loader *l, struct span name, const struct above *above,
    const char **why)
{
	struct bundle *bundle = arena_array(l->arena, 1, sizeof(*bundle));
	struct above self = {&bundle->source, above};
	size_t before = l->faults->n;

	*why = source_load(l->arena, l->work->root, name, &bundle->source);
	if (*why == NULL && is_above(above, &bundle->source))
		*why = "a workflow cannot run itself, not even through "
		       "others.";
	if (*why == NULL && above != NULL && !count_inner(l, bundle))
		*why = "the workflows inside are more than 16 MiB together, "
		       "each counted as often as it is run.";
	if (*why != NULL)
		return NULL;
	parse_workflow(
	    l->arena, name, bundle->source.text, &bundle->workflow, l->faults);
	if (l->faults->n > before)
		return NULL;
	bundle->graph = graph_of(
	    l->arena, l->work->root, &bundle->workflow, l->work->links);
	check_workflow(&bundle->workflow, &bundle->graph, name, l->faults);
	check_files(l, bundle);
	bundle->inner = arena_array(
	    l->arena, bundle->workflow.nnodes, sizeof(struct bundle *));
	for (size_t i = 0; i < bundle->workflow.nnodes && l->inner <= INNER_MAX;
	     i++)
		load_inner(l, bundle, i, &self);
	return l->faults->n > before ? NULL : bundle;
}

struct bundle *
bundle_load(const struct work *work, struct span name,
    struct flow_faults *faults, const char **why)
{
	struct work loading = *work;
	struct loader l = {work->arena, &loading, faults, 0};

	loading.links = links_new(work->arena);
	return load(&l, name, NULL, why);
}

bool
bundle_must_enter(const struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->workflow.nnodes; i++) {
		const struct node *node = &bundle->workflow.nodes[i];

		if (node_decides(node) || node_is_stage(node) ||
		    node->scope == NODE_OFF || node->fingerprint.n > 0)
			return true;
		if (bundle->inner[i] != NULL &&
		    bundle_must_enter(bundle->inner[i]))
			return true;
	}
	return false;
}
