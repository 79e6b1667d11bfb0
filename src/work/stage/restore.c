#include <errno.h>

#include "work/stage/aside.h"
#include "work/stage/claim.h"
#include "work/stage/generation.h"
#include "work/stage/lockfile.h"

static bool
load_lock(struct work *work, struct span flow, struct span name,
    struct lockfile *lock)
{
	return lockfile_load(work->arena, work->store,
	    work_locks(work, flow, DIR_LOOK), flow, name, lock);
}

size_t
stage_locked_outs(
    struct work *work, struct span flow, struct span name, struct span **paths)
{
	struct lockfile lock;
	size_t n = 0;

	*paths = NULL;
	if (!load_lock(work, flow, name, &lock))
		return 0;
	*paths = arena_array(work->arena, lock.facts.n + 1, sizeof(**paths));
	for (size_t i = 0; i < lock.facts.n; i++)
		if (lock.facts.list[i].kind == FACT_OUTPUT)
			(*paths)[n++] = lock.facts.list[i].name;
	return n;
}

/*
 * Replace PATH, an output of the stage of PLAN.  What is there and not ours is
 * kept beside it: PLAN has a remark then.
 */
static enum checkout_done
replace(
    struct stage_plan *plan, struct span path, const struct content *content)
{
	struct work *work = plan->work;
	struct blobs blobs = blobs_in(work->store, &work->hasher, DIR_USE);
	enum checkout_done done = CHECKOUT_NO_BLOB;
	struct manifest manifest;

	if (blob_check_content(&blobs, content, BLOB_USE, &manifest) ==
	    BLOB_GOOD) {
		generation_bump(work, path);
		done = aside_save(plan, path) &&
			       checkout(&blobs, &work->modes, work->top, path,
				   content, &manifest)
			   ? CHECKOUT_RESTORED
			   : CHECKOUT_FAILED;
	}
	arena_close_fd(work->store->arena, blobs.objects);
	return done;
}

/* Replace PATH with the locks held that a run would take. */
static enum checkout_done
replace_locked(
    struct stage_plan *plan, struct span path, const struct content *content)
{
	struct work *work = plan->work;
	enum checkout_done done;
	int error;

	state_rest(work->state);
	(void)plan_lock(plan, LOCK_WAIT, NULL, NULL);
	errno = EBUSY;
	done =
	    claim_take(plan, CLAIM_THERE, LOCK_WAIT, NULL, NULL) == LOCK_TAKEN
		? replace(plan, path, content)
		: CHECKOUT_FAILED;
	error = errno;
	plan_release(plan);
	errno = error;
	return done;
}

enum checkout_done
stage_checkout(struct work *work, struct span flow, struct span name,
    struct span path, enum checkout_want want, const char **remark)
{
	struct stage_out out = {.path = path};
	struct stage stage = {
	    .flow = flow, .name = name, .outs = &out, .nouts = 1};
	struct stage_plan plan = {.work = work, .stage = &stage};
	struct content wanted, content;
	enum checkout_done done;
	const struct span *value;
	struct lockfile lock;
	bool known;

	*remark = NULL;
	path = input_path(work, path);
	if (!load_lock(work, flow, name, &lock))
		return CHECKOUT_NO_BLOB;
	value = facts_find(&lock.facts, FACT_OUTPUT, path);
	if (value == NULL || !content_parse(*value, &wanted) ||
	    wanted.kind == CONTENT_ABSENT)
		return CHECKOUT_NO_BLOB;
	known = content_of(&work->look, work->top,
	    arena_cstr(work->arena, path), &content, NULL);
	if (known && content_eq(&content, &wanted))
		return CHECKOUT_SAME;
	if (!known || content.kind != CONTENT_ABSENT)
		switch (want) {
		case CHECKOUT_ONLY_MISSING:
			return CHECKOUT_KEPT;
		case CHECKOUT_STRICT:
			return CHECKOUT_REFUSED;
		case CHECKOUT_FORCE:
			break;
		}
	done = replace_locked(&plan, path, &wanted);
	*remark = stage_remark(&plan);
	return done;
}
