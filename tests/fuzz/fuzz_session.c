/*
 * A session file.  Two readers go through it: the one of a request, which
 * reads what it needs, and the one of the commands, which reads all.  Where
 * both find a way from the leaf, what the first one trusts the second one
 * trusts too.
 */
#include "memory_file.h"

#include "host/host.h"
#include "serve/branch.h"

static bool
same_read(const struct event *a, const struct event *b)
{
	return span_eq(a->path, b->path) && span_eq(a->name, b->name) &&
	       scope_eq(a->scope, b->scope) && a->mode == b->mode &&
	       a->has_base == b->has_base && a->total == b->total &&
	       digest_eq(&a->served, &b->served) &&
	       (!a->has_base || digest_eq(&a->base, &b->base));
}

/*
 * The request's events are the last ones of all events: what it cannot read
 * ends its way earlier (T8), so it may know less, never something else.
 */
static void
compare(const struct branch *branch, const struct events *all)
{
	size_t reads = 0, seen = 0;

	for (size_t i = 0; i < branch->n; i++)
		reads += branch->events[i].kind == EVENT_READ;
	for (size_t i = branch->n, j = all->n; i > 0; i--) {
		const struct event *read = &branch->events[i - 1];

		if (read->kind != EVENT_READ)
			continue;
		while (j > 0 && !(all->list[j - 1].kind == EVENT_READ &&
				    same_read(read, &all->list[j - 1])))
			j--;
		if (j == 0)
			break;
		j--;
		seen++;
	}
	EXPECT(seen == reads);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct focus everything = {
	    .path = SPAN(""), .name = SPAN(""), .bytes = SPAN("")};
	struct json_doc doc = json_doc(arena);
	struct session session = {
	    .doc = &doc,
	    .source = SESSION_FILE,
	    .file = memory_file(input),
	    .leaf = LEAF_ABSENT,
	    .overlay = SPAN(""),
	};
	struct branch branch = branch_load(arena, &session, NULL);
	struct index_path path;
	struct events events;
	struct index index;

	everything.hash = digest_of(everything.bytes);
	if (host->index(arena, session.file, NULL, NULL, &index) != INDEX_OK) {
		EXPECT(branch.state != BRANCH_OK || branch.n == 0);
		return;
	}
	if (!index_path(&index, index_last(&index), arena, &path))
		return;
	events = host->events(&index, &path, &everything, arena);
	if (branch.state == BRANCH_OK)
		compare(&branch, &events);
}
