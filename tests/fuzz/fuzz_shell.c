/*
 * Values in a shell's text, as real shells read it.  The input chooses pieces
 * of a script, from a table in which nothing can do harm; "${n.a}" is one of
 * them.  Where the value is not refused:
 *  - a harmless value gives what the same word gives when it is written there;
 *  - a value full of quotes gives the same, with that value in its place.
 * So it is never looked at as a part of the program, and it never gets lost.
 *
 * The first byte chooses the shell.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work/workflow/template.h"

#define PLAIN SPAN("-1a")
#define NASTY SPAN("-'\";$x)`}\\{&|<#(")

/*
 * No external command is found.  Of the functions p notes its words, and r a
 * line of its input.
 */
#define PROLOGUE                                                               \
	"PATH=/nonexistent; set -f; "                                          \
	"p() { printf '<%s>' \"$@\" >&3; printf '<%s>' \"$@\"; }; "            \
	"r() { IFS= read -r y; printf '(%s)' \"$y\" >&3; }; "

enum { PIECES_MAX = 40, ANSWER_MAX = 64 * 1024 };

static const char pieces[][8] = {"${n.a}", "'", "\"", "\\", "$", "$(", ")", "`",
    "${x:-", "}", " ", "\n", "<<E\n", "<<'E'\n", "<<-E\n", "\nE\n", "E", "#",
    "p ", ":", ";", "fi", "x=", "case ", " in ", ";;", "esac", "$((", "))", "$'",
    "${n.a}", "p '", "p \"", "\tE\n", "<<<", "if ", "then ", "r ", "r <<E\n"};

static const char *const shells[] = {"/bin/dash", "/bin/bash"};

/* ---- running ---- */

struct answer {
	size_t n;
	char text[ANSWER_MAX];
};

static pid_t
start(const char *shell, const struct span *words, size_t n,
    struct arena *arena, int notes)
{
	char **argv = arena_array(arena, n + 2, sizeof(*argv));
	char *environment[] = {(char[]){"LC_ALL=C"}, NULL};
	posix_spawn_file_actions_t actions;
	size_t argc = 0;
	pid_t pid;

	argv[argc++] = arena_cstr(arena, span_str(shell));
	for (size_t i = 1; i < n; i++)
		argv[argc++] = arena_cstr(arena, words[i]);
	EXPECT(posix_spawn_file_actions_init(&actions) == 0);
	EXPECT(posix_spawn_file_actions_addopen(
		   &actions, 0, "/dev/null", O_RDONLY, 0) == 0);
	EXPECT(posix_spawn_file_actions_addopen(
		   &actions, 1, "/dev/null", O_WRONLY, 0) == 0);
	EXPECT(posix_spawn_file_actions_addopen(
		   &actions, 2, "/dev/null", O_WRONLY, 0) == 0);
	EXPECT(posix_spawn_file_actions_adddup2(&actions, notes, 3) == 0);
	EXPECT(
	    posix_spawn(&pid, shell, &actions, NULL, argv, environment) == 0);
	EXPECT(posix_spawn_file_actions_destroy(&actions) == 0);
	return pid;
}

/* What p and r noted when WORDS were run. */
static struct answer *
run(struct arena *arena, const char *shell, const struct span *words, size_t n)
{
	struct answer *answer = arena_array(arena, 1, sizeof(*answer));
	int ends[2], status;
	ssize_t got;
	pid_t pid;

	EXPECT(pipe2(ends, O_CLOEXEC) == 0);
	pid = start(shell, words, n, arena, ends[1]);
	(void)close(ends[1]);
	while (answer->n < ANSWER_MAX &&
	       (got = read(ends[0], answer->text + answer->n,
		    ANSWER_MAX - answer->n)) > 0)
		answer->n += (size_t)got;
	(void)close(ends[0]);
	EXPECT(waitpid(pid, &status, 0) == pid);
	return answer;
}

/* ---- the two ways ---- */

