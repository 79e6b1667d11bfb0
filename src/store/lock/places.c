#include "store/lock/places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/tag.h"
#include "os/bytes.h"
#include "os/ranges.h"
#include "store/dir.h"
#include "store/file.h"
#include "store/key.h"
#include "store/lock/ancestor.h"

#define PLACES "places"

/*
 * The range of a place begins at its number times REGION.  A process that shares
 * the place locks one byte, that of its pid.  One that has it alone locks the
 * bytes of all pids, and as many more as its pid is.  So a lock says whose it is
 * as soon as it is there.  The system does not say that of these locks.
 */
enum { PIDS = 1 << 22, REGION_BITS = 23, NUMBER_BITS = 40, DEAD_MS = 500 };

/* How often a file that was replaced is opened again. */
enum { TRIES = 10 };

/* ---- what is wanted ---- */

static uint64_t
number_of(struct span place)
{
	/* Collisions do no harm, so the key need not be a secret. */
	return tag_of((struct tag){0, 0}, place).low >> (64 - NUMBER_BITS);
}

struct place_list
place_list_new(struct arena *arena)
{
	return (struct place_list){.arena = arena, .above = map_new(arena, 16)};
}

static void
add(struct place_list *list, struct span place, enum place_use use)
{
	list->wishes = arena_more(list->arena, list->wishes, list->n,
	    &list->room, sizeof(*list->wishes));
	list->wishes[list->n++] = (struct place_wish){number_of(place), use};
}

void
place_list_add(struct place_list *list, struct span place, enum place_use use)
{
	const char *slash;

	add(list, place, use);
	while (place.n > 1 &&
	       (slash = bytes_last(place.p, '/', place.n)) != NULL) {
		place.n = slash == place.p ? 1 : (size_t)(slash - place.p);
		/* The directories above a known one are known, too. */
		if ((*map_at(list->above, place, 0))++ > 0)
			return;
		add(list, place, PLACE_ABOVE);
	}
}

/* By number; of equal numbers the strongest use comes first. */
static int
by_number(const void *a, const void *b)
{
	const struct place_wish *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (int)y->use - (int)x->use;
}

static void
sort(struct place_list *list)
{
	size_t n = 0;

	if (list->n > 0)
		qsort(list->wishes, list->n, sizeof(*list->wishes), by_number);
	for (size_t i = 0; i < list->n; i++)
		if (n == 0 ||
		    list->wishes[i].number != list->wishes[n - 1].number)
			list->wishes[n++] = list->wishes[i];
	list->n = n;
}

/* ---- ranges ---- */

/* The range that the process PID locks for WISH. */
static struct byte_range
range_of(const struct place_wish *wish, uint64_t pid)
{
	uint64_t base = wish->number << REGION_BITS;

	return wish->use == PLACE_MADE
		   ? (struct byte_range){base, PIDS + pid, RANGE_EXCLUSIVE}
		   : (struct byte_range){base + pid, 1, RANGE_SHARED};
}

/* The pid that a lock on the place NUMBER stands for. */
static long
pid_in(const struct byte_range *found, uint64_t number)
{
	uint64_t base = number << REGION_BITS;

	return found->kind == RANGE_EXCLUSIVE ? (long)(found->length - PIDS)
					      : (long)(found->start - base);
}

/* ---- one place ---- */

/* The arguments of one places_take. */
struct place_taking {
	int fd;
	uint64_t pid; /* of this process */
	enum lock_wait wait;
	lock_waiting *waiting; /* NULL after it was called */
	void *context;
};

/* Somebody who may hold the lock on a place. */
struct holding {
	int fd;
	uint64_t number;
	bool alone; /* the one that was found has the place alone */
};

/* Does PID, an ancestor of ours or this process, hold it? */
static bool
is_held_by(void *context, long pid)
{
	struct holding *holding = context;
	struct byte_range found,
	    asked = {(holding->number << REGION_BITS) + (uint64_t)pid, 1,
		RANGE_EXCLUSIVE};

	if (pid >= PIDS || !ranges_find(holding->fd, &asked, &found) ||
	    pid_in(&found, holding->number) != pid ||
	    /* A process in another container may have the same number. */
	    !ranges_has(holding->fd, pid, found.start))
		return false;
	holding->alone = found.kind == RANGE_EXCLUSIVE;
	return true;
}

/*
 * Wait without a message for the end of a holder that was killed: its guard
 * (work/exec/guard.h) ends soon.  False if the holder is alive.
 */
static bool
take_from_dead(
    const struct place_taking *taking, const struct byte_range *range, long pid)
{
	struct timespec tick = {0, 1000000};

	for (int i = 0; i < DEAD_MS && pid > 0 && lock_is_dead(pid); i++) {
		if (ranges_lock(taking->fd, range, RANGE_TRY) == 0)
			return true;
		(void)nanosleep(&tick, NULL);
	}
	return false;
}

/* Wait for WISH, which somebody holds who is not an ancestor of ours. */
static enum lock_result
wait_for(struct place_taking *taking, const struct place_wish *wish)
{
	struct byte_range range = range_of(wish, taking->pid), found;
	long pid = ranges_find(taking->fd, &range, &found)
		       ? pid_in(&found, wish->number)
		       : 0;
	int error;

	if (take_from_dead(taking, &range, pid))
		return LOCK_TAKEN;
	error = ranges_lock(taking->fd, &range, RANGE_TRY);
	if (error == EAGAIN && taking->waiting != NULL) {
		taking->waiting(taking->context, pid);
		taking->waiting = NULL;
	}
	while (error == EAGAIN || error == EINTR)
		error = ranges_lock(taking->fd, &range, RANGE_WAIT);
	return error == 0 ? LOCK_TAKEN : LOCK_NONE;
}

