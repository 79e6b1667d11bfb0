#include "store/state/state.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/tag.h"
#include "os/sync.h"
#include "store/owner.h"
#include "store/state/fault.h"
#include "store/state/home.h"

#define MAP_BYTES ((size_t)1 << 30)
#define MAP_BYTES_MAX ((size_t)1 << 36)

/*
 * A process that only looks does not register in the table of readers, so a
 * writer may reuse a page while it is read.  What is read there then fails its
 * check, or gives a fault, and counts as absent.
 */
#define LOOK_FLAGS (MDB_RDONLY | MDB_NOLOCK)

enum { CHECK_BYTES = sizeof(struct tag), KEY_MAX = 1 + STATE_NAME_MAX };

/*
 * How long to wait for another process: for its turn to write, or until it has
 * opened the database.  It may have been stopped, or it may be our own parent.
 */
enum { WAIT_SECONDS = 1 };

/* The exit status of a child that had no turn, or no database. */
enum { EXIT_NO_TURN = 2 };

/* A put that waits for the flush, or a drop; it lives in the arena WAITING. */
struct pending {
	struct span key;
	struct span value; /* with its check; p is NULL for a drop */
};

struct state {
	struct store *store;
	struct home home;
	MDB_env *env;
	MDB_dbi table;
	MDB_txn *reading;  /* NULL until the first read */
	bool resting;	   /* READING must be renewed */
	enum dir_want want; /* how it was opened */
	bool broken;	   /* damage was found: all is absent */
	bool no_turn;	   /* nothing more is written: see flush_in_child */
	struct arena *waiting; /* reset by each flush; NULL until needed */
	struct map *where;     /* key -> index + 1 in PENDING */
	struct pending *pending;
	size_t npending, room;
};

/* The arguments and results of one guarded step; rc is LMDB's. */
struct state_step {
	struct state *state;
	const char *path; /* open_work: of the database */
	bool reads;
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

/*
 * The check of VALUE under KEY.  A flipped bit must not become a wrong hash.
 * An entry that somebody else wrote, or that comes from another table, name or
 * store, must not count.  The tag of KEY is secret, and the key for VALUE.
 */
static struct tag
make_check(const struct state *state, struct span key, struct span value)
{
	return tag_of(tag_of(state->home.key, key), value);
}

/* STORED without its check; false if the check is not right for KEY. */
static bool
open_value(const struct state *state, struct span key, struct span stored,
    struct span *value)
{
	struct tag check;

