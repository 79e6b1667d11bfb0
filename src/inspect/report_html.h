/*
 * report_html.h -- words and numbers for a page.
 *
 * What comes from a session gets into a page only by html_text and html_path.
 */
#ifndef READCACHE_INSPECT_REPORT_HTML_H
#define READCACHE_INSPECT_REPORT_HTML_H

#include "base/buf.h"

/* Write TEXT escaped, also for use in a quoted attribute. */
void html_text(struct buf *buf, struct span text);

/*
 * Write the name of a file, in an element that may be shortened and has its
 * own text direction.
 */
void html_path(struct buf *buf, struct span path);

/* Write 12,345. */
void html_grouped(struct buf *buf, uint64_t number);

/*
 * Write 12,345 as an element that also has the plain number, and which figure
 * it is, for programs.  FIGURE may be NULL.
 */
void html_number(struct buf *buf, const char *figure, uint64_t number);

/* Write A - B, which may be negative, as html_number does. */
void html_net(struct buf *buf, const char *figure, uint64_t a, uint64_t b);

/* Write "3 reads" or "1 read". */
void html_count(struct buf *buf, uint64_t n, const char *one,
    const char *many);

/* Write A - B as a part of WHOLE: "62 %", "4.5 %", "-3 %". */
void html_share(struct buf *buf, uint64_t a, uint64_t b, uint64_t whole);

/* Write a bar of which PART of WHOLE is filled, in the colour of KIND. */
void html_bar(struct buf *buf, const char *kind, uint64_t part,
    uint64_t whole);

/* Write JSON for a script element: nothing in it can end the element. */
void html_json(struct buf *buf, struct span json);

#endif
