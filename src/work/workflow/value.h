/*
 * value.h -- the value of a node that has ended.
 */
#ifndef READCACHE_WORK_WORKFLOW_VALUE_H
#define READCACHE_WORK_WORKFLOW_VALUE_H

#include <stdint.h>

#include "base/digest.h"
#include "base/span.h"

struct value {
	bool known;
	int exit;
	struct span out, err; /* all bytes it wrote */
	struct span json;     /* of a batch: an array of item values */
};

#endif
