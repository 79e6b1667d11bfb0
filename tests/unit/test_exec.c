/* Running commands: streams, endings, several at once. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "unit.h"
#include "work/exec/exec.h"

static struct exec_command
shell(struct arena *arena, const char *text)
{
	return (struct exec_command){
	    .argv = exec_shell(arena, span_str(text)),
	    .argc = 3,
	    .cwd = SPAN("/"),
	};
}

static struct exec_child *
start(struct arena *arena, const char *text)
{
	struct exec_command command = shell(arena, text);
	int failure;
	struct exec_child *child = exec_start(arena, &command, &failure);

	assert_non_null(child);
	return child;
}

static struct exec_child *
run(struct arena *arena, const char *text)
{
	struct exec_child *child = start(arena, text);

	assert_ptr_equal(exec_wait(&child, 1, -1), child);
	assert_null(exec_wait(&child, 1, -1));
	return child;
}

static struct span
heard(struct exec_child *child, enum said_stream stream)
{
	return buf_span(&exec_said(child)->text[stream]);
}

static void
streams_and_status_are_kept(struct arena *arena)
{
	struct exec_child *child =
	    run(arena, "printf 'a\\000b'; printf oops >&2; pwd; exit 7");

	assert_int_equal(exec_status(child), 7);
	ASSERT_SPAN(heard(child, SAID_OUT), SPAN("a\0b/\n"));
	ASSERT_TEXT(heard(child, SAID_ERR), "oops");
}

static void
a_signal_counts_from_128(struct arena *arena)
{
	assert_int_equal(exec_status(run(arena, "kill -KILL $$")), 137);
	assert_int_equal(exec_status(run(arena, "kill -TERM $$")), 143);
}

static void
input_is_what_was_given_or_nothing(struct arena *arena)
{
	struct exec_command command = shell(arena, "cat");
	struct exec_child *child;
	int failure;

	command.input = unit_repeat(arena, SPAN("0123456789abcdef"), 1 << 16);
	child = exec_start(arena, &command, &failure);
	assert_ptr_equal(exec_wait(&child, 1, -1), child);
	ASSERT_SPAN(heard(child, SAID_OUT), command.input);
	ASSERT_TEXT(heard(run(arena, "cat; echo end"), SAID_OUT), "end\n");
}

static void
what_cannot_be_started_says_why(struct arena *arena)
{
	struct span missing[] = {SPAN("/nowhere/at-all")};
	struct span data[] = {SPAN("/etc/passwd")};
	struct exec_command command = {
	    .argv = missing, .argc = 1, .cwd = SPAN("/")};
	int failure = 0;

	assert_null(exec_start(arena, &command, &failure));
	assert_int_equal(failure, EXEC_NOT_FOUND);
	assert_int_equal(errno, ENOENT);
	command.argv = data;
	assert_null(exec_start(arena, &command, &failure));
	assert_int_equal(failure, EXEC_CANNOT);
	command = shell(arena, "true");
	command.cwd = SPAN("/nowhere/at-all");
	assert_null(exec_start(arena, &command, &failure));
	assert_int_equal(failure, EXEC_OURSELVES);
}

static void
who_is_left_behind_is_waited_for(struct arena *arena)
{
	ASSERT_TEXT(
	    heard(run(arena, "(sleep 0.2; echo late) & echo early"), SAID_OUT),
	    "early\nlate\n");
}

static void
closed_streams_are_not_the_end(struct arena *arena)
{
	struct exec_child *child =
	    run(arena, "exec >&- 2>&-; sleep 0.2; exit 3");

	assert_int_equal(exec_status(child), 3);
}

static void
several_end_in_their_own_order(struct arena *arena)
{
	char go[] = "/tmp/readcache-exec-XXXXXX", command[128];
	int made = mkstemp(go);
	struct exec_child *children[3] = {NULL}, *first, *second;

	/* The slow one goes on when the file is gone. */
	assert_true(made >= 0);
	(void)snprintf(command, sizeof(command),
	    "while [ -e %s ]; do sleep 0.02; done; echo slow", go);
	children[0] = start(arena, command);
	children[2] = start(arena, "echo quick");
	first = exec_wait(children, 3, -1);
	(void)unlink(go);
	(void)close(made);
	second = exec_wait(children, 3, -1);

	assert_ptr_equal(first, children[2]);
	assert_ptr_equal(second, children[0]);
	assert_null(exec_wait(children, 3, -1));
	ASSERT_TEXT(heard(children[0], SAID_OUT), "slow\n");
	ASSERT_TEXT(heard(children[2], SAID_OUT), "quick\n");
}

static void
a_wait_may_end_before_the_child(struct arena *arena)
{
	struct exec_child *child = start(arena, "exec sleep 60");

	assert_null(exec_wait(&child, 1, 1));
	exec_stop(child);
	assert_ptr_equal(exec_wait(&child, 1, -1), child);
	assert_int_equal(exec_status(child), 128 + SIGTERM);
}

static void
a_signal_to_us_is_handed_on(struct arena *arena)
{
	struct exec_child *child =
	    start(arena, "trap 'echo got it; exit 5' TERM; kill -TERM $PPID; "
			 "while :; do sleep 0.05; done");

	assert_ptr_equal(exec_wait(&child, 1, -1), child);
	assert_int_equal(exec_status(child), 5);
	ASSERT_TEXT(heard(child, SAID_OUT), "got it\n");
	assert_int_equal(exec_interrupted(), SIGTERM);
}

static void
what_cannot_be_passed_on_is_told(struct arena *arena)
{
	struct exec_command command = shell(arena, "echo hello");
	int out = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
	struct exec_child *child;
	int failure;

	command.echo = EXEC_ECHO;
	(void)fflush(stdout);
	assert_true(dup2(full, STDOUT_FILENO) >= 0);
	child = exec_start(arena, &command, &failure);
	assert_ptr_equal(exec_wait(&child, 1, -1), child);
	assert_true(dup2(out, STDOUT_FILENO) >= 0);
	(void)close(out);
	(void)close(full);
	assert_false(exec_heard(child));
	assert_int_equal(exec_status(child), 0);
	ASSERT_TEXT(heard(child, SAID_OUT), "hello\n");
	assert_true(exec_heard(run(arena, "echo hello")));
}

static void
children_get_nothing_of_each_other(struct arena *arena)
{
	const char *count = "ls /proc/self/fd | wc -l";
	struct span alone = heard(run(arena, count), SAID_OUT);
	struct exec_child *other = start(arena, "exec sleep 60");

	ASSERT_SPAN(heard(run(arena, count), SAID_OUT), alone);
	exec_stop(other);
	assert_ptr_equal(exec_wait(&other, 1, -1), other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(streams_and_status_are_kept),
	    TEST(a_signal_counts_from_128),
	    TEST(input_is_what_was_given_or_nothing),
	    TEST(what_cannot_be_started_says_why),
	    TEST(who_is_left_behind_is_waited_for),
	    TEST(closed_streams_are_not_the_end),
	    TEST(several_end_in_their_own_order),
	    TEST(a_wait_may_end_before_the_child),
	    TEST(a_signal_to_us_is_handed_on),
	    TEST(what_cannot_be_passed_on_is_told),
	    TEST(children_get_nothing_of_each_other),
	};

	return RUN_TESTS(tests);
}
