#include "serve/folds.h"

#include <stdlib.h>

#include "base/name_hash.h"
#include "serve/history.h"

/* How many folds are kept, and how much memory each of them may need. */
enum { FOLDS = 64 };
#define FOLD_BYTES ((size_t)2 * 1024 * 1024)

enum fold_state { FOLD_NONE, FOLD_KEPT, FOLD_TOO_LARGE };

struct kept_fold {
	struct arena *arena; /* for all of it; NULL: not used yet */
	enum fold_state state;
	struct focus focus; /* only path and name */
	struct history_where where;
	struct folding folding;
	size_t n; /* how many events of the branch are folded in */
};

struct folds {
	struct kept_fold of[FOLDS]; /* at the hash of the file's names */
};

struct folds *
folds_new(void)
{
	return calloc(1, sizeof(struct folds));
}

void
folds_free(struct folds *folds)
{
	for (size_t i = 0; folds != NULL && i < FOLDS; i++)
		arena_free(folds->of[i].arena);
	free(folds);
}

/* Forget FOLD; it has STATE now. */
static void
drop(struct kept_fold *fold, enum fold_state state)
{
	if (fold->arena != NULL)
		arena_reset(fold->arena);
	*fold = (struct kept_fold){.arena = fold->arena, .state = state};
}

void
folds_forget(struct folds *folds)
{
	for (size_t i = 0; i < FOLDS; i++)
		if (folds->of[i].state != FOLD_NONE)
			drop(&folds->of[i], FOLD_NONE);
}

void
folds_cut(struct folds *folds, size_t n)
{
	for (size_t i = 0; i < FOLDS; i++)
		if (folds->of[i].state != FOLD_NONE && folds->of[i].n > n)
			drop(&folds->of[i], FOLD_NONE);
}

static bool
is_about(const struct kept_fold *fold, const struct focus *focus)
{
	return span_eq(fold->focus.path, focus->path) &&
	    span_eq(fold->focus.name, focus->name);
}

static struct span
keep(struct kept_fold *fold, struct span text)
{
	return (struct span){arena_cstr(fold->arena, text), text.n};
}

/* Begin a fold without events. */
static void
begin(struct kept_fold *fold, const struct history_where *where,
    const struct focus *focus)
{
	drop(fold, FOLD_NONE);
	fold->focus = (struct focus){
	    .path = keep(fold, focus->path), .name = keep(fold, focus->name)};
	fold->where = leads_keep_where(where, fold->arena);
	fold->folding = history_begin(fold->arena, &fold->where, &fold->focus);
	fold->state = FOLD_KEPT;
}

/* Fold in what is new. */
static void
go_on(struct kept_fold *fold, const struct ledger *ledger,
    struct arena *scratch)
{
	struct events events = events_new(scratch, &fold->focus);

	ledger_find(ledger, &fold->focus, fold->n, &events);
	for (size_t i = 0; i < events.n; i++)
		(void)history_next(&fold->folding, &events.list[i]);
	fold->n = ledger->events.n;
}

/* Make FOLD that of all events.  False if it is too large. */
static bool
bring_up(struct kept_fold *fold, const struct ledger *ledger,
    struct arena *scratch, const struct history_where *where,
    const struct focus *focus)
{
	if (setjmp(*arena_guard(fold->arena)) != 0)
		return false;
	if (fold->state != FOLD_KEPT || !is_about(fold, focus) ||
	    !leads_same_where(&fold->where, where) ||
	    !leads_hold(&fold->folding.leads, scratch))
		begin(fold, where, focus);
	go_on(fold, ledger, scratch);
	return true;
}

const struct trust *
folds_trust(struct folds *folds, const struct ledger *ledger,
    struct arena *arena, const struct history_where *where,
    const struct focus *focus)
{
	uint64_t hash = name_hash(focus->path) + name_hash(focus->name);
	struct kept_fold *fold = &folds->of[hash % FOLDS];

	if (fold->arena == NULL)
		fold->arena = arena_new(FOLD_BYTES);
	if (fold->arena == NULL || fold->state == FOLD_TOO_LARGE)
		return NULL;
	if (!bring_up(fold, ledger, arena, where, focus)) {
		drop(fold, FOLD_TOO_LARGE);
		return NULL;
	}
	return trust_lend(fold->folding.trust, arena);
}
