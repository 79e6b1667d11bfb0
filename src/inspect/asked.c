#include "inspect/asked.h"

#include "path/name.h"
#include "path/range.h"
#include "path/variants.h"

/* PATH as an absolute name; PATH itself if it cannot be resolved. */
static struct span
resolve(struct span path, struct span cwd, struct span home,
    struct arena *arena)
{
	struct name_error error;
	struct span name;

	if (cwd.n > 0 &&
	    name_resolve(arena, path, cwd, home, &name, &error) == NAME_OK)
		return name;
	return path;
}

static bool
ends_with(struct span name, struct span tail)
{
	return name.n > tail.n &&
	    memcmp(name.p + name.n - tail.n, tail.p, tail.n) == 0;
}

/*
 * May metadata's NAME be the file PATH?  The name may be spelled differently,
 * and a session that goes on in another directory resolves relative paths
 * there.
 */
static bool
may_name(struct span name, struct span path, struct span cwd,
    struct span home, struct arena *arena)
{
	struct span resolved = resolve(path, cwd, home, arena);
	struct span tail = resolve(path, SPAN("/"), SPAN(""), arena);
	struct span others[VARIANTS];
	size_t n;

	if (tail.n == 0 || tail.p[0] != '/' || span_eq(name, resolved))
		return true; /* it is, or it cannot be known */
	if (!span_eq(resolved, tail) && ends_with(name, tail))
		return true;
	n = variants(arena, resolved, others);
	for (size_t i = 0; i < n; i++)
		if (span_eq(name, others[i]))
			return true;
	return false;
}

/* Does the path of CALL end with a range, "path:5-9"? */
static bool
has_range(const struct record_call *call, struct span name,
    struct range *range)
{
	if (call->offset != 0 || call->limit != 0 || call->odd ||
	    range_split(call->path, range) != RANGE_GOOD)
		return false;
	/* With its colon it is the name of a file. */
	return !ends_with(name,
	    span_from(call->path, range->path.n));
}

struct asked
asked_of(const struct record_result *result, const struct record_call *call,
    struct span cwd, struct span home, struct arena *arena)
{
	const struct event *read = result->has_meta ? &result->meta.read : NULL;
	bool named = read != NULL && !read->nameless;
	struct asked asked = {.name = read != NULL ? read->name : SPAN("")};
	struct range range;
	struct span path;

	if (call == NULL || call->path.n == 0)
		return asked;
	path = call->path;
	asked.placed = !call->odd;
	asked.first = call->offset > 0 ? call->offset : 1;
	asked.limit = call->limit;
	if (has_range(call, named ? asked.name : SPAN(""), &range)) {
		path = range.path;
		asked.first = range.first;
		asked.limit = range.last > 0 ? range.last - range.first + 1
					     : 0;
	}
	asked.misnamed = named &&
	    !may_name(asked.name, path, cwd, home, arena);
	if (!named || asked.misnamed)
		asked.name = resolve(path, cwd, home, arena);
	return asked;
}

struct span
asked_change(const struct record_call *call, const struct index *index,
    struct span home, struct arena *arena, bool *sure)
{
	struct span name;

	*sure = false;
	if (call == NULL || call->path.n == 0)
		return SPAN("");
	name = resolve(call->path, index->cwd, home, arena);
	*sure = name.n > 0 && name.p[0] == '/';
	for (size_t i = 0; i < index->dirs.n && *sure; i++)
		*sure = span_eq(name,
		    resolve(call->path, index->dirs.list[i], home, arena));
	return name;
}
