#include "work/blob/blob.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/copy.h"
#include "base/slurp.h"
#include "os/sync.h"
#include "store/fan.h"
#include "store/file.h"
#include "store/place.h"

/*
 * The largest manifest that is read: enough for a million files of long names.
 */
#define MANIFEST_MAX ((size_t)512 * 1024 * 1024)

void
blob_name(const struct digest *hash, char name[BLOB_NAME])
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hash, hex);
	(void)snprintf(name, BLOB_NAME, "%.2s/%s", hex, hex + 2);
}

bool
blob_of_target(
    const struct store *store, struct span target, struct digest *hash)
{
	char hex[DIGEST_HEX];

	if (!span_starts(target, store->root))
		return false;
	target = span_from(target, store->root.n);
	if (!span_starts(target, SPAN("/objects/")))
		return false;
	target = span_from(target, sizeof("/objects/") - 1);
	/* All of it: "objects/../.." leads anywhere. */
	if (target.n != BLOB_NAME - 1 || target.p[2] != '/')
		return false;
	memcpy(hex, target.p, 2);
	memcpy(hex + 2, target.p + 3, DIGEST_HEX - 2);
	return digest_parse((struct span){hex, DIGEST_HEX}, hash);
}

struct blobs
blobs_in(struct store *store, struct hasher *hasher, enum dir_want want)
{
	return (struct blobs){.store = store,
	    .hasher = hasher,
	    .objects = dir_open(store, "objects", want),
	    .us = geteuid()};
}

bool
blob_find(struct blobs *blobs, const struct digest *hash, enum dir_want want,
    struct blob_place *place)
{
	char hex[DIGEST_HEX + 1];

	errno = ENOENT;
	if (blobs->objects < 0)
		return false;
	digest_hex(hash, hex);
	(void)snprintf(place->name, BLOB_LEAF, "%s", hex + 2);
	place->dir = fan_open(blobs->store, blobs->objects, hash, want);
	return place->dir >= 0;
}

bool
blob_is_plain(const struct blobs *blobs, const struct stat *st)
{
	return st->st_uid == blobs->us && st->st_mode == (S_IFREG | BLOB_MODE);
}

/* Copy the blob in PLACE to TO, which is to be one. */
static bool
copy_blob(const struct blobs *blobs, const struct blob_place *place, int to,
    const struct digest *hash)
{
	int from = file_open(place->dir, place->name);
	struct digest actual;
	struct stat st;
	bool done;

	if (from < 0)
		return false;
	/* Where files have no modes of their own, a copy is no better. */
	done = fstat(to, &st) == 0 && blob_is_plain(blobs, &st) &&
	       fstat(from, &st) == 0 && S_ISREG(st.st_mode) &&
	       copy_and_hash(from, to, &actual) && digest_eq(&actual, hash) &&
	       sync_file(to);
	(void)close(from);
	return done;
}

bool
blob_renew(struct blobs *blobs, const struct digest *hash)
{
	struct store *store = blobs->store;
	struct blob_place place;
	char temp[TEMP_NAME];
	bool done;
	int to;

	if (!blob_find(blobs, hash, DIR_LOOK, &place))
		return false;
	to = place_temp(store, temp, BLOB_MODE);
	if (to < 0)
		return false;
	done = copy_blob(blobs, &place, to, hash);
	done = close(to) == 0 && done &&
	       renameat(store->tmp, temp, place.dir, place.name) == 0;
	if (!done)
		(void)unlinkat(store->tmp, temp, 0);
	return done;
}

/*
 * Move a damaged blob to tmp/: somebody may want to look at it before gc does.
 */
static void
quarantine(struct blobs *blobs, const struct blob_place *place)
{
	char temp[TEMP_NAME];
	int fd = place_temp(blobs->store, temp, BLOB_MODE);

	if (fd < 0)
		return;
	(void)close(fd);
	/* Nobody else has the name; a directory cannot replace a file. */
	(void)unlinkat(blobs->store->tmp, temp, 0);
	(void)renameat(place->dir, place->name, blobs->store->tmp, temp);
}