static bool
give(void *context, const struct template_piece *reference, struct span *value)
{
	(void)reference;
	*value = *(const struct span *)context;
	return true;
}

/* As the program hands it over; NULL if it is refused. */
static struct answer *
run_handed(
    struct arena *arena, const char *shell, struct span text, struct span value)
{
	struct buf program = buf_new(arena, text.n + 256);
	struct span *words;
	size_t n;

	words = template_shell(arena, text, give, &value, &n);
	if (words == NULL)
		return NULL;
	buf_str(&program, PROLOGUE);
	buf_add(&program, words[2]);
	words[2] = buf_span(&program);
	return run(arena, shell, words, n);
}

/* With the value written into the text. */
static struct answer *
run_written(
    struct arena *arena, const char *shell, struct span text, struct span value)
{
	struct buf program = buf_new(arena, text.n + 256);
	struct span words[4] = {SPAN("sh"), SPAN("-c"), SPAN(""), SPAN("sh")};

	buf_str(&program, PROLOGUE);
	EXPECT(template_fill(&program, text, give, &value));
	words[2] = buf_span(&program);
	return run(arena, shell, words, 4);
}

static bool
same(const struct answer *a, struct span b)
{
	return span_eq((struct span){a->text, a->n}, b);
}

/* ANSWER with NASTY wherever PLAIN is. */
static struct span
exchanged(struct arena *arena, const struct answer *answer)
{
	struct buf out = buf_new(arena, answer->n * 2);

	for (size_t i = 0; i < answer->n; i++) {
		struct span rest = {answer->text + i, answer->n - i};

		if (span_starts(rest, PLAIN)) {
			buf_add(&out, NASTY);
			i += PLAIN.n - 1;
		} else {
			buf_char(&out, answer->text[i]);
		}
	}
	return buf_span(&out);
}

static struct span
script(struct arena *arena, struct span input)
{
	struct buf text = buf_new(arena, 256);

	for (size_t i = 0; i < input.n && i < PIECES_MAX; i++)
		buf_str(&text, pieces[(unsigned char)input.p[i] %
				      (sizeof(pieces) / sizeof(pieces[0]))]);
	return buf_span(&text);
}

/* "$$" is another number in every run. */
static bool
has_pid(struct arena *arena, struct span text)
{
	struct buf filled = buf_new(arena, text.n);
	struct span value = PLAIN;

	EXPECT(template_fill(&filled, text, give, &value));
	return memmem(filled.p, filled.n, "$$", 2) != NULL;
}

static void
tell(const char *what, struct span text)
{
	(void)fprintf(stderr, "%s: %.*s\n", what, (int)text.n, text.p);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct answer *plain, *written, *nasty;
	const char *shell;
	struct span text;

	if (input.n < 2)
		return;
	shell = shells[(unsigned char)input.p[0] % 2];
	text = script(arena, span_from(input, 1));
	if (!template_refers(text) || has_pid(arena, text) ||
	    access(shell, X_OK) != 0)
		return;
	plain = run_handed(arena, shell, text, PLAIN);
	if (plain == NULL)
		return;
	written = run_written(arena, shell, text, PLAIN);
	nasty = run_handed(arena, shell, text, NASTY);
	if (plain->n > ANSWER_MAX / 16)
		return;
	/*
	 * If something in `...` is not closed, bash goes on without it, but if
	 * the word has a variable, too, it gives up the whole command.
	 */
	if (plain->n == 0 && nasty->n == 0 && span_has(text, '`'))
		return;
	if (!same(written, (struct span){plain->text, plain->n}) ||
	    !same(nasty, exchanged(arena, plain))) {
		tell(shell, text);
		tell("handed over", (struct span){plain->text, plain->n});
		tell("written", (struct span){written->text, written->n});
		tell("nasty", (struct span){nasty->text, nasty->n});
		fuzz_fail(
		    __FILE__, __LINE__, "the value is where it was written");
	}
}