	if (stored.n < CHECK_BYTES || stored.n > CHECK_BYTES + STATE_VALUE_MAX)
		return false;
	*value = (struct span){stored.p, stored.n - CHECK_BYTES};
	memcpy(&check, stored.p + value->n, CHECK_BYTES);
	return tag_eq(check, make_check(state, key, *value));
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
 * The database is damaged.  Nothing in it is needed, so remove it; the next
 * process makes a new one.
 */
static void
discard(struct state *state)
{
	if (state->broken)
		return;
	state->broken = true;
	if (state->want != DIR_LOOK && home_is_current(state->store, &state->home))
		(void)home_remove(&state->home);
}

/*
 * Do WORK on STEP and give its rc.  Every kind of damage is MDB_CORRUPTED.  If
 * it takes longer than SECONDS (0: no limit), the rc is ETIMEDOUT.
 */
static int
guarded(void (*work)(void *step), struct state_step *step, unsigned seconds)
{
	switch (fault_try(work, step, seconds)) {
	case FAULT_NONE:
		break;
	case FAULT_MEMORY:
		step->rc = MDB_CORRUPTED;
		break;
	case FAULT_LATE:
		step->rc = ETIMEDOUT;
		break;
	}
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
			rc = mdb_txn_begin(state->env, NULL, MDB_RDONLY, &txn);
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

/* The plain name of the database: see home.h. */
static const char *
data_path(const struct state *state)
{
	struct buf path = buf_new(state->store->arena, 128);

	buf_add(&path, state->home.path);
	buf_str(&path, "/" HOME_DATA);
	return arena_cstr(state->store->arena, buf_span(&path));
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
		(state->want == DIR_LOOK ? LOOK_FLAGS : 0u),
	    0600);
	if (step->rc != 0)
		return;
	/* LMDB's descriptor would be inherited by children. */
	if (mdb_env_get_fd(state->env, &fd) == 0)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	(void)mdb_reader_check(state->env, &dead);
	step->rc = is_cut_short(state->env) ? MDB_CORRUPTED : open_table(state);
	/*
	 * The only step of reading that may have to wait is done here, where
	 * the time is limited.
	 */
	if (step->rc == 0 && step->reads)
		step->rc = begin_reading(state);
}

/* Open the state of STORE; READS if state_get will be called. */
static struct state *
open_state(struct store *store, enum dir_want want, bool reads)
{
	struct state *state = arena_array(store->arena, 1, sizeof(*state));
	struct state_step step = {.state = state, .reads = reads};
	/* The database is elsewhere: only a new one needs more than a look. */
	int root = dir_root(store, want == DIR_MAKE ? DIR_MAKE : DIR_LOOK);

	state->store = store;
	state->want = want;
	if (root < 0 || !home_open(store, root, want, &state->home))
		return NULL;
	step.path = data_path(state);
	fault_prepare();
	if (guarded(open_work, &step, WAIT_SECONDS) == 0 &&
	    /* Both files are in it, and not in one that has its name now. */
	    home_is_current(store, &state->home)) {
		state_rest(state);
		return state;
	}
	state_close(state);
	return NULL;
}

struct state *
state_open(struct store *store, enum dir_want want)
{
	return open_state(store, want, true);
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
		(void)guarded(close_work, &step, WAIT_SECONDS);
	state->env = NULL;
	state->broken = true;
	home_close(state->store, &state->home);
}

/* ---- reading ---- */

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
	if (!find_pending(state, key, &stored)) {
		step.state = state; /* not = {0}: the step is large */
		step.key = key;
		if (guarded(get_work, &step, 0) != 0)
			return false;
		stored = (struct span){step.found, step.size};
	}
	if (stored.p == NULL || !open_value(state, key, stored, value))
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

static struct arena *
waiting(struct state *state)
{
	if (state->waiting == NULL)
		state->waiting = arena_scratch(state->store->arena);
	return state->waiting;
}

/* Nothing waits for the flush any more. */
static void
forget_pending(struct state *state)
{
	arena_reset(state->waiting);
	state->where = NULL;
	state->pending = NULL;
	state->npending = state->room = 0;
}

static void
add_pending(struct state *state, struct span key, struct span value)
{
	struct arena *arena = waiting(state);
	uint64_t *at;

	if (state->where == NULL)
		state->where = map_new(arena, 64);
	state->pending = arena_more(arena, state->pending, state->npending,
	    &state->room, sizeof(*state->pending));
	at = map_at(state->where, key, state->npending + 1);
	if (*at == state->npending + 1)
		state->npending++;
	state->pending[*at - 1] = (struct pending){key, value};
}

static bool
may_write(const struct state *state, struct span name)
{
	return state != NULL && !state->broken && state->want != DIR_LOOK &&
	       !state->no_turn && name.n <= STATE_NAME_MAX;
}

void
state_put(struct state *state, enum state_table table, struct span name,
    struct span value)
{
	struct tag check;
	struct span key;
	char *stored;

