#include "store/lock/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "os/locks.h"
#include "store/dir.h"
#include "store/file.h"
#include "store/lock/ancestor.h"

enum { PID_TEXT = 24, LOCK_MODE = 0600, DEAD_MS = 500, NAME_ROOM = 256 };

/* One length for all numbers, so that nothing is ever cut off a file. */
#define PID_FORMAT "%-19ld\n"
enum { PID_WRITTEN = 20 };

struct lock {
	int fd;
	enum lock_kind kind;
	char name[NAME_ROOM]; /* of its file */
	struct stat st;
};

struct lock_set {
	int dir; /* of the files; -1 if there is no descriptor for it */
	size_t n;
	int *fds;
	struct lock locks[];
};

/* The arguments of one lock_take. */
struct taking {
	int dir;
	enum lock_wait wait;
	lock_waiting *waiting; /* NULL after it was called */
	void *context;
	bool strange; /* DIR is not the store's: somebody's files are there */
};

struct digest
lock_name(const char *what, struct span name)
{
	struct digest_state state;

	digest_begin(&state);
	/*
	 * With its NUL, so that the end of WHAT and the start of NAME cannot
	 * mix.
	 */
	digest_add(&state, (struct span){what, strlen(what) + 1});
	digest_add(&state, name);
	return digest_end(&state);
}

struct digest
lock_store_name(void)
{
	return lock_name("store", SPAN(""));
}

/* ---- who has it ---- */

static long
read_holder(int fd)
{
	char text[PID_TEXT] = "";
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	return n > 0 ? strtol(text, NULL, 10) : 0;
}

static bool
is_anybody(long pid)
{
	return pid > 0;
}

/*
 * Who holds the lock on FD, for a message.  The system knows it before the
 * holder has written its number.
 */
static long
find_holder(int fd)
{
	bool told;
	long found = locks_find(fd, is_anybody, &told);

	return found > 0 ? found : read_holder(fd);
}

/*
 * Write the pid HOLDER, or 0 for nobody, to the file FD, which was just seen
 * to be a lock and nothing else.  For messages only, so a failure does not
 * matter.
 */
static void
write_holder(int fd, long holder)
{
	char text[PID_TEXT];
	int n = snprintf(text, sizeof(text), PID_FORMAT, holder);

	(void)!pwrite(fd, text, (size_t)n, 0);
}

/* ---- one lock ---- */

/*
 * The file MINE is locked.  LOCK_TAKEN if it is still the one called NAME, and
 * that is its only name.  An old lock file may have been removed meanwhile:
 * then *AGAIN is true, and the caller tries with the new file.
 */
static enum lock_result
check_current(int dir, const char *name, const struct stat *mine, bool *again)
{
	struct stat there;

	if (fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) != 0)
		*again = errno == ENOENT;
	else if (mine->st_ino != there.st_ino || mine->st_dev != there.st_dev)
		*again = true;
	else if (there.st_nlink == 1)
		return LOCK_TAKEN;
	return LOCK_NONE;
}

/*
 * Take the lock from a holder that is dead.  A process that was killed keeps
 * its lock only until its guard has killed its commands (work/exec/guard.h),
 * so wait for that moment without a message.  False if the holder is alive, or
 * not known.
 */
static bool
take_from_dead(int fd, int operation)
{
	struct timespec tick = {0, 1000000};
	long holder = read_holder(fd);

	for (int i = 0; i < DEAD_MS; i++) {
		if (holder <= 0 || !lock_is_dead(holder))
			return false;
		if (flock(fd, operation | LOCK_NB) == 0)
			return true;
		(void)nanosleep(&tick, NULL);
	}
	return false;
}

static enum lock_result
lock_file(struct taking *taking, int fd, int operation)
{
	if (flock(fd, operation | LOCK_NB) == 0)
		return LOCK_TAKEN;
	if (errno != EWOULDBLOCK)
		return LOCK_NONE;
	if (taking->wait == LOCK_TRY)
		return LOCK_BUSY;
	if (lock_ancestor(fd, read_holder(fd)) != 0)
		return LOCK_OURS;
	if (take_from_dead(fd, operation))
		return LOCK_TAKEN;
	if (taking->waiting != NULL)
		taking->waiting(taking->context, find_holder(fd));
	taking->waiting = NULL;
	while (flock(fd, operation) != 0)
		if (errno != EINTR)
			return LOCK_NONE;
	return LOCK_TAKEN;
}

/*
 * Is FD a regular file of ours with one name only?  The holder's pid is
 * written to it, which must not happen to somebody's file.
 */
static bool
is_ours(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && file_is_ours(st) && st->st_nlink <= 1;
}

/*
 * Can the file FD have been written by write_holder alone?  What holds anything
 * else is somebody's.
 */
static bool
is_lock_text(int fd, const struct stat *st)
{
	char text[PID_WRITTEN + 1] = "";

	if (st->st_size == 0)
		return true;
	return st->st_size == PID_WRITTEN &&
	       pread(fd, text, PID_WRITTEN, 0) == PID_WRITTEN &&
	       strspn(text, "0123456789 ") == PID_WRITTEN - 1 &&
	       text[PID_WRITTEN - 1] == '\n';
}

static enum lock_result
try_one(struct taking *taking, struct lock *lock, bool *again)
{
	int operation = lock->kind == LOCK_SHARED ? LOCK_SH : LOCK_EX;
	enum lock_result result;

	*again = false;
	lock->fd = openat(
	    taking->dir, lock->name, O_RDWR | O_CREAT | FILE_SAFELY, LOCK_MODE);
	if (lock->fd < 0)
		return LOCK_NONE;
	result = is_ours(lock->fd, &lock->st) &&
			 (!taking->strange || is_lock_text(lock->fd, &lock->st))
		     ? lock_file(taking, lock->fd, operation)
		     : LOCK_NONE;
	if (result == LOCK_TAKEN)
		result =
		    check_current(taking->dir, lock->name, &lock->st, again);
	if (result != LOCK_TAKEN)
		(void)close(lock->fd);
	return result;
}

