/*
 * report_html.h -- words and numbers for a page.
 *
 * Nothing that comes from a session gets into a page but by html_text and
 * html_path.
 */
#ifndef READCACHE_INSPECT_REPORT_HTML_H
#define READCACHE_INSPECT_REPORT_HTML_H

#include "base/buf.h"

/* TEXT as text, also within the quotes of an attribute. */
void html_text(struct buf *buf, struct span text);

/* The name of a file: cut by its place, and of its own direction. */
void html_path(struct buf *buf, struct span path);

/* 12,345 */
void html_grouped(struct buf *buf, uint64_t number);

/*
 * 12,345 as an element that also tells the number to programs, and which one
 * it is; FIGURE may be NULL.
 */
void html_number(struct buf *buf, const char *figure, uint64_t number);

/* The same for A - B, which may be less than nothing. */
void html_net(struct buf *buf, const char *figure, uint64_t a, uint64_t b);

/* "3 reads", "1 read"; MANY is one word. */
void html_count(struct buf *buf, uint64_t n, const char *one,
    const char *many);

/* How much of WHOLE (A - B) is: "62 %", "4.5 %", "-3 %". */
void html_share(struct buf *buf, uint64_t a, uint64_t b, uint64_t whole);

/* A bar of which PART of WHOLE is filled, in the colour of KIND. */
void html_bar(struct buf *buf, const char *kind, uint64_t part,
    uint64_t whole);

/* JSON text for a script element: nothing in it can end that. */
void html_json(struct buf *buf, struct span json);

#endif
