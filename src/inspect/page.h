/*
 * page.h -- the fixed parts of the report's page, made from the files in page/
 * (cmake/Embed.cmake).
 *
 * page_html has places such as {{style}}, which are filled in.
 */
#ifndef READCACHE_INSPECT_PAGE_H
#define READCACHE_INSPECT_PAGE_H

#include <stddef.h>

extern const unsigned char page_html[], page_css[], page_js[];
extern const size_t page_html_size, page_css_size, page_js_size;

#endif
