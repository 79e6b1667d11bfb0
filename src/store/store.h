/*
 * store.h -- old versions of files, by their hash (SPEC 11).
 *
 * Supporting data, never truth.  Every failure is "not there" or "not
 * stored"; nothing here can fail a read.
 *
 * An object's time of modification is that of its last use, to ten minutes:
 * being stored, loaded, or stored again.  A read that is answered "unchanged"
 * does not look at the object, so it does not count as a use; if gc (gc.h)
 * takes the object of a file that is only read and never changed, its first
 * change is answered with the text instead of a diff.
 */
#ifndef READCACHE_STORE_STORE_H
#define READCACHE_STORE_STORE_H

#include <stdint.h>
#include <time.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/mac.h"

/* Whose a store is that somebody else may have put there (owner.h). */
enum owner {
	OWNER_UNASKED = 0,
	OWNER_OURS,
	OWNER_STRANGE, /* not made by this user on this machine */
	OWNER_KEYLESS, /* there is no key to make it ours by */
	OWNER_UNKNOWN  /* the system did not let us look: errno tells */
};

enum { STORE_ID_HEX = 32 };

/* Valid for one request; its descriptors belong to the request's arena. */
struct store {
	struct arena *arena;
	struct span root; /* absolute and normalized */
	struct span cwd;  /* the same; below it no link is followed */
	int top, objects, tmp; /* its directories; -1 until they are needed */
	struct span keys; /* where the user's key is; empty: nowhere */
	bool guarded;	  /* nobody has named it: it must prove to be ours */
	enum owner owner; /* whether it did */
	char id[STORE_ID_HEX]; /* its number, if it did */
	bool keyed;
	uint8_t key[MAC_KEY]; /* the user's, if KEYED */
	bool unsynced; /* blobs have names, but perhaps no bytes on disk yet */
	struct arena *scratch; /* see store_scratch; NULL until it is needed */
};

/* The store at ROOT for a request made in CWD.  Nothing is opened yet. */
struct store store_at(struct arena *arena, struct span root, struct span cwd);

/*
 * The user has not named STORE: it lies where a repository may have put it.
 * What the work cache finds in it is believed only if it is ours (owner.h).
 */
void store_guard(struct store *store);

/*
 * Room for what is dropped as soon as a file was read or written, so that a
 * process which handles thousands of them does not grow by all their texts.
 * What it gave before is gone: each asks for it once, at the start.
 */
struct arena *store_scratch(struct store *store);

/*
 * The bytes whose hash is HASH.  False if they are not there.  Bytes with
 * another hash are not there either, and are removed (T3).
 */
bool store_get(struct store *store, const struct digest *hash,
    struct span *bytes);

enum stored {
	STORED_NOT = 0, /* it was not possible */
	STORED_BEFORE,
	STORED_NOW
};

/* Keep BYTES, whose hash is HASH. */
enum stored store_put(struct store *store, const struct digest *hash,
    struct span bytes);

struct store_stats {
	uint64_t objects, bytes;
	time_t oldest, newest; /* last use; 0 if there is no object */
	uint64_t temps, temp_bytes; /* left behind, or being written now */
	bool partial; /* there may be more, which could not be seen */
};

struct store_stats store_stat(struct store *store);

#endif
