/*
 * json_string.h -- is it a string of JSON?
 */
#ifndef READCACHE_JSON_JSON_STRING_H
#define READCACHE_JSON_JSON_STRING_H

#include "json/json_blocks.h"

/*
 * P is the byte after the opening quote.  Returns the byte after the closing
 * one, or NULL if it is not a string.
 */
const char *json_string_judge(const char *p, const char *end,
    struct json_letters *letters);

#endif
