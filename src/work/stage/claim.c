#include "work/stage/claim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A longer name is replaced by its hash: file names have at most 255 bytes. */
enum { NAME_LONGEST = 200 };

/* ---- names ---- */

const char *
claim_beside(struct arena *arena, const char *name, const char *what)
{
	struct buf out = buf_new(arena, NAME_LONGEST + 32);
	char hex[DIGEST_HEX + 1];
	struct digest digest;

	buf_char(&out, '.');
	if (strlen(name) <= NAME_LONGEST) {
		buf_str(&out, name);
	} else {
		digest = digest_of(span_str(name));
		digest_hex(&digest, hex);
		buf_str(&out, hex);
	}
	buf_str(&out, ".readcache-");
	buf_str(&out, what);
	return arena_cstr(arena, buf_span(&out));
}

bool
claim_place(const struct stage_plan *plan, size_t i, struct beneath *place)
{
	struct work *work = plan->work;

	return beneath_go(work->arena, work->top,
	    input_path(work, plan->stage->outs[i].path), BENEATH_FIND, place);
}

static bool
is_there(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Is something of the output at PLACE aside, or about to be? */
static bool
is_left(struct arena *arena, const struct beneath *place)
{
	return is_there(
		   place->dir, claim_beside(arena, place->name, "aside")) ||
	       is_there(
		   place->dir, claim_beside(arena, place->name, "aside-lock"));
}

bool
claim_is_left(const struct stage_plan *plan)
{
	bool left = false;

	for (size_t i = 0; i < plan->stage->nouts && !left; i++) {
		struct beneath place;

		if (!claim_place(plan, i, &place))
			continue;
		left = is_left(plan->work->arena, &place);
		beneath_close(&place);
	}
	return left;
}

/* ---- one order for all ---- */

/* A lock that is wanted: for which output, and where its file is. */
struct wanted {
	size_t out;
	struct beneath place;
	struct stat dir;
};

/* By directory and name: the same order for all spellings of the places. */
static int
by_place(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	if (x->dir.st_dev != y->dir.st_dev)
		return x->dir.st_dev < y->dir.st_dev ? -1 : 1;
	if (x->dir.st_ino != y->dir.st_ino)
		return x->dir.st_ino < y->dir.st_ino ? -1 : 1;
	return strcmp(x->place.name, y->place.name);
}

static bool
is_wanted(
    struct stage_plan *plan, size_t i, enum claim_want want, struct wanted *it)
{
	it->out = i;
	if (plan->claims[i] != NULL || !claim_place(plan, i, &it->place))
		return false;
	if (fstat(it->place.dir, &it->dir) == 0 &&
	    (is_left(plan->work->arena, &it->place) ||
		(want == CLAIM_THERE &&
		    is_there(it->place.dir, it->place.name))))
		return true;
	beneath_close(&it->place);
	return false;
}

/* Fill in what is wanted, in the order in which it is taken. */
static size_t
list_wanted(
    struct stage_plan *plan, enum claim_want want, struct wanted *wanted)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->stage->nouts; i++)
		if (is_wanted(plan, i, want, &wanted[n]))
			n++;
	qsort(wanted, n, sizeof(*wanted), by_place);
	return n;
}

/* ---- taking ---- */

enum lock_result
claim_take(struct stage_plan *plan, enum claim_want want, enum lock_wait wait,
    lock_waiting *waiting, void *context)
{
	struct arena *arena = plan->work->arena;
	size_t nouts = plan->stage->nouts, n;
	struct wanted *wanted = arena_array(arena, nouts + 1, sizeof(*wanted));
	enum lock_result result = LOCK_TAKEN;

	if (plan->claims == NULL)
		plan->claims =
		    arena_array(arena, nouts + 1, sizeof(*plan->claims));
	n = list_wanted(plan, want, wanted);
	for (size_t k = 0; k < n; k++) {
		struct beneath *place = &wanted[k].place;

		/* Without one that cannot be made: see claim_covers. */
		if (result == LOCK_TAKEN || result == LOCK_NONE)
			result = lock_take_file(place->dir,
			    claim_beside(arena, place->name, "aside-lock"),
			    wait, waiting, context,
			    &plan->claims[wanted[k].out]);
		beneath_close(place);
	}
	if (result != LOCK_BUSY && result != LOCK_OURS)
		return LOCK_TAKEN;
	claim_release(plan);
	return result;
}

bool
claim_covers(const struct stage_plan *plan, size_t i)
{
	/* Without it the locks of the stage must do. */
	return (plan->claims != NULL && lock_is_current(plan->claims[i])) ||
	       plan_is_locked(plan);
}

void
claim_release(struct stage_plan *plan)
{
	if (plan->claims == NULL)
		return;
	for (size_t i = 0; i < plan->stage->nouts; i++) {
		lock_remove(plan->claims[i]);
		plan->claims[i] = NULL;
	}
}
