/* Nobody waits for a process that was stopped: the database is left alone. */
#include "unit_state.h"

#include <lmdb.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* What LMDB had allocated when it was left in the middle is lost. */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* Far more than the second that is allowed, and less than for ever. */
enum { TOO_LONG = 30 };

static void
put_one(struct store *store, const char *name, bool written)
{
	struct state *state = state_open(store, DIR_MAKE);

	assert_non_null(state);
	state_put(state, STATE_STAT, span_str(name), SPAN("value"));
	assert_int_equal(state_flush(state), written);
	state_close(state);
}

static bool
has(struct store *store, const char *name)
{
	struct state *state = state_open(store, DIR_USE);
	struct span value;
	bool got = state_get(state, STATE_STAT, span_str(name), &value);

	state_close(state);
	return got;
}

/* A process that does HOLD(PATH), says so, and then nothing until it ends. */
static pid_t
start_holder(void (*hold)(const char *path), const char *path)
{
	int ready[2];
	pid_t holder;
	char byte;

	assert_int_equal(pipe(ready), 0);
	holder = fork();
	if (holder == 0) {
		hold(path);
		(void)!write(ready[1], "x", 1);
		for (;;)
			(void)pause();
	}
	assert_int_equal(close(ready[1]), 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(close(ready[0]), 0);
	return holder;
}

static void
end_holder(pid_t holder)
{
	assert_int_equal(kill(holder, SIGKILL), 0);
	assert_int_equal(waitpid(holder, NULL, 0), holder);
}

/* As one that was stopped in the middle of a flush. */
static void
hold_turn(const char *path)
{
	MDB_env *env;
	MDB_txn *txn;

	if (mdb_env_create(&env) != 0 ||
	    mdb_env_open(env, path, MDB_NOSUBDIR, 0600) != 0 ||
	    mdb_txn_begin(env, NULL, 0, &txn) != 0)
		_exit(1);
}

static void
h2_a_stopped_writer(struct arena *arena)
{
	struct store store = unit_store(arena, "writer");
	time_t begun = time(NULL);
	struct state *state;
	pid_t holder;

	put_one(&store, "before", true);
	holder = start_holder(hold_turn, unit_in_home(&store, HOME_DATA));
	put_one(&store, "meanwhile", false);
	/* A workflow flushes after each of its nodes, and waits only once. */
	state = state_open(&store, DIR_MAKE);
	for (int i = 0; i < 2 * TOO_LONG; i++) {
		state_put(state, STATE_STAT, SPAN("again"), SPAN("value"));
		assert_false(state_flush(state));
	}
	state_close(state);
	assert_true(time(NULL) - begun < TOO_LONG);
	/* It is not damaged, so what was there is still there. */
	assert_true(has(&store, "before"));
	assert_false(has(&store, "meanwhile"));
	end_holder(holder);
	put_one(&store, "after", true);
	assert_true(has(&store, "before"));
	assert_true(has(&store, "after"));
}

/* As one that was stopped while it opened the database. */
static void
hold_lock(const char *path)
{
	struct flock lock = {
	    .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	int fd = open(path, O_RDWR);

	if (fd < 0 || fcntl(fd, F_SETLK, &lock) != 0)
		_exit(1);
}

static void
h2_a_stopped_opener(struct arena *arena)
{
	struct store store = unit_store(arena, "opener");
	struct sigaction before, now;
	time_t begun = time(NULL);
	pid_t holder;

	put_one(&store, "before", true);
	assert_int_equal(sigaction(SIGALRM, NULL, &before), 0);
	holder = start_holder(hold_lock, unit_in_home(&store, HOME_LOCK));
	assert_null(state_open(&store, DIR_MAKE));
	assert_true(time(NULL) - begun < TOO_LONG);
	end_holder(holder);
	assert_true(has(&store, "before"));
	/* Nothing is left of the clock. */
	assert_int_equal(alarm(0), 0);
	assert_int_equal(sigaction(SIGALRM, NULL, &now), 0);
	assert_true(now.sa_handler == before.sa_handler);
}

/* A clock that somebody else has set goes on. */
static void
h2_the_clock_of_another(struct arena *arena)
{
	struct store store = unit_store(arena, "clock");

	assert_int_equal(alarm(1000), 0);
	put_one(&store, "a", true);
	assert_true(alarm(0) > 900);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(h2_a_stopped_writer),
	    TEST(h2_a_stopped_opener),
	    TEST(h2_the_clock_of_another),
	};

	return RUN_TESTS_IN_DIR(tests);
}
