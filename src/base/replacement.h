/*
 * replacement.h -- a piece of a text, and what is to stand in its place.
 */
#ifndef READCACHE_BASE_REPLACEMENT_H
#define READCACHE_BASE_REPLACEMENT_H

#include "base/span.h"

struct replacement {
	struct span old_text, new_text;
};

#endif
