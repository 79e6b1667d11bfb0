/*
 * verify.h -- is every object what its name says?  (T3)
 *
 * A read checks each object that it uses.  This check is for people who want
 * to know about all of them.
 */
#ifndef READCACHE_STORE_VERIFY_H
#define READCACHE_STORE_VERIFY_H

#include "store/store.h"

enum verify_want { VERIFY_TELL, VERIFY_REMOVE };

enum verify_damage {
	DAMAGE_HASH,       /* its bytes have another hash */
	DAMAGE_TOO_LARGE,  /* larger than any store makes them */
	DAMAGE_NO_FILE,    /* a link, a directory or a device */
	DAMAGE_UNREADABLE, /* it may be good, so it is not removed */
};

struct verify_found {
	struct verify_found *next;
	struct digest hash; /* as its name says */
	enum verify_damage damage;
	bool removed;
};

struct verify_result {
	uint64_t objects, bytes; /* that were checked */
	uint64_t damaged;
	struct verify_found *found;
	bool partial; /* some could not be seen */
};

/*
 * Check all objects.  With VERIFY_REMOVE damaged ones are removed, except
 * those that cannot be read.  The list of found ones is in the store's arena.
 */
struct verify_result verify_run(struct store *store, enum verify_want want);

/* What is wrong: "its bytes have another hash", and so on. */
const char *verify_damage_text(enum verify_damage damage);

#endif
