#include "work/workflow/inputs.h"

#include "base/buf.h"
#include "base/near.h"

size_t
inputs_find(const struct inputs *inputs, struct span name)
{
	const uint64_t *at = map_find(inputs->names, name);

	return at != NULL ? (size_t)*at : inputs->workflow->ninputs;
}

static const char *
sentence(struct arena *arena, const char *before, struct span name,
    const char *after)
{
	struct buf text = buf_new(arena, 96);

	buf_str(&text, before);
	buf_add(&text, name);
	buf_str(&text, after);
	return arena_cstr(arena, buf_span(&text));
}

static const char *
tell_unknown(
    struct arena *arena, const struct workflow *workflow, struct span name)
{
	struct span *names =
	    arena_array(arena, workflow->ninputs, sizeof(*names));
	const struct span *near;
	struct buf hint = buf_new(arena, 64);

	for (size_t i = 0; i < workflow->ninputs; i++)
		names[i] = workflow->inputs[i].name;
	near = near_name(name, names, workflow->ninputs);
	buf_str(&hint, "\".");
	if (near != NULL) {
		buf_str(&hint, " Did you mean \"");
		buf_add(&hint, *near);
		buf_str(&hint, "\"?");
	}
	return sentence(arena, "the workflow has no input \"", name,
	    arena_cstr(arena, buf_span(&hint)));
}

const char *
inputs_set(struct arena *arena, const struct workflow *workflow,
    const struct given_input *given, size_t n, struct inputs *inputs)
{
	bool *has = arena_array(arena, workflow->ninputs, sizeof(*has));

	inputs->workflow = workflow;
	inputs->names = map_new(arena, workflow->ninputs);
	for (size_t i = 0; i < workflow->ninputs; i++)
		(void)map_at(inputs->names, workflow->inputs[i].name, i);
	inputs->values =
	    arena_array(arena, workflow->ninputs, sizeof(struct span));
	for (size_t i = 0; i < n; i++) {
		size_t at = inputs_find(inputs, given[i].name);

		if (at == workflow->ninputs)
			return tell_unknown(arena, workflow, given[i].name);
		if (has[at])
			return sentence(arena, "the input \"", given[i].name,
			    "\" is given twice.");
		has[at] = true;
		inputs->values[at] = given[i].value;
	}
	for (size_t i = 0; i < workflow->ninputs; i++) {
		if (has[i])
			continue;
		if (!workflow->inputs[i].has_value)
			return sentence(arena, "the input \"",
			    workflow->inputs[i].name,
			    "\" has no default: give it as name=value.");
		inputs->values[i] = workflow->inputs[i].value;
	}
	return NULL;
}

bool
inputs_get(const struct inputs *inputs, struct span name, struct span *value)
{
	size_t i = inputs_find(inputs, name);

	if (i == inputs->workflow->ninputs)
		return false;
	*value = inputs->values[i];
	return true;
}