static enum lock_result
take_one(struct taking *taking, struct lock *lock)
{
	enum lock_result result;
	bool again;

	do {
		result = try_one(taking, lock, &again);
	} while (again);
	if (result == LOCK_TAKEN && lock->kind == LOCK_EXCLUSIVE)
		write_holder(lock->fd, (long)getpid());
	return result;
}

/* ---- all of them ---- */

/* By name; of equal names the strongest kind comes first. */
static int
by_name(const void *a, const void *b)
{
	const struct lock_wish *x = a, *y = b;
	int order = memcmp(x->name.bytes, y->name.bytes, DIGEST_BYTES);

	return order != 0 ? order : (int)y->kind - (int)x->kind;
}

/* Take the lock that is next in SET. */
static enum lock_result
take_next(struct taking *taking, struct lock_set *set)
{
	struct lock *lock = &set->locks[set->n];
	enum lock_result result = take_one(taking, lock);

	if (result == LOCK_TAKEN)
		set->fds[set->n++] = lock->fd;
	return result;
}

static enum lock_result
take_all(struct taking *taking, const struct lock_wish *wishes, size_t n,
    struct lock_set *set)
{
	enum lock_result result = LOCK_TAKEN;

	for (size_t i = 0; i < n && result == LOCK_TAKEN; i++) {
		struct lock *lock = &set->locks[set->n];

		if (i > 0 && digest_eq(&wishes[i].name, &wishes[i - 1].name))
			continue;
		lock->kind = wishes[i].kind;
		digest_hex(&wishes[i].name, lock->name);
		result = take_next(taking, set);
	}
	return result;
}

/* A set with room for N locks on files in DIR; NULL if there is no memory. */
static struct lock_set *
new_set(int dir, size_t n)
{
	struct lock_set *set =
	    calloc(1, sizeof(*set) + n * sizeof(set->locks[0]));

	if (set == NULL)
		return NULL;
	/* Many sets may be held at once, an arena has few of these. */
	set->dir = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	set->fds = calloc(n + 1, sizeof(*set->fds));
	if (set->fds != NULL)
		return set;
	lock_release(set);
	return NULL;
}

/* Give *SET to the caller if RESULT says that all was taken. */
static enum lock_result
hand_over(enum lock_result result, struct lock_set *held, struct lock_set **set)
{
	if (result != LOCK_TAKEN) {
		lock_release(held);
		held = NULL;
	}
	*set = held;
	return result;
}

enum lock_result
lock_take(struct store *store, struct lock_wish *wishes, size_t n,
    enum lock_wait wait, lock_waiting *waiting, void *context,
    struct lock_set **set)
{
	struct taking taking = {
	    dir_open(store, "locks", DIR_MAKE), wait, waiting, context, false};
	enum lock_result result = LOCK_NONE;
	struct lock_set *held;

	*set = NULL;
	if (taking.dir < 0)
		return LOCK_NONE;
	qsort(wishes, n, sizeof(*wishes), by_name);
	held = new_set(taking.dir, n);
	if (held != NULL)
		result = take_all(&taking, wishes, n, held);
	arena_close_fd(store->arena, taking.dir);
	return hand_over(result, held, set);
}

enum lock_result
lock_take_file(int dir, const char *name, enum lock_wait wait,
    lock_waiting *waiting, void *context, struct lock_set **set)
{
	struct taking taking = {dir, wait, waiting, context, true};
	enum lock_result result = LOCK_NONE;
	struct lock_set *held = NULL;

	if (strlen(name) < NAME_ROOM)
		held = new_set(dir, 1);
	if (held != NULL) {
		held->locks[0].kind = LOCK_EXCLUSIVE;
		memcpy(held->locks[0].name, name, strlen(name) + 1);
		result = take_next(&taking, held);
	}
	return hand_over(result, held, set);
}

bool
lock_is_current(const struct lock_set *set)
{
	for (size_t i = 0; set != NULL && i < set->n; i++)
		if (!file_is_alone(
			set->dir, set->locks[i].name, &set->locks[i].st))
			return false;
	return set != NULL;
}

const int *
lock_descriptors(const struct lock_set *set, size_t *n)
{
	*n = set != NULL ? set->n : 0;
	return set != NULL ? set->fds : NULL;
}

/* Whoever holds it shared later must not be taken for us. */
static void
forget_holder(const struct lock_set *set, const struct lock *lock)
{
	if (file_is_alone(set->dir, lock->name, &lock->st))
		write_holder(lock->fd, 0);
}

void
lock_release(struct lock_set *set)
{
	if (set == NULL)
		return;
	for (size_t i = 0; i < set->n; i++) {
		const struct lock *lock = &set->locks[i];

		if (lock->kind == LOCK_EXCLUSIVE)
			forget_holder(set, lock);
		/*
		 * Unlock, as close is not enough: a guard may have it open
		 * too.
		 */
		(void)flock(lock->fd, LOCK_UN);
		(void)close(lock->fd);
	}
	if (set->dir >= 0)
		(void)close(set->dir);
	free(set->fds);
	free(set);
}

void
lock_remove(struct lock_set *set)
{
	for (size_t i = 0; set != NULL && i < set->n; i++)
		if (file_is_alone(
			set->dir, set->locks[i].name, &set->locks[i].st))
			(void)unlinkat(set->dir, set->locks[i].name, 0);
	lock_release(set);
}
