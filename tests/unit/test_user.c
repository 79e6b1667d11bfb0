#include "unit.h"

#include <pthread.h>

#include "os/user.h"

/* The sixth field of the line with our number, as awk finds it. */
static void
it_is_the_one_of_the_users_list(struct arena *arena)
{
	char want[4096] = "";
	FILE *told =
	    popen("awk -F: -v me=$(id -u) '$3 == me { print $6; exit }' "
		  "/etc/passwd",
		"r");

	(void)arena;
	assert_non_null(told);
	if (fgets(want, sizeof(want), told) == NULL)
		want[0] = '\0';
	(void)pclose(told);
	want[strcspn(want, "\n")] = '\0';
	if (want[0] == '\0')
		assert_null(user_home());
	else
		assert_string_equal(user_home(), want);
}

static void *
ask(void *context)
{
	*(const char **)context = user_home();
	return NULL;
}

/* What one thread was told is not where another one is told it. */
static void
threads_do_not_share_it(struct arena *arena)
{
	const char *here = user_home(), *there = NULL;
	pthread_t thread;

	(void)arena;
	if (here == NULL)
		return;
	assert_int_equal(pthread_create(&thread, NULL, ask, &there), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_non_null(there);
	assert_ptr_not_equal(here, there);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(it_is_the_one_of_the_users_list),
	    TEST(threads_do_not_share_it),
	};

	return RUN_TESTS(tests);
}
