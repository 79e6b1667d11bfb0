/*
 * report_body.h -- the page's words and figures, which need no script.
 */
#ifndef READCACHE_INSPECT_REPORT_BODY_H
#define READCACHE_INSPECT_REPORT_BODY_H

#include "base/buf.h"
#include "inspect/report_data.h"

/* Write the body of the page for N reports. */
void report_body(struct buf *buf, const struct report *reports, size_t n);

/* The last component of the session file's name. */
struct span report_name(const struct report *report);

#endif
