/*
 * facts_json.h -- facts of one kind as a JSON object, and back.
 */
#ifndef READCACHE_WORK_STAGE_FACTS_JSON_H
#define READCACHE_WORK_STAGE_FACTS_JSON_H

#include "json/json.h"
#include "work/stage/facts.h"

/*
 * Write the facts of KIND as {"name":"value"}.  FACTS must be sorted.  BEFORE
 * is written before each member, END before the last brace if there are
 * members.
 */
void facts_emit(struct buf *out, const struct facts *facts, enum fact_kind kind,
    const char *before, const char *end);

/*
 * Add the members of OBJECT as facts of KIND.  False if OBJECT is not an
 * object, or if a value has the wrong type.
 */
bool facts_take(const struct json_doc *doc, struct span object,
    enum fact_kind kind, struct facts *facts);

#endif