/*
 * A file of which so little is on the disk, for its size, that it was not
 * written by a program: hashing what is not there could take hours.  Some file
 * systems compress files, so a good deal may be missing.
 */
#define HOLLOW_MIN ((uint64_t)1024 * 1024 * 1024)
enum { HOLLOW_TIMES = 64, BLOCK_BYTES = 512 };

static bool
is_hollow(const struct stat *st)
{
	uint64_t size = (uint64_t)st->st_size,
		 there = (uint64_t)st->st_blocks * BLOCK_BYTES;

	return size > HOLLOW_MIN && there < size / HOLLOW_TIMES;
}

/*
 * The hash of the blob FD.  If the blob will be linked, the hash is not put
 * into the state: the link changes the file's facts, so it would never be
 * found.
 */
static enum hashed
hash_blob(struct blobs *blobs, int fd, uint64_t size, struct digest *hash)
{
	struct hasher forgetful = *blobs->hasher;
	enum hashed got;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return HASHED_NOT;
	/* No need to read a file that is not as large as the blob. */
	if (size == BLOB_ANY_SIZE ? is_hollow(&st)
				  : (uint64_t)st.st_size != size)
		return HASHED_NOT;
	if (!blobs->linked)
		return hash_open_file(blobs->hasher, fd, hash, &st);
	if (hash_known(blobs->hasher, &st, hash))
		return HASHED;
	forgetful.state = NULL;
	got = hash_open_file(&forgetful, fd, hash, &st);
	forgetful.state = blobs->hasher->state;
	*blobs->hasher = forgetful;
	return got;
}

static enum blob_state
judge(struct blobs *blobs, const struct blob_place *place,
    const struct digest *hash, uint64_t size)
{
	struct digest actual;
	enum hashed got;
	int fd;

	/*
	 * Opened without a stat before: a link has changed its facts, as a
	 * rule.
	 */
	fd = file_open(place->dir, place->name);
	if (fd < 0)
		return errno == ENOENT ? BLOB_MISSING : BLOB_DAMAGED;
	got = hash_blob(blobs, fd, size, &actual);
	(void)close(fd);
	return got == HASHED && digest_eq(&actual, hash) ? BLOB_GOOD
							 : BLOB_DAMAGED;
}

enum blob_state
blob_check(struct blobs *blobs, const struct digest *hash, uint64_t size,
    enum blob_use use)
{
	struct blob_place place;
	enum blob_state state;

	if (!blob_find(blobs, hash, DIR_LOOK, &place))
		return BLOB_MISSING;
	state = judge(blobs, &place, hash, size);
	if (state == BLOB_DAMAGED && use == BLOB_USE)
		quarantine(blobs, &place);
	return state;
}

/* Read the manifest of the tree HASH, whose blob was checked. */
static bool
read_manifest(
    struct blobs *blobs, const struct digest *hash, struct manifest *manifest)
{
	struct arena *arena = blobs->hasher->arena;
	struct blob_place place;
	struct span text;
	enum slurp got;
	int fd;

	if (!blob_find(blobs, hash, DIR_LOOK, &place))
		return false;
	fd = file_open(place.dir, place.name);
	if (fd < 0)
		return false;
	arena_own_fd(arena, fd);
	got = slurp(arena, fd, MANIFEST_MAX, &text);
	arena_close_fd(arena, fd);
	return got == SLURP_OK && manifest_parse(arena, text, manifest);
}

enum blob_state
blob_check_content(struct blobs *blobs, const struct content *content,
    enum blob_use use, struct manifest *manifest)
{
	enum blob_state state;

	*manifest = (struct manifest){0};
	if (content->kind == CONTENT_ABSENT)
		return BLOB_GOOD;
	state = blob_check(blobs, &content->hash, BLOB_ANY_SIZE, use);
	if (state != BLOB_GOOD || content->kind != CONTENT_TREE)
		return state;
	if (!read_manifest(blobs, &content->hash, manifest))
		return BLOB_DAMAGED;
	for (size_t i = 0; i < manifest->n && state == BLOB_GOOD; i++)
		state = blob_check(blobs, &manifest->files[i].hash,
		    manifest->files[i].size, use);
	return state;
}
