/*
 * unit_dir.h -- a directory of its own for a test program.
 *
 * Handed to cmocka_run_group_tests: made before the first test, removed with
 * all it holds behind the last one, also if tests fail.
 */
#ifndef READCACHE_TESTS_UNIT_DIR_H
#define READCACHE_TESTS_UNIT_DIR_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char unit_base[256];

static inline int
unit_make_base(void **state)
{
	const char *where = getenv("TMPDIR");

	(void)state;
	(void)snprintf(unit_base, sizeof(unit_base), "%s/readcache-unit-XXXXXX",
	    where != NULL && where[0] == '/' ? where : "/tmp");
	return mkdtemp(unit_base) != NULL ? 0 : -1;
}

static inline int
unit_remove_one(const char *path, const struct stat *st, int kind,
    struct FTW *ftw)
{
	(void)st, (void)kind, (void)ftw;
	return remove(path);
}

static inline int
unit_remove_base(void **state)
{
	(void)state;
	return nftw(unit_base, unit_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The whole of main, for programs that need the directory. */
#define RUN_TESTS_IN_DIR(tests) \
	cmocka_run_group_tests(tests, unit_make_base, unit_remove_base)

/* <base>/NAME. */
static inline const char *
unit_path(struct arena *arena, const char *name)
{
	struct buf path = buf_new(arena, 0);

	buf_str(&path, unit_base);
	buf_char(&path, '/');
	buf_str(&path, name);
	return arena_cstr(arena, buf_span(&path));
}

static inline void
unit_write_file(const char *path, struct span bytes)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, file), bytes.n);
	assert_int_equal(fclose(file), 0);
}

#endif
