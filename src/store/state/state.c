#include "store/state/state.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "os/sync.h"
#include "store/state/fault.h"
#include "store/state/files.h"
#include "store/state/names.h"

#define MAP_BYTES ((size_t)1 << 30)
#define MAP_BYTES_MAX ((size_t)1 << 36)

/*
 * A process that only looks does not register in the table of readers, so a
 * writer may reuse a page while it is read.  What is read there then fails its
 * check, or gives a fault, and counts as absent.
 */
#define LOOK_FLAGS (MDB_RDONLY | MDB_NOLOCK)

enum { CHECK_BYTES = 8, KEY_MAX = 1 + STATE_NAME_MAX };

/* A put that waits for the flush, or a drop. */
struct pending {
	struct span key;
	struct span value; /* with its check; p is NULL for a drop */
};

struct state {
	struct store *store;
	struct files files; /* open as long as ENV is */
	MDB_env *env;
	MDB_dbi table;
	MDB_txn *reading;  /* NULL until the first read */
	bool resting;	   /* READING must be renewed */
	bool look;	   /* opened with DIR_LOOK */
	bool broken;	   /* damage was found: all is absent */
	struct map *where; /* key -> index + 1 in PENDING */
	struct pending *pending;
	size_t npending, room;
};

/* The arguments and results of one guarded step; rc is LMDB's. */
struct state_step {
	struct state *state;
	const char *path; /* by which LMDB opens the files */
	struct span key;
	size_t size; /* of FOUND */
	char found[CHECK_BYTES + STATE_VALUE_MAX];
	MDB_txn *writing; /* a transaction not ended yet */
	uint64_t count;
	int rc;
};

/* ---- keys and checks ---- */

static struct span
make_key(struct arena *arena, enum state_table table, struct span name)
{
	char *key = arena_alloc(arena, name.n + 1);

	key[0] = (char)table;
	memcpy(key + 1, name.p, name.n);
	return (struct span){key, name.n + 1};
}

/* The check of VALUE under KEY: a flipped bit must not become a wrong hash. */
static void
make_check(struct span key, struct span value, uint8_t check[CHECK_BYTES])
{
	struct digest_state state;
	struct digest digest;

	digest_begin(&state);
	digest_add(&state, key);
	digest_add(&state, value);
	digest = digest_end(&state);
	memcpy(check, digest.bytes, CHECK_BYTES);
}

/* STORED without its check; false if the check is not right for KEY. */
static bool
open_value(struct span key, struct span stored, struct span *value)
{
	uint8_t check[CHECK_BYTES];

	if (stored.n < CHECK_BYTES || stored.n > CHECK_BYTES + STATE_VALUE_MAX)
		return false;
	*value = (struct span){stored.p, stored.n - CHECK_BYTES};
	make_check(key, *value, check);
	return memcmp(check, stored.p + value->n, CHECK_BYTES) == 0;
}

/* ---- damage ---- */

static bool
is_damage(int rc)
{
	return rc == MDB_INVALID || rc == MDB_CORRUPTED || rc == MDB_PANIC ||
	       rc == MDB_VERSION_MISMATCH || rc == MDB_PAGE_NOTFOUND ||
	       rc == MDB_INCOMPATIBLE || rc == MDB_CURSOR_FULL;
}

static void
on_assert(MDB_env *env, const char *text)
{
	(void)env, (void)text;
	fault_raise();
}

/*
 * The database is damaged.  Nothing in it is needed, so remove its files; the
 * next process makes new ones.
 */
static void
discard(struct state *state)
{
	int root;

	if (state->broken)
		return;
	state->broken = true;
	if (state->look)
		return;
	root = dir_root(state->store, DIR_USE);
	if (root < 0)
		return;
	files_remove(root);
}

/* Do WORK on STEP and give its rc; every kind of damage is MDB_CORRUPTED. */
static int
guarded(void (*work)(void *step), struct state_step *step)
{
	if (!fault_try(work, step))
		step->rc = MDB_CORRUPTED;
	if (is_damage(step->rc)) {
		discard(step->state);
		step->rc = MDB_CORRUPTED;
	}
	return step->rc;
}

/* ---- open and close ---- */

