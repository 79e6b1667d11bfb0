#include "store/store.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slurp.h"
#include "store/dir.h"
#include "store/file.h"
#include "store/object.h"
#include "store/place.h"
#include "store/walk.h"

struct store
store_at(struct arena *arena, struct span root, struct span cwd)
{
	return (struct store){.arena = arena,
	    .root = root,
	    .cwd = cwd,
	    .top = -1,
	    .objects = -1,
	    .tmp = -1,
	    .keys = SPAN("")};
}

void
store_guard(struct store *store)
{
	store->guarded = true;
}

struct arena *
store_scratch(struct store *store)
{
	if (store->scratch == NULL)
		store->scratch = arena_scratch(store->arena);
	arena_reset(store->scratch);
	return store->scratch;
}

/* The descriptor of objects/, opened once; -1 if it cannot be used. */
static int
open_objects(struct store *store, enum dir_want want)
{
	if (store->objects < 0)
		store->objects = dir_open(store, "objects", want);
	return store->objects;
}

/*
 * Is the last use of the object ST noted so long ago that it must be noted
 * again?  Done seldom, so that it costs nothing.
 */
static bool
is_stale(const struct stat *st)
{
	time_t now = time(NULL);

	return st->st_mtime > now ||
	    now - st->st_mtime > OBJECT_TOUCH_SECONDS;
}

/* Set only the modification time, to now. */
static const struct timespec touched[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};

/*
 * Note the use of the object FD, called NAME, and let nobody else read it from
 * now on.  False if somebody can.  A second name may be that of a user's file,
 * whose mode and times are not ours to change.
 */
static bool
note_use(int objects, const char *name, int fd, const struct stat *st)
{
	bool open = (st->st_mode & 07777) != OBJECT_MODE;

	if (!open && !is_stale(st))
		return true;
	if (!file_is_alone(objects, name, st))
		return true;
	if (open && fchmod(fd, OBJECT_MODE) != 0)
		return false;
	if (is_stale(st) && (!open || file_is_alone(objects, name, st)))
		(void)futimens(fd, touched); /* else gc takes it too early */
	return true;
}

/*
 * Read the open file FD if it is the object HASH.  SLURP_FAILED means that it
 * could not be read, which does not prove that it is damaged.
 */
static enum slurp
load(struct store *store, int objects, const char *name, int fd,
    const struct digest *hash, struct span *bytes)
{
	enum slurp got = slurp(store->arena, fd, OBJECT_MAX, bytes);
	struct digest actual;
	struct stat st;

	if (got != SLURP_OK)
		return got;
	actual = digest_of(*bytes);
	if (!digest_eq(&actual, hash))
		return SLURP_SPECIAL; /* not ours, so leave it as it is */
	if (fstat(fd, &st) != 0)
		return SLURP_FAILED;
	return note_use(objects, name, fd, &st) ? SLURP_OK : SLURP_FAILED;
}

bool
store_get(struct store *store, const struct digest *hash, struct span *bytes)
{
	int objects = open_objects(store, DIR_USE), fd;
	char name[OBJECT_NAME];
	enum slurp got;

	if (objects < 0)
		return false;
	object_name(hash, name);
	fd = file_open(objects, name);
	if (fd < 0)
		return false;
	arena_own_fd(store->arena, fd);
	got = load(store, objects, name, fd, hash, bytes);
	arena_close_fd(store->arena, fd);
	if (got != SLURP_OK && got != SLURP_FAILED)
		(void)unlinkat(objects, name, 0); /* T3: another content */
	return got == SLURP_OK;
}

/* By descriptor: what the name leads to may be another file by now. */
static void
touch(int objects, const char *name)
{
	int fd = file_open(objects, name);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && file_is_alone(objects, name, &st))
		(void)futimens(fd, touched);
	(void)close(fd);
}

/*
 * Does the object look right from outside?  Its bytes are checked by
 * store_get.
 */
static bool
looks_stored(int objects, const char *name, size_t size)
{
	struct stat st;

	if (fstatat(objects, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !file_is_ours(&st) || st.st_nlink != 1 ||
	    (st.st_mode & 07777) != OBJECT_MODE || (size_t)st.st_size != size)
		return false;
	if (is_stale(&st))
		touch(objects, name);
	return true;
}

enum stored
store_put(struct store *store, const struct digest *hash, struct span bytes)
{
	int objects = open_objects(store, DIR_MAKE);
	char name[OBJECT_NAME];

	object_name(hash, name);
	if (objects < 0)
		return STORED_NOT;
	if (looks_stored(objects, name, bytes.n))
		return STORED_BEFORE;
	return place_file(store, objects, name, bytes, OBJECT_MODE)
	    ? STORED_NOW
	    : STORED_NOT;
}

/* Count the files in tmp/, which is opened only for this. */
static void
count_temps(struct store *store, struct store_stats *stats)
{
	int tmp = dir_open(store, "tmp", DIR_LOOK);
	struct walk walk = walk_begin(tmp);
	struct walk_thing thing;

	while (walk_temp(&walk, &thing)) {
		stats->temps++;
		stats->temp_bytes += (uint64_t)thing.st.st_size;
	}
	stats->partial = stats->partial || walk.partial;
	walk_end(&walk);
	arena_close_fd(store->arena, tmp);
}

struct store_stats
store_stat(struct store *store)
{
	struct walk walk = walk_begin(open_objects(store, DIR_LOOK));
	struct store_stats stats = {0};
	struct walk_thing thing;
	struct digest hash;

	while (walk_object(&walk, &thing, &hash)) {
		time_t used = thing.st.st_mtime;

		if (!S_ISREG(thing.st.st_mode))
			continue;
		if (stats.objects == 0 || used < stats.oldest)
			stats.oldest = used;
		if (stats.objects == 0 || used > stats.newest)
			stats.newest = used;
		stats.objects++;
		stats.bytes += (uint64_t)thing.st.st_size;
	}
	stats.partial = walk.partial;
	walk_end(&walk);
	count_temps(store, &stats);
	return stats;
}
