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
#include "store/dir.h"
#include "store/lock/ancestor.h"

enum { PID_TEXT = 24, LOCK_MODE = 0600, DEAD_MS = 500 };

struct lock_set {
	size_t n;
	int *fds;
	enum lock_kind kinds[];
};

/* The arguments of one lock_take. */
struct taking {
	int dir;
	enum lock_wait wait;
	lock_waiting *waiting; /* NULL after it was called */
	void *context;
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

/* For messages only, so a failure does not matter. */
static void
write_holder(int fd)
{
	char text[PID_TEXT];
	int n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	if (ftruncate(fd, 0) == 0)
		(void)!pwrite(fd, text, (size_t)n, 0);
}

/* ---- one lock ---- */

/*
 * The file FD is locked.  LOCK_TAKEN if it is still the one called NAME.  An
 * old lock file may have been removed meanwhile: then *AGAIN is true, and the
 * caller tries with the new file.
 */
static enum lock_result
check_current(int dir, const char *name, int fd, bool *again)
{
	struct stat mine, there;

	if (fstat(fd, &mine) != 0)
		return LOCK_NONE;
	if (fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) != 0)
		*again = errno == ENOENT;
	else if (mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
		return LOCK_TAKEN;
	else
		*again = true;
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
		taking->waiting(taking->context, read_holder(fd));
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
is_ours(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && st.st_nlink <= 1;
}

static enum lock_result
try_one(struct taking *taking, const char *name, int operation, int *fd,
    bool *again)
{
	enum lock_result result;

	*again = false;
	*fd = openat(taking->dir, name,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
	    LOCK_MODE);
	if (*fd < 0)
		return LOCK_NONE;
	result = is_ours(*fd) ? lock_file(taking, *fd, operation) : LOCK_NONE;
	if (result == LOCK_TAKEN)
		result = check_current(taking->dir, name, *fd, again);
	if (result != LOCK_TAKEN)
		(void)close(*fd);
	return result;
}

static enum lock_result
take_one(struct taking *taking, const struct lock_wish *wish, int *fd)
{
	int operation = wish->kind == LOCK_SHARED ? LOCK_SH : LOCK_EX;
	enum lock_result result;
	char name[DIGEST_HEX + 1];
	bool again;

	digest_hex(&wish->name, name);
	do {
		result = try_one(taking, name, operation, fd, &again);
	} while (again);
	if (result == LOCK_TAKEN && wish->kind == LOCK_EXCLUSIVE)
		write_holder(*fd);
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

static enum lock_result
take_all(struct taking *taking, const struct lock_wish *wishes, size_t n,
    struct lock_set *set)
{
	enum lock_result result = LOCK_TAKEN;

	for (size_t i = 0; i < n && result == LOCK_TAKEN; i++) {
		if (i > 0 && digest_eq(&wishes[i].name, &wishes[i - 1].name))
			continue;
		set->kinds[set->n] = wishes[i].kind;
		result = take_one(taking, &wishes[i], &set->fds[set->n]);
		if (result == LOCK_TAKEN)
			set->n++;
	}
	return result;
}

enum lock_result
lock_take(struct store *store, struct lock_wish *wishes, size_t n,
    enum lock_wait wait, lock_waiting *waiting, void *context,
    struct lock_set **set)
{
	struct taking taking = {
	    dir_open(store, "locks", DIR_MAKE), wait, waiting, context};
	enum lock_result result = LOCK_NONE;

	*set = NULL;
	if (taking.dir < 0)
		return LOCK_NONE;
	qsort(wishes, n, sizeof(*wishes), by_name);
	*set = calloc(1, sizeof(**set) + n * sizeof((*set)->kinds[0]));
	if (*set != NULL)
		(*set)->fds = calloc(n + 1, sizeof(*(*set)->fds));
	if (*set != NULL && (*set)->fds != NULL)
		result = take_all(&taking, wishes, n, *set);
	arena_close_fd(store->arena, taking.dir);
	if (result == LOCK_TAKEN)
		return LOCK_TAKEN;
	lock_release(*set);
	*set = NULL;
	return result;
}

const int *
lock_descriptors(const struct lock_set *set, size_t *n)
{
	*n = set != NULL ? set->n : 0;
	return set != NULL ? set->fds : NULL;
}

void
lock_release(struct lock_set *set)
{
	if (set == NULL)
		return;
	for (size_t i = 0; i < set->n; i++) {
		/* Whoever holds it shared later must not be taken for us. */
		if (set->kinds[i] == LOCK_EXCLUSIVE)
			(void)!ftruncate(set->fds[i], 0);
		/*
		 * Unlock, as close is not enough: a guard may have it open
		 * too.
		 */
		(void)flock(set->fds[i], LOCK_UN);
		(void)close(set->fds[i]);
	}
	free(set->fds);
	free(set);
}