/*
 * Does the file lack pages that its header promises?  Reading them later would
 * be a fault.  Ask for the pages first and for the length after that: other
 * processes make the file longer meanwhile.
 */
static bool
is_cut_short(MDB_env *env)
{
	MDB_envinfo info;
	struct stat st;
	MDB_stat stat;
	int fd;

	if (mdb_env_info(env, &info) != 0 || mdb_env_stat(env, &stat) != 0 ||
	    mdb_env_get_fd(env, &fd) != 0 || fstat(fd, &st) != 0)
		return true;
	return (uint64_t)st.st_size <
	    ((uint64_t)info.me_last_pgno + 1) * stat.ms_psize;
}

static int
open_table(struct state *state)
{
	MDB_txn *txn;
	int rc = mdb_txn_begin(state->env, NULL, MDB_RDONLY, &txn);

	if (rc == MDB_MAP_RESIZED) {
		rc = mdb_env_set_mapsize(state->env, 0);
		if (rc == 0)
			rc = mdb_txn_begin(
			    state->env, NULL, MDB_RDONLY, &txn);
	}
	if (rc != 0)
		return rc;
	rc = mdb_dbi_open(txn, NULL, 0, &state->table);
	if (rc != 0) {
		mdb_txn_abort(txn);
		return rc;
	}
	return mdb_txn_commit(txn);
}

static void
open_work(void *context)
{
	struct state_step *step = context;
	struct state *state = step->state;
	int fd, dead;

	step->rc = mdb_env_create(&state->env);
	if (step->rc != 0)
		return;
	(void)mdb_env_set_assert(state->env, on_assert);
	(void)mdb_env_set_mapsize(state->env, MAP_BYTES);
	step->rc = mdb_env_open(state->env, step->path,
	    MDB_NOSUBDIR | MDB_NOTLS | MDB_NOMETASYNC | MDB_NORDAHEAD |
		(state->look ? LOOK_FLAGS : 0u),
	    0600);
	if (step->rc != 0)
		return;
	/* LMDB's descriptor would be inherited by children. */
	if (mdb_env_get_fd(state->env, &fd) == 0)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	(void)mdb_reader_check(state->env, &dead);
	step->rc = is_cut_short(state->env) ? MDB_CORRUPTED : open_table(state);
}

/*
 * Let LMDB open the files that are already open.  EACCES if no name for them
 * can be made, else LMDB's rc.
 */
static int
open_files(struct state *state)
{
	struct state_step step = {.state = state};
	struct state_names names;

	if (!names_of(state->store, &state->files, !state->look, &names))
		return EACCES;
	step.path = names.path;
	(void)guarded(open_work, &step);
	names_end(&names);
	return step.rc;
}

struct state *
state_open(struct store *store, enum dir_want want)
{
	struct state *state = arena_array(store->arena, 1, sizeof(*state));
	int root = dir_root(store, want);

	state->store = store;
	state->look = want == DIR_LOOK;
	if (root < 0 || !files_open(store, root, want, &state->files))
		return NULL;
	fault_prepare();
	if (open_files(state) == 0)
		return state;
	state_close(state);
	return NULL;
}

static void
close_work(void *context)
{
	struct state *state = ((struct state_step *)context)->state;

	if (state->reading != NULL)
		mdb_txn_abort(state->reading);
	mdb_env_close(state->env);
}

void
state_close(struct state *state)
{
	struct state_step step = {.state = state};

	if (state == NULL)
		return;
	if (state->env != NULL)
		(void)guarded(close_work, &step);
	state->env = NULL;
	state->broken = true;
	files_close(&state->files);
}

/* ---- reading ---- */

static int
begin_reading(struct state *state)
{
	int rc = 0;

	if (state->reading == NULL)
		rc = mdb_txn_begin(
		    state->env, NULL, MDB_RDONLY, &state->reading);
	else if (state->resting)
		rc = mdb_txn_renew(state->reading);
	state->resting = false;
	return rc;
}

