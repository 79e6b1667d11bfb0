/*
 * report_tables.h -- the tables of the page.
 */
#ifndef READCACHE_INSPECT_REPORT_TABLES_H
#define READCACHE_INSPECT_REPORT_TABLES_H

#include "base/buf.h"
#include "inspect/report_data.h"

/* What was served, by kind of answer. */
void report_modes_table(struct buf *buf, const struct report *report);

/* Why the text was sent, the most expensive reason first. */
void report_reasons_table(struct buf *buf, const struct report *report);

/* What each policy would have served, side by side. */
void report_policies_table(struct buf *buf, const struct report *report);

/* The files, the one with most bytes saved first. */
void report_files_table(struct buf *buf, const struct report *report);

/* The sessions, in their order. */
void report_sessions_table(struct buf *buf, const struct report *reports,
    size_t n);

/*
 * The reasons of REPORT that occur, the most expensive first.  The result is
 * how many.
 */
size_t report_reasons(const struct report *report,
    enum report_reason list[REASON_COUNT]);

#endif
