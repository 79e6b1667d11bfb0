#include "work/workflow/workflow.h"

#include "base/lines.h"

const char *
node_type_name(enum node_type type)
{
	static const char names[NODE_TYPES][9] = {
	    "shell", "agent", "gate", "approval", "flow"};

	return names[type];
}

const char *
node_scope_name(enum node_scope scope)
{
	static const char names[NODE_SCOPES][10] = {
	    "run-only", "cross-run", "off"};

	return names[scope];
}

uint64_t
workflow_line(const struct workflow *workflow, const char *at)
{
	return lines_count(
	    (struct span){workflow->text.p, (size_t)(at - workflow->text.p)});
}
