#include "wire/tree.h"

#include <cjson/cJSON.h>
#include <stdint.h>

#include "base/scope.h"
#include "wire/json.h"

/* The arena cJSON allocates from while tree_parse runs. */
static struct arena *current;

static void *
take(size_t size)
{
	return arena_alloc(current, size);
}

static void
leave(void *p)
{
	(void)p; /* dies with the arena */
}

/*
 * True if some string in VALUE holds NUL or a lone surrogate.  Every string,
 * name or value, begins at a quote outside of strings.
 */
static bool
unfaithful(struct arena *arena, struct span value)
{
	const char *p = value.p, *end = value.p + value.n;

	if (memmem(value.p, value.n, "\\u", 2) == NULL)
		return false;
	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		const char *from = p++;
		struct json_text text;

		while (p < end && *p != '"')
			p += *p == '\\' ? 2 : 1;
		if (p >= end)
			return true;
		p++;
		if (!json_text(arena,
			(struct span){from, (size_t)(p - from)}, &text) ||
		    text.lone || span_has(text.text, '\0'))
			return true;
	}
	return false;
}

const struct cJSON *
tree_parse(struct arena *arena, struct span value)
{
	cJSON_Hooks hooks = {take, leave};

	if (json_kind(value) == JSON_ABSENT || unfaithful(arena, value))
		return NULL;
	current = arena;
	cJSON_InitHooks(&hooks);
	return cJSON_ParseWithLength(value.p, value.n);
}

const struct cJSON *
tree_get(const struct cJSON *object, const char *name)
{
	const struct cJSON *found = NULL, *item;

	if (!cJSON_IsObject(object))
		return NULL;
	cJSON_ArrayForEach(item, object)
		if (item->string != NULL && strcmp(item->string, name) == 0)
			found = item;
	return found;
}

bool
tree_string(const struct cJSON *item, struct span *text)
{
	if (!cJSON_IsString(item) || item->valuestring == NULL)
		return false;
	*text = span_str(item->valuestring);
	return true;
}

bool
tree_number(const struct cJSON *item, uint64_t *number)
{
	/* valueint saturates; valuedouble is what JavaScript has. */
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) ||
	    item->valuedouble > (double)NUMBER_MAX)
		return false;
	*number = (uint64_t)item->valuedouble;
	return (double)*number == item->valuedouble;
}
