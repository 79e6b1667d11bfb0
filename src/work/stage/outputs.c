#include "work/stage/outputs.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/beneath.h"
#include "path/name.h"
#include "work/blob/keep.h"
#include "work/stage/generation.h"

static struct span
out_path(const struct work *work, const struct stage *stage, size_t i)
{
	return input_path(work, stage->outs[i].path);
}

struct facts
outputs_look(struct work *work, const struct stage *stage)
{
	struct facts facts = {0};

	for (size_t i = 0; i < stage->nouts; i++) {
		struct span path = out_path(work, stage, i);
		char *text = arena_alloc(work->arena, CONTENT_TEXT);
		struct span value = OUTPUT_UNKNOWN;
		struct manifest manifest;
		struct content content;

		if (content_of(&work->look, work->top,
			arena_cstr(work->arena, path), &content, &manifest) &&
		    (!output_is_kept(work, &stage->outs[i]) ||
			manifest_comes_back(&manifest))) {
			content_write(&content, text);
			value = span_str(text);
		}
		facts_add(work->arena, &facts, FACT_OUTPUT, path, value);
	}
	facts_sort(&facts);
	return facts;
}

bool
outputs_missing(struct work *work, const struct stage *stage,
    const struct facts *facts, struct span *which)
{
	for (size_t i = 0; i < stage->nouts; i++) {
		const struct span *value;

		*which = out_path(work, stage, i);
		value = facts_find(facts, FACT_OUTPUT, *which);
		if (value == NULL || span_eq(*value, SPAN("absent")))
			return true;
	}
	return false;
}

bool
outputs_unknown(const struct facts *facts, struct span *which)
{
	for (size_t i = 0; i < facts->n; i++)
		if (span_eq(facts->list[i].value, OUTPUT_UNKNOWN)) {
			*which = facts->list[i].name;
			return true;
		}
	return false;
}

/* ---- bringing back ---- */

bool
outputs_restore(
    struct work *work, const struct due *dues, size_t n, struct span *which)
{
	struct blobs blobs = blobs_in(work->store, &work->hasher, DIR_USE);
	bool done = true;

	for (size_t i = 0; i < n && done; i++) {
		*which = dues[i].path;
		done = checkout(&blobs, &work->modes, work->top, dues[i].path,
		    &dues[i].content, &dues[i].manifest);
	}
	arena_close_fd(work->store->arena, blobs.objects);
	return done;
}

/* ---- after a run ---- */

static enum out_place
place_of(struct work *work, struct span path)
{
	char text[PATH_MAX];
	struct beneath place;
	struct digest hash;
	ssize_t n;

	if (!beneath_go(work->arena, work->top, path, BENEATH_FIND, &place))
		return OUT_IS_ELSEWHERE;
	n = readlinkat(place.dir, place.name, text, sizeof(text));
	beneath_close(&place);
	return n < 0 || blob_of_target(
			    work->store, (struct span){text, (size_t)n}, &hash)
		   ? OUT_IN_PLACE
		   : OUT_IS_LINK;
}

enum out_place
outputs_place(struct work *work, const struct stage *stage, struct span *which)
{
	for (size_t i = 0; i < stage->nouts; i++) {
		enum out_place place;

		*which = out_path(work, stage, i);
		if (!output_is_kept(work, &stage->outs[i]))
			continue;
		place = place_of(work, *which);
		if (place != OUT_IN_PLACE)
			return place;
	}
	return OUT_IN_PLACE;
}

/* The output directory that is being kept. */
struct keeping {
	struct work *work;
	struct span dir, real; /* its name and its place */
	struct withheld *withheld;
};

/* Is the file PATH in the directory excluded?  Then note it. */
static bool
withhold(void *context, struct span path)
{
	struct keeping *keeping = context;
	struct work *work = keeping->work;
	struct span whole = name_in(work->arena, keeping->dir, path);

	if (!output_is_excluded(work, whole) &&
	    !output_is_excluded(
		work, name_in(work->arena, keeping->real, path)))
		return false;
	if (keeping->withheld->n++ == 0)
		keeping->withheld->first = whole;
	return true;
}

static bool
keep_one(struct work *work, struct keep *keep, const struct facts *outputs,
    struct span path)
{
	const struct span *value = facts_find(outputs, FACT_OUTPUT, path);
	struct content wanted, content;
	struct manifest manifest;

	errno = EIO;
	if (value == NULL || !content_parse(*value, &wanted) ||
	    !content_of(&work->look, work->top, arena_cstr(work->arena, path),
		&content, &manifest))
		return false;
	errno = EBUSY;
	return content_eq(&wanted, &content) &&
	       keep_content(keep, work->top, path, &content, &manifest);
}

bool
outputs_keep(struct work *work, const struct stage *stage,
    const struct facts *outputs, struct withheld *withheld, struct span *which)
{
	struct blobs blobs = blobs_in(work->store, &work->hasher, DIR_MAKE);
	struct keep keep = keep_begin(&blobs, work->sync);
	bool done = true;

	*which = SPAN("");
	for (size_t i = 0; i < stage->nouts && done; i++) {
		struct span path = out_path(work, stage, i);
		struct keeping keeping = {
		    work, path, output_real(work, path), &withheld[i]};

		*which = keeping.dir;
		keep.withholds = withhold;
		keep.context = &keeping;
		if (output_is_kept(work, &stage->outs[i]))
			done = keep_one(work, &keep, outputs, *which);
	}
	if (done)
		done = keep_end(&keep);
	else
		keep_drop(&keep);
	arena_close_fd(work->store->arena, blobs.objects);
	return done;
}

void
outputs_bump(struct work *work, const struct stage *stage)
{
	for (size_t i = 0; i < stage->nouts; i++)
		generation_bump(work, out_path(work, stage, i));
}
