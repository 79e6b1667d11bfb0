#include "work/key/agent.h"

static void
add_field(struct digest_state *state, struct span field)
{
	digest_add(state, field);
	digest_add(state, SPAN("\0"));
}

static const char *
find_fault(const struct agent_call *call)
{
	if (span_has(call->agent, '\0') || span_has(call->system, '\0') ||
	    span_has(call->model, '\0'))
		return "a field holds a NUL byte, which separates fields; "
		       "remove it.";
	for (size_t i = 0; i < call->nturns; i++) {
		if (span_has(call->turns[i], '\0'))
			return "a prompt holds a NUL byte, which separates "
			       "fields; remove it.";
		if (span_has(call->turns[i], '\x01'))
			return "a prompt holds the byte 0x01, which separates "
			       "turns; give the turns one by one.";
	}
	return NULL;
}

const char *
agent_key(const struct agent_call *call, struct digest *key)
{
	const char *fault = find_fault(call);
	struct digest_state state;

	if (fault != NULL)
		return fault;
	digest_begin(&state);
	add_field(&state, call->agent);
	add_field(&state, call->system);
	for (size_t i = 0; i < call->nturns; i++) {
		if (i > 0)
			digest_add(&state, SPAN("\x01"));
		digest_add(&state, call->turns[i]);
	}
	digest_add(&state, SPAN("\0"));
	add_field(&state, call->model);
	*key = digest_end(&state);
	return NULL;
}
