/*
 * report.h -- recorded sessions as one page, and the data behind it.
 */
#ifndef READCACHE_INSPECT_REPORT_H
#define READCACHE_INSPECT_REPORT_H

#include "base/buf.h"
#include "inspect/report_data.h"

/* All reports as one JSON object, {"v":1,...}. */
void report_json(struct buf *buf, const struct report *reports, size_t n);

/*
 * All reports as one HTML page that needs nothing but itself.  Everything
 * that comes from a session is text in it, whatever it looks like.
 */
void report_page(struct buf *buf, const struct report *reports, size_t n);

#endif
