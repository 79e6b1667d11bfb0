#include "work/workflow/flow_fault.h"

#include <stdarg.h>

#define FLOW_FAULTS_MAX 64 /* more are counted, not kept */

void
flow_fault_add(struct flow_faults *faults, struct span file, uint64_t line,
    struct span node, ...)
{
	struct buf sentence;
	struct flow_fault *fault;
	const char *piece;
	va_list pieces;

	if (faults->n++ >= FLOW_FAULTS_MAX)
		return;
	sentence = buf_new(faults->arena, 96);
	va_start(pieces, node);
	while ((piece = va_arg(pieces, const char *)) != NULL)
		buf_str(&sentence, piece);
	va_end(pieces);
	fault = arena_array(faults->arena, 1, sizeof(*fault));
	*fault =
	    (struct flow_fault){file, line, node, buf_span(&sentence), NULL};
	if (faults->last != NULL)
		faults->last->next = fault;
	else
		faults->first = fault;
	faults->last = fault;
}

bool
flow_faults_are_full(const struct flow_faults *faults)
{
	return faults->n >= FLOW_FAULTS_MAX;
}

void
flow_fault_write(struct buf *buf, const struct flow_fault *fault)
{
	buf_add(buf, fault->file);
	buf_char(buf, ':');
	if (fault->line > 0) {
		buf_u64(buf, fault->line);
		buf_char(buf, ':');
	}
	if (fault->node.n > 0) {
		buf_str(buf, " node '");
		buf_add(buf, fault->node);
		buf_str(buf, "':");
	}
	buf_char(buf, ' ');
	buf_add(buf, fault->sentence);
	buf_char(buf, '\n');
}