static enum lock_result
take_one(struct place_taking *taking, const struct place_wish *wish)
{
	struct holding holding = {.fd = taking->fd, .number = wish->number};
	struct byte_range range = range_of(wish, taking->pid);
	int error = ranges_lock(taking->fd, &range, RANGE_TRY);
	bool ours;

	if (error != EAGAIN)
		return error == 0 ? LOCK_TAKEN : LOCK_NONE;
	/* Other work of this very process cannot end while we wait. */
	ours = is_held_by(&holding, (long)taking->pid);
	if (!ours && ancestor_find(is_held_by, &holding) != 0) {
		/* What we make is a part of what our ancestor makes. */
		if (wish->use == PLACE_ABOVE && holding.alone)
			return LOCK_TAKEN;
		ours = true;
	}
	if (taking->wait == LOCK_TRY)
		return LOCK_BUSY;
	return ours ? LOCK_OURS : wait_for(taking, wish);
}

/* ---- one file ---- */

/* Open the file NAME in DIR, which is made if it is missing. */
static int
open_file(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR | FILE_SAFELY);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | FILE_SAFELY, 0600);
	if (fd >= 0)
		(void)fchmod(fd, 0600); /* whatever the umask */
	return fd >= 0 || errno != EEXIST
		   ? fd
		   : openat(dir, name, O_RDWR | FILE_SAFELY);
}

static enum lock_result
take_all(struct place_taking *taking, const struct place_list *list)
{
	enum lock_result result = LOCK_TAKEN;

	for (size_t i = 0; i < list->n && result == LOCK_TAKEN; i++)
		result = take_one(taking, &list->wishes[i]);
	return result;
}

/*
 * Take all places by the file in DIR, and add it to HELD.  *AGAIN: the file was
 * replaced meanwhile.
 */
static enum lock_result
try_file(int dir, struct place_taking *taking, const struct place_list *list,
    struct places_held *held, bool *again)
{
	enum lock_result result = LOCK_NONE;
	struct stat st;

	*again = false;
	taking->fd = open_file(dir, PLACES);
	if (taking->fd < 0)
		return LOCK_NONE;
	if (fstat(taking->fd, &st) == 0 && file_is_alone(dir, PLACES, &st))
		result = take_all(taking, list);
	if (result == LOCK_TAKEN && !file_is_alone(dir, PLACES, &st)) {
		*again = true;
		result = LOCK_NONE;
	}
	if (result == LOCK_TAKEN)
		held->fds[held->n++] = taking->fd;
	else
		(void)close(taking->fd);
	return result;
}

static enum lock_result
take_file(int dir, struct place_taking *taking, const struct place_list *list,
    struct places_held *held)
{
	enum lock_result result = LOCK_NONE;
	bool again = true;

	for (int i = 0; i < TRIES && again; i++)
		result = try_file(dir, taking, list, held, &again);
	return result;
}

/* ---- both files ---- */

/* The directory of the user's key, if nobody else can write there; or -1. */
static int
open_user(const struct store *store)
{
	int dir = key_dir(store->arena, store->keys, KEY_MAKE);
	struct stat st;

	if (dir < 0 || (fstat(dir, &st) == 0 && (st.st_mode & 0022) == 0))
		return dir;
	(void)close(dir);
	return -1;
}

static enum lock_result
take_user(const struct store *store, struct place_taking *taking,
    const struct place_list *list, struct places_held *held)
{
	int dir = open_user(store);
	enum lock_result result = LOCK_NONE;

	if (dir < 0)
		return LOCK_NONE;
	result = take_file(dir, taking, list, held);
	(void)close(dir);
	return result;
}

static enum lock_result
take_store(struct store *store, struct place_taking *taking,
    const struct place_list *list, struct places_held *held)
{
	int dir = dir_open(store, "locks", DIR_MAKE);
	enum lock_result result;

	if (dir < 0)
		return LOCK_NONE;
	result = take_file(dir, taking, list, held);
	arena_close_fd(store->arena, dir);
	return result;
}

enum lock_result
places_take(struct store *store, struct place_list *list, enum lock_wait wait,
    lock_waiting *waiting, void *context, struct places_held *held)
{
	struct place_taking taking = {
	    -1, (uint64_t)getpid(), wait, waiting, context};
	enum lock_result result;

	*held = (struct places_held){.n = 0};
	if (list->n == 0)
		return LOCK_NONE;
	sort(list);
	result = take_user(store, &taking, list, held);
	if (result == LOCK_TAKEN || result == LOCK_NONE)
		result = take_store(store, &taking, list, held);
	if (result == LOCK_TAKEN || result == LOCK_NONE)
		return held->n > 0 ? LOCK_TAKEN : LOCK_NONE;
	places_release(held);
	return result;
}

void
places_release(struct places_held *held)
{
	while (held->n > 0) {
		int fd = held->fds[--held->n];

		/* Unlock: a guard may have it open, too. */
		ranges_unlock(fd);
		(void)close(fd);
	}
}
