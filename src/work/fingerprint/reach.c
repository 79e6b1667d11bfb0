#include "work/fingerprint/reach.h"

#include "work/fingerprint/pattern.h"

/* The components of a path without "." and empty ones. */
struct steps {
	struct span *at;
	size_t n;
};

static struct steps
steps_of(struct arena *arena, struct span path)
{
	struct steps steps = {
	    arena_array(arena, path.n / 2 + 1, sizeof(struct span)), 0};

	while (path.n > 0) {
		const char *slash = memchr(path.p, '/', path.n);
		struct span step = {
		    path.p, slash != NULL ? (size_t)(slash - path.p) : path.n};

		path = span_from(path, step.n + (slash != NULL));
		if (step.n > 0 && !span_eq(step, SPAN(".")))
			steps.at[steps.n++] = step;
	}
	return steps;
}

/* May "**" match STEP?  Not if it begins with a dot. */
static bool
is_passed(struct span step)
{
	return step.p[0] != '.';
}

/*
 * reached[k] says whether the components taken so far match the first k steps.
 * Take one more component.
 */
static void
take(struct span component, bool last, const struct steps *path, bool *reached)
{
	bool before = reached[0], here;
	bool any = span_eq(component, SPAN("**"));

	/*
	 * In the middle "**" may match nothing; at the end it matches
	 * something.
	 */
	reached[0] = before && any;
	for (size_t k = 1; k <= path->n; k++) {
		struct span step = path->at[k - 1];

		here = reached[k];
		if (!any)
			reached[k] =
			    before && pattern_match_name(component, step);
		else if (last)
			reached[k] =
			    (before || reached[k - 1]) && is_passed(step);
		else
			reached[k] =
			    here || (reached[k - 1] && is_passed(step));
		before = here;
	}
}

bool
reach_finds(struct arena *arena, struct span pattern, struct span path)
{
	struct steps components = steps_of(arena, pattern);
	struct steps steps = steps_of(arena, path);
	bool *reached = arena_array(arena, steps.n + 1, sizeof(*reached));

	reached[0] = true;
	for (size_t i = 0; i < components.n; i++)
		take(components.at[i], i + 1 == components.n, &steps, reached);
	for (size_t k = 1; k <= steps.n; k++)
		if (reached[k])
			return true;
	return false;
}
