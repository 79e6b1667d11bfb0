/*
 * verify.h -- is every object what its name says? (T3)
 *
 * A read finds that out by itself for every object it needs; this is for
 * people who want to know.
 */
#ifndef READCACHE_STORE_VERIFY_H
#define READCACHE_STORE_VERIFY_H

#include "store/store.h"

enum verify_want { VERIFY_TELL, VERIFY_REMOVE };

enum verify_damage {
	DAMAGE_HASH,       /* its bytes have another hash */
	DAMAGE_TOO_LARGE,  /* no store has made it */
	DAMAGE_NO_FILE,    /* a link, a directory, a device */
	DAMAGE_UNREADABLE, /* nobody knows what it is; left alone */
};

struct verify_found {
	struct verify_found *next;
	struct digest hash; /* that it claims to have */
	enum verify_damage damage;
	bool removed;
};

struct verify_result {
	uint64_t objects, bytes; /* that were looked at */
	uint64_t damaged;
	struct verify_found *found;
	bool partial; /* there may be more, which could not be looked at */
};

struct verify_result verify_run(struct store *store, enum verify_want want);

/* "its bytes have another hash", and so on. */
const char *verify_damage_text(enum verify_damage damage);

#endif
