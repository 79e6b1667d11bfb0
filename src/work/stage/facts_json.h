/*
 * facts_json.h -- facts of one kind as a JSON object, and back.
 */
#ifndef READCACHE_WORK_STAGE_FACTS_JSON_H
#define READCACHE_WORK_STAGE_FACTS_JSON_H

#include "json/json.h"
#include "work/stage/facts.h"

/*
 * Those of KIND among FACTS, which are sorted: {"name":"value"}.  BEFORE comes
 * before each member, END before the last brace if there are members.
 */
void facts_emit(struct buf *out, const struct facts *facts, enum fact_kind kind,
    const char *before, const char *end);

/* Add the members of OBJECT as facts of KIND.  False if it is no such one. */
bool facts_take(const struct json_doc *doc, struct span object,
    enum fact_kind kind, struct facts *facts);

#endif
