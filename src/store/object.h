/*
 * object.h -- the names and properties of the store's files.
 */
#ifndef READCACHE_STORE_OBJECT_H
#define READCACHE_STORE_OBJECT_H

#include "base/digest.h"

enum {
	OBJECT_NAME = sizeof("sha256-.txt") + DIGEST_HEX, /* with its NUL */
	TEMP_DIGITS = 32 /* hexadecimal digits in the name of a file in tmp/ */
};

#define OBJECT_MODE 0600

/*
 * An object's modification time is its last use, at most this much too early.
 */
#define OBJECT_TOUCH_SECONDS (10 * 60)

#define OBJECT_MAX ((size_t)256 * 1024 * 1024)

/* Write the name of the object HASH: "sha256-<64 hex>.txt". */
void object_name(const struct digest *hash, char name[OBJECT_NAME]);

/* The hash that NAME has in it; false if NAME is not an object's name. */
bool object_parse(const char *name, struct digest *hash);

#endif
