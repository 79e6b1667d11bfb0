/*
 * value.h -- what a node has given.
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
	struct span json;     /* of a batch: what each item gave; or empty */
};

#endif
