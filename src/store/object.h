/*
 * object.h -- what the store's files are called and how they are kept.
 */
#ifndef READCACHE_STORE_OBJECT_H
#define READCACHE_STORE_OBJECT_H

#include "base/digest.h"

enum {
	OBJECT_NAME = sizeof("sha256-.txt") + DIGEST_HEX, /* with its NUL */
	TEMP_DIGITS = 32 /* the name of a file in tmp, hexadecimal */
};

#define OBJECT_MODE 0600

/* How exactly an object's time of modification tells its last use. */
#define OBJECT_TOUCH_SECONDS (10 * 60)

#define OBJECT_MAX ((size_t)256 * 1024 * 1024)

/* "sha256-<64 hex>.txt". */
void object_name(const struct digest *hash, char name[OBJECT_NAME]);

/* False if NAME is no object's. */
bool object_parse(const char *name, struct digest *hash);

#endif