static void
get_work(void *context)
{
	struct state_step *step = context;
	struct state *state = step->state;
	MDB_val key = {step->key.n, (void *)(uintptr_t)step->key.p}, value;

	step->rc = begin_reading(state);
	if (step->rc == 0)
		step->rc = mdb_get(state->reading, state->table, &key, &value);
	if (step->rc == 0 && value.mv_size > sizeof(step->found))
		step->rc = MDB_NOTFOUND;
	if (step->rc != 0)
		return;
	/* Copied out of the map here, where faults are caught. */
	memcpy(step->found, value.mv_data, value.mv_size);
	step->size = value.mv_size;
}

static bool
find_pending(const struct state *state, struct span key, struct span *stored)
{
	uint64_t *at =
	    state->where != NULL ? map_find(state->where, key) : NULL;

	if (at == NULL)
		return false;
	*stored = state->pending[*at - 1].value;
	return true;
}

bool
state_get(struct state *state, enum state_table table, struct span name,
    struct span *value)
{
	struct span key, stored;
	char bytes[KEY_MAX];
	struct state_step step;

	if (state == NULL || state->broken || name.n > STATE_NAME_MAX)
		return false;
	bytes[0] = (char)table;
	memcpy(bytes + 1, name.p, name.n);
	key = (struct span){bytes, name.n + 1};
	if (find_pending(state, key, &stored))
		return stored.p != NULL && open_value(key, stored, value);
	step.state = state; /* not = {0}: the step is large */
	step.key = key;
	if (guarded(get_work, &step) != 0)
		return false;
	stored = (struct span){step.found, step.size};
	if (!open_value(key, stored, value))
		return false;
	value->p = memcpy(
	    arena_alloc(state->store->arena, value->n + 1), value->p, value->n);
	return true;
}

void
state_rest(struct state *state)
{
	if (state == NULL || state->broken || state->reading == NULL ||
	    state->resting)
		return;
	mdb_txn_reset(state->reading);
	state->resting = true;
}

/* ---- writing ---- */

static void
add_pending(struct state *state, struct span key, struct span value)
{
	struct arena *arena = state->store->arena;
	uint64_t *at;

	if (state->where == NULL)
		state->where = map_new(arena, 64);
	if (state->npending == state->room) {
		size_t room = state->room > 0 ? state->room * 2 : 64;
		struct pending *list = arena_array(arena, room, sizeof(*list));

		if (state->npending > 0)
			memcpy(list, state->pending,
			    state->npending * sizeof(*list));
		state->pending = list;
		state->room = room;
	}
	at = map_at(state->where, key, state->npending + 1);
	if (*at == state->npending + 1)
		state->npending++;
	state->pending[*at - 1] = (struct pending){key, value};
}

static bool
may_write(const struct state *state, struct span name)
{
	return state != NULL && !state->broken && !state->look &&
	       name.n <= STATE_NAME_MAX;
}

void
state_put(struct state *state, enum state_table table, struct span name,
    struct span value)
{
	struct span key;
	char *stored;

	if (!may_write(state, name) || value.n > STATE_VALUE_MAX)
		return;
	key = make_key(state->store->arena, table, name);
	stored = arena_alloc(state->store->arena, value.n + CHECK_BYTES);
	memcpy(stored, value.p, value.n);
	make_check(key, value, (uint8_t *)stored + value.n);
	add_pending(state, key, (struct span){stored, value.n + CHECK_BYTES});
}

void
state_drop(struct state *state, enum state_table table, struct span name)
{
	if (may_write(state, name))
		add_pending(state, make_key(state->store->arena, table, name),
		    (struct span){NULL, 0});
}

static int
write_one(struct state *state, MDB_txn *txn, const struct pending *pending)
{
	MDB_val key = {pending->key.n, (void *)(uintptr_t)pending->key.p};
	MDB_val value = {pending->value.n, (void *)(uintptr_t)pending->value.p};
	int rc;

	if (value.mv_data != NULL)
		return mdb_put(txn, state->table, &key, &value, 0);
	rc = mdb_del(txn, state->table, &key, NULL);
	return rc == MDB_NOTFOUND ? 0 : rc;
}

/* Commit the transaction of STEP if its rc is 0, else abort it. */
static void
end_writing(struct state_step *step)
{
	MDB_txn *txn = step->writing;

	step->writing = NULL;
	if (step->rc == 0)
		step->rc = mdb_txn_commit(txn);
	else
		mdb_txn_abort(txn);
}

