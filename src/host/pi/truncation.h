/*
 * truncation.h -- details.truncation, as the host's own read writes it (SPEC
 * 2.2).
 */
#ifndef READCACHE_HOST_PI_TRUNCATION_H
#define READCACHE_HOST_PI_TRUNCATION_H

#include "host/pi/view.h"

/* Write the host's own truncation record, field for field. */
void truncation_emit(struct buf *buf, const struct view *view);

#endif
