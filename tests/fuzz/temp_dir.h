/*
 * temp_dir.h -- a directory of the test's own, which is gone when it ends.
 */
#ifndef READCACHE_TESTS_TEMP_DIR_H
#define READCACHE_TESTS_TEMP_DIR_H

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static char dir[] = "/tmp/readcache-fuzz-XXXXXX";

int LLVMFuzzerInitialize(int *argc, char ***argv);

static inline int
temp_remove_one(
    const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static inline void
temp_remove(void)
{
	(void)nftw(dir, temp_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Make DIR; 0 if it will be removed at the end. */
static inline int
temp_make(void)
{
	EXPECT(mkdtemp(dir) != NULL);
	return atexit(temp_remove);
}

static inline const char *
temp_path(const char *name)
{
	static char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static inline void
temp_file(const char *name, struct span text)
{
	FILE *file = fopen(temp_path(name), "w");

	EXPECT(file != NULL);
	EXPECT(fwrite(text.p, 1, text.n, file) == text.n);
	EXPECT(fclose(file) == 0);
}

static inline void
temp_link(const char *name, const char *target)
{
	EXPECT(symlink(target, temp_path(name)) == 0);
}

static inline void
temp_dir(const char *name)
{
	EXPECT(mkdir(temp_path(name), 0700) == 0);
}

#endif