static void
abort_work(void *context)
{
	end_writing(context);
}

/*
 * Do WORK in a transaction.  After a fault the transaction is aborted, or
 * other processes would wait for its lock.
 */
static int
guarded_write(void (*work)(void *step), struct state_step *step)
{
	int rc = guarded(work, step);

	if (step->writing != NULL)
		(void)fault_try(abort_work, step);
	return rc;
}

static void
flush_work(void *context)
{
	struct state_step *step = context;
	struct state *state = step->state;

	step->rc = mdb_txn_begin(state->env, NULL, 0, &step->writing);
	for (size_t i = 0; i < state->npending && step->rc == 0; i++)
		step->rc = write_one(state, step->writing, &state->pending[i]);
	if (step->writing != NULL)
		end_writing(step);
}

/*
 * RC says that the map is full, or that another process made it larger.  False
 * if no more room can be made.
 */
static bool
make_room(struct state *state, int rc)
{
	MDB_envinfo info;

	state_rest(state);
	if (rc == MDB_MAP_RESIZED)
		return mdb_env_set_mapsize(state->env, 0) == 0;
	return rc == MDB_MAP_FULL && mdb_env_info(state->env, &info) == 0 &&
	       info.me_mapsize < MAP_BYTES_MAX &&
	       mdb_env_set_mapsize(state->env, info.me_mapsize * 2) == 0;
}

static bool
flush_here(struct state *state)
{
	struct state_step step = {.state = state};

	while (
	    guarded_write(flush_work, &step) != 0 && make_room(state, step.rc))
		continue;
	return step.rc == 0;
}

/*
 * LMDB trusts the pages that it changes.  A damaged page can make it write
 * anywhere in memory, and no fault would show that.  So the writing is done in
 * a child, whose memory is not needed afterwards.
 */
_Noreturn static void
flush_in_child(struct state *state)
{
	int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct state *own = state_open(state->store, DIR_MAKE);

	if (quiet >= 0)
		(void)dup2(quiet, STDERR_FILENO); /* its dying messages */
	if (own == NULL)
		_exit(1);
	/*
	 * The bytes of blobs must be on disk before the state remembers their
	 * hashes.
	 */
	if (state->store->unsynced && !sync_all(state->store->top))
		_exit(1);
	own->pending = state->pending;
	own->npending = state->npending;
	_exit(flush_here(own) ? 0 : 1);
}

bool
state_flush(struct state *state)
{
	int status = 0;
	pid_t child;

	if (state == NULL || state->broken || state->npending == 0)
		return state != NULL && !state->broken;
	state_rest(state);
	child = fork();
	if (child == 0)
		flush_in_child(state);
	state->npending = 0;
	state->where = NULL;
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	if (child > 0 && WIFSIGNALED(status))
		discard(state);
	if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return false;
	state->store->unsynced = false;
	return true;
}

/* ---- for gc ---- */

static void
count_work(void *context)
{
	struct state_step *step = context;
	MDB_stat stat;

	step->rc = mdb_env_stat(step->state->env, &stat);
	if (step->rc == 0)
		step->count = stat.ms_entries;
}

uint64_t
state_count(struct state *state)
{
	struct state_step step = {.state = state};

	if (state == NULL || state->broken)
		return 0;
	return guarded(count_work, &step) == 0 ? step.count : 0;
}

static void
clear_work(void *context)
{
	struct state_step *step = context;

	step->rc = mdb_txn_begin(step->state->env, NULL, 0, &step->writing);
	if (step->rc == 0)
		step->rc = mdb_drop(step->writing, step->state->table, 0);
	if (step->writing != NULL)
		end_writing(step);
}

bool
state_clear(struct state *state)
{
	struct state_step step = {.state = state};

	if (state == NULL || state->broken || state->look)
		return false;
	state_rest(state);
	state->npending = 0;
	state->where = NULL;
	return guarded_write(clear_work, &step) == 0;
}

struct span
state_library(void)
{
	/* "LMDB 0.9.24: (July 24, 2019)" */
	const char *text = mdb_version(NULL, NULL, NULL);

	return (struct span){text, strcspn(text, ":")};
}
