#include "work/stage/expect.h"

#include "base/map.h"
#include "path/name.h"
#include "work/stage/plan.h"

struct expected {
	struct map *where; /* path -> index in TEXTS */
	struct span *texts;
	size_t n, room;
};

static void
add(struct work *work, struct span path, const struct content *content)
{
	struct expected *expected = work->expected;
	char *text = arena_alloc(work->arena, CONTENT_TEXT);

	expected->texts = arena_more(work->arena, expected->texts, expected->n,
	    &expected->room, sizeof(*expected->texts));
	content_write(content, text);
	expected->texts[expected->n] = span_str(text);
	*map_at(expected->where, path, 0) = expected->n++;
}

static enum content_kind
kind_of_mark(enum manifest_mark mark)
{
	switch (mark) {
	case MANIFEST_PROGRAM:
		return CONTENT_PROGRAM;
	case MANIFEST_PRIVATE:
		return CONTENT_PRIVATE;
	case MANIFEST_PRIVATE_PROGRAM:
		return CONTENT_PRIVATE_PROGRAM;
	case MANIFEST_FILE:
	case MANIFEST_LINK:
	case MANIFEST_EMPTY:
		break;
	}
	return CONTENT_FILE;
}

/* The files in a directory may be inputs of their own. */
static void
add_below(struct work *work, const struct due *due)
{
	for (size_t i = 0; i < due->manifest.n; i++) {
		const struct manifest_file *file = &due->manifest.files[i];

		add(work, name_in(work->arena, due->path, file->path),
		    &(struct content){kind_of_mark(file->mark), file->hash});
	}
}

void
stage_expect(const struct stage_plan *plan)
{
	struct work *work = plan->work;

	if (plan->ndues == 0 || work->use != RECORD_LOOK)
		return;
	if (work->expected == NULL) {
		work->expected =
		    arena_array(work->arena, 1, sizeof(*work->expected));
		work->expected->where = map_new(work->arena, 64);
	}
	for (size_t i = 0; i < plan->ndues; i++) {
		add(work, plan->dues[i].path, &plan->dues[i].content);
		add_below(work, &plan->dues[i]);
	}
}

bool
expect_find(const struct work *work, struct span path, struct span *text)
{
	const uint64_t *at = work->expected != NULL
				 ? map_find(work->expected->where, path)
				 : NULL;

	if (at == NULL)
		return false;
	*text = work->expected->texts[*at];
	return true;
}
