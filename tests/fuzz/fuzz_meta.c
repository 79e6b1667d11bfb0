/*
 * Metadata and invalidations as they stand in a session: what is understood
 * is written again and understood in the same way.
 */
#include "fuzz.h"

#include "json/json.h"
#include "meta/meta.h"

/* The value of a member of what an emitter wrote. */
static struct span
member(struct arena *arena, struct span object, struct span name)
{
	struct json_doc doc = json_doc(arena);
	struct json_field field = {.name = name};

	json_pick(&doc, object, &field, 1);
	return field.value;
}

static void
check_meta(struct arena *arena, const struct meta *meta)
{
	const struct event *was = &meta->read, *is;
	struct buf out = buf_new(arena, 512);
	struct meta again, written = *meta;

	EXPECT(was->kind == EVENT_READ);
	EXPECT(was->path.n > 0);
	EXPECT(was->scope.kind == SCOPE_FULL ||
	       (was->scope.first >= 1 && was->scope.first <= was->scope.last &&
		   was->scope.last <= was->total));
	EXPECT(was->mode < MODE_PLAIN);
	event_delivers(&written.read, SPAN("text"));
	meta_emit(&out, &written);
	EXPECT(json_valid(arena, buf_span(&out)));
	EXPECT(meta_parse(arena, buf_span(&out), &again));
	is = &again.read;
	EXPECT(span_eq(is->path, was->path));
	EXPECT(scope_eq(is->scope, was->scope));
	EXPECT(is->mode == was->mode);
	EXPECT(is->has_base == was->has_base);
	EXPECT(digest_eq(&is->served, &was->served));
	if (was->has_base)
		EXPECT(digest_eq(&is->base, &was->base));
	EXPECT(is->total == was->total && is->bytes == was->bytes);
	EXPECT(is->text_bytes == 4 && again.text_hash.n == META_TEXT_HASH);
}

static void
check_invalidation(struct arena *arena, const struct event *was)
{
	struct buf out = buf_new(arena, 512);
	struct event is;
	struct span data;

	if (was->kind != EVENT_INVALIDATE)
		return; /* not understood: it voids everything */
	invalidation_emit(&out, was->path, was->scope, 0);
	EXPECT(json_valid(arena, buf_span(&out)));
	data = member(arena, buf_span(&out), SPAN("data"));
	EXPECT(invalidation_parse(arena, data, &is));
	EXPECT(is.kind == EVENT_INVALIDATE);
	EXPECT(span_eq(is.path, was->path));
	EXPECT(scope_eq(is.scope, was->scope));
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct meta meta;
	struct event event;

	if (!json_valid(arena, input))
		return; /* nobody asks about those */
	input = json_trim(input);
	if (meta_parse(arena, input, &meta))
		check_meta(arena, &meta);
	if (invalidation_parse(arena, input, &event))
		check_invalidation(arena, &event);
}
