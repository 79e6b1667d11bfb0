/*
 * unit_json.h -- what is emitted, read by somebody else: cJSON.
 *
 * Our own reader of JSON could be wrong in the same way as our own writer.
 * This one shares no line with them.
 */
#ifndef READCACHE_TESTS_UNIT_JSON_H
#define READCACHE_TESTS_UNIT_JSON_H

#include <cjson/cJSON.h>

#include "unit.h"

/* TEXT, all of it but for an LF at its end, as a tree; to be deleted. */
static inline cJSON *
unit_json(struct span text)
{
	const char *end = NULL;
	cJSON *tree =
	    cJSON_ParseWithLengthOpts(text.p, text.n, &end, false);

	if (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	CHECK(tree != NULL, "not JSON: %.*s", (int)text.n, text.p);
	CHECK(end == text.p + text.n, "more than JSON: %.*s", (int)text.n,
	    text.p);
	return tree;
}

/* TEXT is JSON. */
static inline void
unit_is_json(struct span text)
{
	cJSON_Delete(unit_json(text));
}

/* The member NAME of TREE is the string WANTED, which has no NUL. */
static inline void
unit_json_text(const cJSON *tree, const char *name, struct span wanted)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(tree, name);

	CHECK(cJSON_IsString(member), "%s is not a string", name);
	ASSERT_SPAN(span_str(member->valuestring), wanted);
}

/* The member NAME of TREE is the number WANTED. */
static inline void
unit_json_number(const cJSON *tree, const char *name, double wanted)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(tree, name);

	CHECK(cJSON_IsNumber(member), "%s is not a number", name);
	CHECK(member->valuedouble == wanted, "%s is %f", name,
	    member->valuedouble);
}

#endif
