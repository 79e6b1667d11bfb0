/*
 * A session file that grows, part by part ("PART NUL PART NUL ..."): what a
 * serving process remembers of it is what the file says.
 */
#include "memory_file.h"

#include "serve/branch.h"
#include "serve/memory.h"

static bool
same_event(const struct event *a, const struct event *b)
{
	return a->kind == b->kind && a->doubt == b->doubt &&
	       span_eq(a->path, b->path) && span_eq(a->name, b->name) &&
	       span_eq(a->asked, b->asked) && scope_eq(a->scope, b->scope) &&
	       a->mode == b->mode && a->nameless == b->nameless &&
	       a->has_base == b->has_base &&
	       a->has_text_bytes == b->has_text_bytes &&
	       a->sealed == b->sealed && a->veiled == b->veiled &&
	       digest_eq(&a->served, &b->served) &&
	       digest_eq(&a->base, &b->base) && a->total == b->total &&
	       a->bytes == b->bytes && a->text_bytes == b->text_bytes;
}

/* The spans of an event that has none are not set. */
static struct event
filled(const struct event *event)
{
	struct event out = *event;

	if (out.path.p == NULL)
		out.path = SPAN("");
	if (out.name.p == NULL)
		out.name = SPAN("");
	if (out.asked.p == NULL)
		out.asked = SPAN("");
	return out;
}

static void
compare(const struct branch *kept, const struct branch *fresh)
{
	EXPECT(kept->state == fresh->state);
	EXPECT(kept->n == fresh->n);
	for (size_t i = 0; i < kept->n; i++) {
		struct event a = filled(&kept->events[i]);
		struct event b = filled(&fresh->events[i]);

		EXPECT(same_event(&a, &b));
	}
}

static void
load_both(struct arena *arena, struct memory *memory, struct span bytes)
{
	struct json_doc doc = json_doc(arena);
	struct session session = {
	    .doc = &doc,
	    .source = SESSION_FILE,
	    .id = SPAN(""),
	    .entries = SPAN(""),
	    .after = SPAN(""),
	    .file = memory_file(bytes),
	    .leaf = LEAF_ABSENT,
	    .leaf_id = SPAN(""),
	    .overlay = SPAN(""),
	};
	struct branch kept, fresh = branch_load(arena, &session, NULL);

	session.memory = memory;
	kept = branch_load(arena, &session, NULL);
	compare(&kept, &fresh);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct arena *request = arena_scratch(arena);
	struct memory *memory = memory_new();
	struct buf bytes = buf_new(arena, input.n);

	EXPECT(memory != NULL);
	while (input.n > 0) {
		struct span part = fuzz_part(&input, '\0');

		if (part.n == 0)
			continue;
		buf_add(&bytes, part);
		load_both(request, memory, buf_span(&bytes));
		arena_reset(request);
	}
	memory_free(memory);
}
