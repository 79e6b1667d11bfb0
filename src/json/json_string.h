/*
 * json_string.h -- is it a string of JSON?
 */
#ifndef READCACHE_JSON_JSON_STRING_H
#define READCACHE_JSON_JSON_STRING_H

#include "json/json_blocks.h"

/* P is behind the opening quote.  The byte behind the closing one, or NULL. */
const char *json_string_judge(const char *p, const char *end,
    struct json_letters *letters);

#endif
