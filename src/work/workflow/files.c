#include "work/workflow/files.h"

struct stage
files_of(struct arena *arena, const struct node *node)
{
	struct stage stage = {
	    .deps = node->deps.at,
	    .ndeps = node->deps.n,
	    .code = node->code.at,
	    .ncode = node->code.n,
	    .outs = arena_array(arena, node->nouts, sizeof(*stage.outs)),
	    .nouts = node->nouts,
	};

	for (size_t i = 0; i < node->nouts; i++)
		stage.outs[i] = (struct stage_out){node->outs[i].path,
		    node->outs[i].kept ? OUT_KEPT : OUT_NOT_KEPT};
	return stage;
}
