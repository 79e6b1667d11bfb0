/*
 * key.h -- what a piece of work depends on, as one name of 256 bits.
 *
 * A key is made of parts, each a name and a value of any bytes.  Every piece
 * is preceded by its length, so that no value can look like the next part.
 * The domain ("phase", "stage") and its version come first, so that two kinds
 * of work never share a key.  The order of parts counts: callers sort what has
 * no order.  An optional part that is missing is left out, not added empty:
 * absent and empty give different keys.
 *
 *	struct key key;
 *	key_begin(&key, "stage", 1);
 *	key_add(&key, "cwd", cwd);
 *	key_add_digest(&key, "dep", &hash);
 *	digest = key_end(&key);
 *
 * Any change of what goes in, or how, needs a new version.  Old records are
 * then not found, as it should be.
 */
#ifndef READCACHE_WORK_KEY_KEY_H
#define READCACHE_WORK_KEY_KEY_H

#include <stdint.h>

#include "base/digest.h"

struct key {
	struct digest_state state;
};

/* Begin a key of DOMAIN.  Keys of different versions never meet. */
void key_begin(struct key *key, const char *domain, uint64_t version);

/* Add a part to KEY: its name and its value. */
void key_add(struct key *key, const char *name, struct span value);
void key_add_digest(
    struct key *key, const char *name, const struct digest *value);
void key_add_number(struct key *key, const char *name, uint64_t value);

/* The finished key. */
struct digest key_end(struct key *key);

#endif
