#include "work/kept/kept.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/slurp.h"
#include "os/open.h"
#include "store/file.h"
#include "store/lock/lock.h"
#include "store/walk.h"

#define TEXT_MAX ((size_t)64 * 1024 * 1024)

/* ---- stats ---- */

static void
count_one(void *context, const struct digest *hash, const struct stat *st)
{
	struct kept_stats *stats = context;

	(void)hash;
	stats->outputs++;
	stats->output_bytes += (uint64_t)st->st_size;
}

static struct blobs
all_blobs(struct store *store, struct hasher *hasher, enum dir_want want)
{
	*hasher = (struct hasher){.arena = store->arena};
	return blobs_in(store, hasher, want);
}

struct kept_stats
kept_stat(struct store *store)
{
	struct kept_stats stats = {0};
	struct records records = records_in(store);
	struct state *state = state_open(store, DIR_LOOK);
	struct record_list list = record_list(&records, state);
	struct hasher hasher;
	struct blobs blobs = all_blobs(store, &hasher, DIR_LOOK);

	state_close(state);
	(void)state_place(store, &stats.database);
	stats.records = list.n;
	for (size_t i = 0; i < list.n; i++)
		stats.record_bytes += list.items[i].bytes;
	sweep_each(&blobs, count_one, &stats);
	return stats;
}

/* ---- gc ---- */

/*
 * Pass all texts below DIR to SWEEP, as they may name outputs, and close DIR.
 * Reading them here is not a use: access times stay.
 */
static void
need_below(struct sweep *sweep, struct arena *scratch, int dir)
{
	struct walk walk = walk_begin(dir);
	struct walk_thing thing;
	struct span text;

	while (walk_any(&walk, &thing)) {
		bool below = S_ISDIR(thing.st.st_mode);
		int fd = open_unnoticed(dir, thing.name,
		    O_RDONLY | FILE_SAFELY | (below ? O_DIRECTORY : 0));

		if (fd < 0)
			continue;
		if (below) {
			need_below(sweep, scratch, fd);
			continue;
		}
		if (slurp(scratch, fd, TEXT_MAX, &text) == SLURP_OK)
			sweep_need(sweep, text);
		(void)close(fd);
		arena_reset(scratch);
	}
	walk_end(&walk);
	if (dir >= 0)
		(void)close(dir);
}

static int
open_own(struct store *store, const char *sub)
{
	int root = dir_root(store, DIR_LOOK);

	if (root < 0)
		return -1;
	return openat(
	    root, sub, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void
sweep_outputs(
    struct store *store, enum gc_want want, struct sweep_result *result)
{
	struct hasher hasher;
	struct blobs blobs =
	    all_blobs(store, &hasher, want == GC_REMOVE ? DIR_USE : DIR_LOOK);
	struct sweep sweep = sweep_begin(&blobs);
	struct arena *scratch = arena_scratch(store->arena);
	struct kept_stats there = {0};

	sweep_each(&blobs, count_one, &there);
	if (there.outputs == 0)
		return; /* the usual case: no text need be read */
	need_below(&sweep, scratch, open_own(store, "memo"));
	need_below(&sweep, scratch, open_own(store, "stages"));
	need_below(&sweep, scratch, open_own(store, "flows"));
	*result = sweep_end(&sweep, time(NULL), want);
}

struct kept_gone
kept_gc(struct store *store, const struct gc_limits *limits, enum gc_want want)
{
	struct lock_wish alone = {lock_store_name(), LOCK_EXCLUSIVE};
	struct records records = records_in(store);
	struct lock_set *locks = NULL;
	struct kept_gone gone = {0};
	struct state *state;

	if (dir_root(store, DIR_LOOK) < 0)
		return gone; /* do not make a lock where nothing is */
	state = state_open(store, want == GC_REMOVE ? DIR_USE : DIR_LOOK);
	gone.records = trim_run(&records, state, limits, want);
	(void)state_flush(state);
	state_close(state);
	if (want == GC_REMOVE)
		state_tidy(store);
	if (want == GC_REMOVE && lock_take(store, &alone, 1, LOCK_TRY, NULL,
				     NULL, &locks) == LOCK_BUSY)
		return gone;
	sweep_outputs(store, want, &gone.outputs);
	lock_release(locks);
	return gone;
}

/* ---- verify ---- */

struct verifying {
	struct store *store;
	struct blobs *blobs;
	enum gc_want want;
	struct kept_verified result;
};

static void
note(struct verifying *v, const char *before, struct span name,
    const char *after, bool removed, bool left)
{
	struct arena *arena = v->store->arena;
	struct kept_fault *fault = arena_array(arena, 1, sizeof(*fault));
	struct buf text = buf_new(arena, 96);

	buf_str(&text, before);
	buf_add(&text, name);
	buf_str(&text, after);
	*fault = (struct kept_fault){NULL, buf_span(&text), removed, left};
	if (v->result.last != NULL)
		v->result.last->next = fault;
	else
		v->result.first = fault;
	v->result.last = fault;
	v->result.damaged++;
}

static void
verify_output(void *context, const struct digest *hash, const struct stat *st)
{
	struct verifying *v = context;
	char name[BLOB_NAME];
	bool removed;

	(void)st;
	v->result.outputs++;
	if (blob_check(v->blobs, hash, BLOB_ANY_SIZE,
		v->want == GC_REMOVE ? BLOB_USE : BLOB_LOOK) == BLOB_GOOD)
		return;
	removed = v->want == GC_REMOVE &&
		  blob_check(v->blobs, hash, BLOB_ANY_SIZE, BLOB_LOOK) ==
		      BLOB_MISSING;
	blob_name(hash, name);
	note(v, "objects/", span_str(name), "", removed, false);
}

struct kept_verified
kept_verify(struct store *store, enum gc_want want)
{
	struct records records = records_in(store);
	/* Without the state, so that everything is read. */
	struct record_list list = record_list(&records, NULL);
	struct hasher hasher;
	struct blobs blobs =
	    all_blobs(store, &hasher, want == GC_REMOVE ? DIR_USE : DIR_LOOK);
	struct verifying v = {store, &blobs, want, {0}};
	bool shared = dir_is_shared(store);

	v.result.records = list.n;
	for (size_t i = 0; i < list.n; i++)
		if (!list.items[i].sound)
			note(&v, records_are_plain(&records) ? "" : "memo/",
			    list.items[i].key, ".json",
			    want == GC_REMOVE && !shared &&
				record_remove(&records, list.items[i].key),
			    shared);
	sweep_each(&blobs, verify_output, &v);
	return v.result;
}
