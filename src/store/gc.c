#include "store/gc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/times.h"
#include "store/dir.h"
#include "store/object.h"
#include "store/walk.h"

#define HOUR (60 * 60)
#define DAY (24 * HOUR)

/*
 * An object of the last hour is young.  Its time may be older than its last
 * use by OBJECT_TOUCH_SECONDS.
 */
#define YOUNG_SECONDS (HOUR + OBJECT_TOUCH_SECONDS)

struct candidate {
	struct timespec used;
	uint64_t size;
	struct digest hash;
};

static int
by_last_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct candidate *)a)->used;
	const struct timespec *y = &((const struct candidate *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	if (x->tv_nsec != y->tv_nsec)
		return x->tv_nsec < y->tv_nsec ? -1 : 1;
	return 0;
}

static bool
take_away(int dir, const char *name, enum gc_want want)
{
	return want == GC_TELL || unlinkat(dir, name, 0) == 0;
}

static void
clear_temps(struct store *store, time_t now, enum gc_want want,
    struct gc_result *result)
{
	int tmp = dir_open(store, "tmp", want == GC_TELL ? DIR_LOOK : DIR_USE);
	struct walk walk = walk_begin(tmp);
	struct walk_thing thing;

	while (walk_temp(&walk, &thing)) {
		if (gc_is_recent(now, thing.st.st_mtime, HOUR) ||
		    !take_away(tmp, thing.name, want))
			continue;
		result->temps++;
		result->temp_bytes += (uint64_t)thing.st.st_size;
	}
	result->partial = result->partial || walk.partial;
	walk_end(&walk);
	arena_close_fd(store->arena, tmp);
}

/*
 * Collect the objects that may be removed, at most ROOM of them.  RESULT
 * counts all objects.  The result is how many were collected.
 */
static size_t
find_candidates(int objects, time_t now, struct candidate *found, size_t room,
    struct gc_result *result)
{
	struct walk walk = walk_begin(objects);
	struct walk_thing thing;
	struct digest hash;
	size_t n = 0;

	while (walk_object(&walk, &thing, &hash)) {
		if (!S_ISREG(thing.st.st_mode))
			continue;
		result->objects++;
		result->bytes += (uint64_t)thing.st.st_size;
		if (n == room ||
		    gc_is_recent(now, thing.st.st_mtime, YOUNG_SECONDS))
			continue;
		found[n++] = (struct candidate){*times_modified(&thing.st),
		    (uint64_t)thing.st.st_size, hash};
	}
	result->partial = result->partial || walk.partial;
	walk_end(&walk);
	return n;
}

/* Was it last used, at USED, so long ago that it goes whatever the size? */
static bool
is_expired(time_t now, time_t used, uint64_t max_days)
{
	return used <= now && (uint64_t)(now - used) / DAY >= max_days;
}

static void
shrink(struct store *store, time_t now, const struct gc_limits *limits,
    enum gc_want want, struct gc_result *result)
{
	int objects = dir_open(store, "objects",
	    want == GC_TELL ? DIR_LOOK : DIR_USE);
	/*
	 * Objects that come after this count are young, so they need no room.
	 */
	size_t room = (size_t)walk_count(objects), n;
	struct candidate *found = arena_array(store->arena, room,
	    sizeof(*found));
	char name[OBJECT_NAME];
	uint64_t left;

	n = find_candidates(objects, now, found, room, result);
	left = result->bytes;
	qsort(found, n, sizeof(*found), by_last_use);
	for (size_t i = 0; i < n; i++) {
		if (left <= limits->max_bytes &&
		    !is_expired(now, found[i].used.tv_sec, limits->max_days))
			break; /* all others were used later */
		object_name(&found[i].hash, name);
		if (take_away(objects, name, want)) {
			result->gone++;
			result->gone_bytes += found[i].size;
			left -= found[i].size;
		} else if (errno == ENOENT) {
			left -= found[i].size; /* another gc removed it */
		}
	}
	arena_close_fd(store->arena, objects);
}

struct gc_result
gc_run(struct store *store, const struct gc_limits *limits, enum gc_want want)
{
	struct gc_result result = {0};
	time_t now = time(NULL);

	clear_temps(store, now, want, &result);
	shrink(store, now, limits, want, &result);
	return result;
}

/*
 * Only the time of the stamp counts, whatever kind of file it is.  It is not
 * touched, but made anew: it could be a second name of somebody's file, now or
 * in a moment.
 */
bool
gc_begin_in(int dir)
{
	struct stat st;

	if (fstatat(dir, DIR_STAMP, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT && dir_note(dir, DIR_STAMP, SPAN(""));
	if (gc_is_recent(time(NULL), st.st_mtime, HOUR) &&
	    !(S_ISREG(st.st_mode) && st.st_nlink != 1))
		return false;
	return unlinkat(dir, DIR_STAMP,
		   S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) == 0 &&
	       dir_note(dir, DIR_STAMP, SPAN(""));
}

bool
gc_begin(struct store *store)
{
	int root = dir_root(store, DIR_USE);

	return root >= 0 && gc_begin_in(root);
}