	if (!may_write(state, name) || value.n > STATE_VALUE_MAX)
		return;
	key = make_key(waiting(state), table, name);
	stored = arena_alloc(waiting(state), value.n + CHECK_BYTES);
	memcpy(stored, value.p, value.n);
	check = make_check(state, key, value);
	memcpy(stored + value.n, &check, CHECK_BYTES);
	add_pending(state, key, (struct span){stored, value.n + CHECK_BYTES});
}

void
state_drop(struct state *state, enum state_table table, struct span name)
{
	if (may_write(state, name))
		add_pending(state, make_key(waiting(state), table, name),
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

/* Waits until no other process writes. */
static void
begin_work(void *context)
{
	struct state_step *step = context;

	step->rc = mdb_txn_begin(step->state->env, NULL, 0, &step->writing);
}

static void
flush_work(void *context)
{
	struct state_step *step = context;
	struct state *state = step->state;

	for (size_t i = 0; i < state->npending && step->rc == 0; i++)
		step->rc = write_one(state, step->writing, &state->pending[i]);
	end_writing(step);
}

/*
 * Write everything in one transaction.  After a fault it is aborted, or other
 * processes would wait for its lock.
 */
static int
flush_once(struct state_step *step)
{
	if (guarded(begin_work, step, WAIT_SECONDS) != 0)
		return step->rc;
	if (guarded(flush_work, step, 0) != 0 && step->writing != NULL)
		(void)fault_try(abort_work, step, 0);
	return step->rc;
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

/* LMDB's rc, or ETIMEDOUT. */
static int
flush_here(struct state *state)
{
	struct state_step step = {.state = state};

	while (flush_once(&step) != 0 && make_room(state, step.rc))
		continue;
	return step.rc;
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
	struct state *own = open_state(state->store, state->want, false);

	if (quiet >= 0)
		(void)dup2(quiet, STDERR_FILENO); /* its dying messages */
	if (own == NULL)
		_exit(EXIT_NO_TURN);
	/*
	 * The bytes of blobs must be on disk before the state remembers their
	 * hashes.
	 */
	if (state->store->unsynced && !sync_all(state->store->top))
		_exit(1);
	own->pending = state->pending;
	own->npending = state->npending;
	switch (flush_here(own)) {
	case 0:
		_exit(0);
	case ETIMEDOUT:
		_exit(EXIT_NO_TURN);
	default:
		_exit(1);
	}
}

bool
state_flush(struct state *state)
{
	int status = 0;
	pid_t child;

	if (state == NULL || state->broken || state->npending == 0)
		return state != NULL && !state->broken && !state->no_turn;
	state_rest(state);
	child = fork();
	if (child == 0)
		flush_in_child(state);
	forget_pending(state);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	if (child > 0 && WIFSIGNALED(status))
		discard(state);
	/* One wait is enough: the next one would be in vain too. */
	if (child > 0 && WIFEXITED(status))
		state->no_turn = WEXITSTATUS(status) == EXIT_NO_TURN;
	if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return false;
	state->store->unsynced = false;
	return true;
}

/* ---- for gc ---- */

/*
 * The database used to be in the store.  Its files are removed only beside the
 * one that no other program has: 32 bytes, by which they were known as ours.
 */
static void
remove_former(struct store *store, int root)
{
	static const char names[][16] = {
	    "state.mdb", "state.mdb-lock", "state.mdb-own"};
	struct stat st;

	if (owner_ask(store, root, DIR_USE) != OWNER_OURS ||
	    fstatat(root, "state.mdb-own", &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(st.st_mode) || st.st_size != DIGEST_BYTES)
		return;
	for (size_t i = 0; i < 3; i++)
		(void)unlinkat(root, names[i], 0);
}

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
	return guarded(count_work, &step, 0) == 0 ? step.count : 0;
}

bool
state_remove(struct store *store)
{
	int root = dir_root(store, DIR_USE);
	struct home home;
	bool removed;

	if (root < 0 || !home_open(store, root, DIR_USE, &home))
		return false;
	removed = home_remove(&home);
	home_close(store, &home);
	return removed;
}

bool
state_place(struct store *store, struct state_place *place)
{
	int root = dir_root(store, DIR_LOOK);
	struct home home;

	if (root < 0 || !home_open(store, root, DIR_LOOK, &home))
		return false;
	*place = (struct state_place){home.path, home_size(&home)};
	home_close(store, &home);
	return true;
}

void
state_tidy(struct store *store)
{
	int root = dir_root(store, DIR_USE);
	struct home home;

	if (root < 0)
		return;
	remove_former(store, root);
	if (!home_open(store, root, DIR_USE, &home))
		return;
	home_tidy(&home);
	home_close(store, &home);
}

struct span
state_library(void)
{
	/* "LMDB 0.9.24: (July 24, 2019)" */
	const char *text = mdb_version(NULL, NULL, NULL);

	return (struct span){text, strcspn(text, ":")};
}
