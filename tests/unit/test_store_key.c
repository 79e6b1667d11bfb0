/* The user's secret: whose it is, and what may stand in its place. */
#include "unit_dir.h"

#include <dlfcn.h>

#include "store/key.h"

static uint8_t first[MAC_KEY];
static const char *rival; /* somebody writes a key here before our link */

int
linkat(int from, const char *name, int to, const char *other, int flags)
{
	int (*real)(int, const char *, int, const char *, int);

	*(void **)&real = dlsym(RTLD_NEXT, "linkat");
	if (rival != NULL) {
		unit_write_file(rival, (struct span){(char *)first, MAC_KEY});
		assert_int_equal(chmod(rival, 0600), 0);
	}
	return real(from, name, to, other, flags);
}

static bool
get(struct arena *arena, const char *dir, enum key_want want,
    uint8_t key[MAC_KEY])
{
	errno = 0;
	return key_get(arena, span_str(dir), want, key);
}

static void
looking_makes_nothing(struct arena *arena)
{
	const char *dir = unit_path(arena, "none");
	uint8_t key[MAC_KEY];

	assert_false(get(arena, dir, KEY_LOOK, key));
	assert_int_equal(errno, ENOENT);
	assert_int_not_equal(access(dir, F_OK), 0);
	errno = 0;
	assert_false(
	    key_get(arena, (struct span){NULL, 0}, KEY_MAKE, key));
	assert_int_equal(errno, ENOENT);
}

static void
what_was_made_is_found(struct arena *arena)
{
	const char *dir = unit_path(arena, "a/b/c");
	uint8_t made[MAC_KEY], found[MAC_KEY];

	assert_true(get(arena, dir, KEY_MAKE, made));
	assert_true(get(arena, dir, KEY_LOOK, found));
	assert_memory_equal(made, found, MAC_KEY);
	assert_true(get(arena, dir, KEY_MAKE, found));
	assert_memory_equal(made, found, MAC_KEY);
}

/* Of several processes the first one's key counts. */
static void
a_race_has_one_winner(struct arena *arena)
{
	const char *dir = unit_path(arena, "race");
	uint8_t found[MAC_KEY];

	memset(first, 7, sizeof(first));
	assert_int_equal(mkdir(dir, 0700), 0);
	rival = unit_path(arena, "race/key");
	assert_true(get(arena, dir, KEY_MAKE, found));
	rival = NULL;
	assert_memory_equal(found, first, MAC_KEY);
}

/* What cannot be the user's alone is refused, and is not replaced. */
static void
what_is_no_key(struct arena *arena)
{
	const char *dir = unit_path(arena, "bad");
	const char *file = unit_path(arena, "bad/key");
	const char *real = unit_path(arena, "bad/real");
	uint8_t key[MAC_KEY];

	assert_true(get(arena, dir, KEY_MAKE, key));
	assert_int_equal(rename(file, real), 0);
	assert_int_equal(symlink("real", file), 0);
	assert_false(get(arena, dir, KEY_MAKE, key));
	assert_int_equal(errno, EPERM);
	assert_int_equal(unlink(file), 0);
	unit_write_file(file, SPAN("short"));
	assert_false(get(arena, dir, KEY_MAKE, key));
	assert_int_equal(errno, EPERM);
	if (geteuid() != 0)
		return; /* only root can give things away */
	assert_int_equal(rename(real, file), 0);
	assert_true(get(arena, dir, KEY_LOOK, key));
	assert_int_equal(chown(file, 12345, 12345), 0);
	assert_false(get(arena, dir, KEY_MAKE, key));
	assert_int_equal(errno, EPERM);
}

/* Nothing can be made there; and no other descriptor is taken for it. */
static void
a_place_that_cannot_be_made(struct arena *arena)
{
	uint8_t key[MAC_KEY];

	assert_int_equal(dup2(open("/dev/null", O_RDONLY), 0), 0);
	assert_false(get(arena, "/proc/no/such/place", KEY_MAKE, key));
	assert_true(fcntl(0, F_GETFD) >= 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(looking_makes_nothing),
	    TEST(what_was_made_is_found),
	    TEST(a_race_has_one_winner),
	    TEST(what_is_no_key),
	    TEST(a_place_that_cannot_be_made),
	};

	return RUN_TESTS_IN_DIR(tests);
}
