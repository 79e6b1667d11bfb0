/*
 * flow_fault.h -- what is wrong with a workflow file.
 *
 * All faults are collected, so that a file can be corrected in one go.
 */
#ifndef READCACHE_WORK_WORKFLOW_FLOW_FAULT_H
#define READCACHE_WORK_WORKFLOW_FLOW_FAULT_H

#include <stdint.h>

#include "base/buf.h"

struct flow_fault {
	struct span file;
	uint64_t line;	  /* 0: the file as a whole */
	struct span node; /* id of the node, or empty */
	struct span sentence;
	struct flow_fault *next;
};

struct flow_faults {
	struct arena *arena;
	struct flow_fault *first, *last;
	size_t n;
};

/* Add a fault.  The sentence is made of strings; NULL ends the list. */
__attribute__((sentinel)) void flow_fault_add(struct flow_faults *faults,
    struct span file, uint64_t line, struct span node, ...);

/*
 * Are there so many that one more would only be counted?  Then nothing has to
 * be found out for its sentence.
 */
bool flow_faults_are_full(const struct flow_faults *faults);

/* Write "FILE:LINE: node 'ID': SENTENCE" and a newline. */
void flow_fault_write(struct buf *buf, const struct flow_fault *fault);

#endif
