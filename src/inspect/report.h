/*
 * report.h -- recorded sessions as one page, and its data as JSON.
 */
#ifndef READCACHE_INSPECT_REPORT_H
#define READCACHE_INSPECT_REPORT_H

#include "base/buf.h"
#include "inspect/report_data.h"

/* Write all reports as one JSON object, {"v":1,...}. */
void report_json(struct buf *buf, const struct report *reports, size_t n);

/*
 * Write all reports as one HTML page that needs no other file.  Everything
 * that comes from a session is escaped in it, whatever it looks like.
 */
void report_page(struct buf *buf, const struct report *reports, size_t n);

#endif
