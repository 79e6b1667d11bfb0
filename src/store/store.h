/*
 * store.h -- old versions of files, by their hash (SPEC 11).
 *
 * The store supports answers and is never the truth.  Every failure is "not
 * there" or "not stored"; nothing here can make a read fail.
 *
 * An object's modification time is its last use, to ten minutes: when it was
 * stored, loaded, or stored again.  A read that is answered "unchanged" does
 * not look at the object, so it is not a use.  If gc (gc.h) removes the object
 * of a file that is often read and never changed, the file's first change is
 * answered with its text instead of a diff.
 */
#ifndef READCACHE_STORE_STORE_H
#define READCACHE_STORE_STORE_H

#include <stdint.h>
#include <time.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/mac.h"

/* Whose work is a store that may have come with a project (owner.h)? */
enum owner {
	OWNER_UNASKED = 0,
	OWNER_OURS,
	OWNER_STRANGE, /* not made by this user on this machine */
	OWNER_KEYLESS, /* there is no key to make it ours */
	OWNER_UNKNOWN  /* the system did not let us look: see errno */
};

/* Whose directory is the root of a store (dir_is_shared)? */
enum root_of { ROOT_UNASKED = 0, ROOT_STORE, ROOT_SHARED };

enum { STORE_ID_HEX = 32 };

struct fan;

/* A store for one request.  Its descriptors belong to the request's arena. */
struct store {
	struct arena *arena;
	struct span root; /* absolute and normalized */
	struct span cwd;  /* absolute, normalized; no links below it */
	int top, objects, tmp; /* directories; -1 until needed */
	enum root_of root_of;  /* as far as it was asked */
	struct span keys; /* directory of the user's key; "" if none */
	bool guarded;	  /* the user did not name it: owner.h */
	enum owner owner; /* as far as it was asked */
	char id[STORE_ID_HEX]; /* if it is ours */
	bool keyed;
	uint8_t key[MAC_KEY]; /* the user's key, if KEYED */
	bool unsynced; /* blobs have names, but maybe no bytes on disk */
	struct arena *scratch; /* see store_scratch; NULL until needed */
	struct fan *fan;       /* of objects/ (fan.h); NULL until needed */
};

/* The store at ROOT for a request made in CWD.  Nothing is opened yet. */
struct store store_at(struct arena *arena, struct span root, struct span cwd);

/*
 * Say that the user has not named STORE, so that a repository may have put it
 * there.  What the work cache finds in it is then believed only if the store
 * is ours (owner.h).
 */
void store_guard(struct store *store);

/*
 * An arena for what is needed only while one file is read or written, so that
 * a process which handles thousands of files does not keep all their texts.
 * Each call empties it: call it once, at the start of such a piece of work.
 */
struct arena *store_scratch(struct store *store);

/*
 * Get the bytes whose hash is HASH.  False if the store does not have them.
 * An object whose bytes have another hash counts as absent and is removed
 * (T3).
 */
bool store_get(struct store *store, const struct digest *hash,
    struct span *bytes);

enum stored {
	STORED_NOT = 0, /* it could not be stored */
	STORED_BEFORE,
	STORED_NOW
};

/* Store BYTES, whose hash is HASH. */
enum stored store_put(struct store *store, const struct digest *hash,
    struct span bytes);

struct store_stats {
	uint64_t objects, bytes;
	time_t oldest, newest; /* last uses; 0 if there is no object */
	uint64_t temps, temp_bytes; /* abandoned, or being written now */
	bool partial; /* some entries could not be seen */
};

/* Count objects and temporary files.  Nothing is changed. */
struct store_stats store_stat(struct store *store);

#endif
