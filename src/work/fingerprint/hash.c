#include "work/fingerprint/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "os/times.h"

/* Bytes of one read: a size that fits the processor's cache. */
enum { STEP_BYTES = 256 * 1024, TRIES = 3 };

/*
 * A file that was changed less than this before it was hashed is not believed:
 * git's "racy" rule.  Most file systems' clocks tick every 1 to 10 ms, but
 * some keep whole seconds only, and FAT every second one.
 */
#define RACY_NS ((int64_t)20 * 1000 * 1000)
#define COARSE_NS ((int64_t)2 * 1000 * 1000 * 1000 + RACY_NS)

/* An entry of the state: fixed sizes, signed times. */
struct hashed_entry {
	int64_t mtime, ctime; /* nanoseconds */
	uint64_t size;
	struct digest hash;
};

static int64_t
nanoseconds(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

bool
hash_same_facts(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size &&
	       nanoseconds(times_modified(a)) ==
		   nanoseconds(times_modified(b)) &&
	       nanoseconds(times_changed(a)) == nanoseconds(times_changed(b));
}

bool
hash_is_coarse(const struct stat *st)
{
	return times_changed(st)->tv_nsec == 0;
}

bool
hash_is_settled(const struct stat *st, int64_t since)
{
	int64_t bound = since - (hash_is_coarse(st) ? COARSE_NS : RACY_NS);

	return nanoseconds(times_modified(st)) < bound &&
	       nanoseconds(times_changed(st)) < bound;
}

/* The name of an entry: the file itself, whatever its path. */
static struct span
entry_name(const struct stat *st, uint64_t name[2])
{
	name[0] = (uint64_t)st->st_dev;
	name[1] = (uint64_t)st->st_ino;
	return (struct span){(const char *)name, 2 * sizeof(name[0])};
}

bool
hash_known(struct hasher *hasher, const struct stat *st, struct digest *hash)
{
	struct hashed_entry entry;
	uint64_t name[2];
	struct span value;

	if (!state_get(
		hasher->state, STATE_STAT, entry_name(st, name), &value) ||
	    value.n != sizeof(entry))
		return false;
	memcpy(&entry, value.p, sizeof(entry));
	if (entry.mtime != nanoseconds(times_modified(st)) ||
	    entry.ctime != nanoseconds(times_changed(st)) ||
	    entry.size != (uint64_t)st->st_size)
		return false;
	*hash = entry.hash;
	return true;
}

/* Put HASH into the state, if the file is settled.  It was read after BEGUN. */
static void
remember(struct hasher *hasher, const struct stat *st, int64_t begun,
    const struct digest *hash)
{
	struct hashed_entry entry = {nanoseconds(times_modified(st)),
	    nanoseconds(times_changed(st)), (uint64_t)st->st_size, *hash};
	uint64_t name[2];

	if (!hash_is_settled(st, begun))
		return;
	state_put(hasher->state, STATE_STAT, entry_name(st, name),
	    (struct span){(const char *)&entry, sizeof(entry)});
}

int64_t
hash_now(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return 0;
	return nanoseconds(&now);
}

/*
 * Hash all bytes of FD from its beginning.  False: see errno.  Reading stops
 * after EXPECTED bytes: if more came meanwhile, the file's facts show it.  A
 * file that claims to be empty is read nevertheless.
 */
static bool
read_bytes(struct hasher *hasher, int fd, uint64_t expected,
    struct digest *hash, uint64_t *size)
{
	struct digest_state state;
	ssize_t n;

	if (hasher->step == NULL)
		hasher->step = arena_alloc(hasher->arena, STEP_BYTES);
	digest_begin(&state);
	for (*size = 0;; *size += (uint64_t)n) {
		n = pread(fd, hasher->step, STEP_BYTES, (off_t)*size);
		if (n < 0 && errno == EINTR) {
			n = 0;
			continue;
		}
		if (n < 0)
			return false;
		if (n == 0)
			break;
		digest_add(&state, (struct span){hasher->step, (size_t)n});
		if (*size + (uint64_t)n == expected) {
			*size = expected;
			break;
		}
	}
	*hash = digest_end(&state);
	return true;
}

/*
 * Hash FD, again if it was changed while it was read.  A file whose size is
 * not the number of its bytes (procfs) may have other bytes for each reader,
 * and is not hashed.
 */
static enum hashed
read_still(struct hasher *hasher, int fd, struct digest *hash, struct stat *st)
{
	for (int i = 0; i < TRIES; i++) {
		int64_t begun = hash_now();
		struct stat after;
		uint64_t size;

		if (!read_bytes(hasher, fd, (uint64_t)st->st_size, hash,
			&size) ||
		    fstat(fd, &after) != 0)
			return HASHED_NOT;
		hasher->reads++;
		hasher->read_bytes += size;
		if (hash_same_facts(st, &after) &&
		    size == (uint64_t)after.st_size) {
			remember(hasher, &after, begun, hash);
			return HASHED;
		}
		*st = after;
	}
	errno = EBUSY;
	return HASHED_NOT;
}

/* Is the file of ST told without reading it?  Then *GOT says what it is. */
static bool
is_told(struct hasher *hasher, const struct stat *st, struct digest *hash,
    enum hashed *got)
{
	*got = HASHED_DIRECTORY;
	if (S_ISDIR(st->st_mode))
		return true;
	*got = HASHED;
	if (S_ISREG(st->st_mode))
		return hash_known(hasher, st, hash);
	*got = HASHED_NOT;
	errno = EINVAL;
	return true;
}

enum hashed
hash_open_file(
    struct hasher *hasher, int fd, struct digest *hash, struct stat *st)
{
	enum hashed got;

	if (fstat(fd, st) != 0)
		return HASHED_NOT;
	return is_told(hasher, st, hash, &got)
		   ? got
		   : read_still(hasher, fd, hash, st);
}

static enum hashed
hash_named(struct hasher *hasher, int at, const char *path,
    struct digest *hash, struct stat *st)
{
	enum hashed got;
	int fd;

	if (fstatat(at, path, st, 0) != 0)
		return errno == ENOENT || errno == ENOTDIR ? HASHED_ABSENT
							   : HASHED_NOT;
	if (is_told(hasher, st, hash, &got))
		return got;
	fd = openat(at, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return HASHED_NOT;
	got = hash_open_file(hasher, fd, hash, st);
	(void)close(fd);
	return got;
}

enum hashed
hash_file(struct hasher *hasher, int at, const char *path, struct digest *hash,
    struct stat *st)
{
	struct stat own;
	enum hashed got;

	if (st == NULL)
		st = &own;
	got = hash_named(hasher, at, path, hash, st);
	if (got == HASHED)
		still_file(hasher->still, st);
	return got;
}
