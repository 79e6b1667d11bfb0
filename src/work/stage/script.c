#include "work/stage/script.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slurp.h"
#include "base/utf8.h"
#include "os/bytes.h"
#include "path/name.h"

/*
 * How much of the line is read.  Linux looks at 256 bytes and macOS at 512; to
 * look at more can only find more files.
 */
enum { LINE_MAX_READ = 512 };

/* Systems give up after five scripts that run each other, or fewer. */
enum { SCRIPTS_MAX = 16 };

struct script {
	struct arena *arena;
	struct span cwd;
	struct script_files files;
};

static void
add(struct script *script, const struct script_file *file)
{
	struct script_files *files = &script->files;

	files->at = arena_more(script->arena, files->at, files->n, &files->room,
	    sizeof(*files->at));
	files->at[files->n++] = *file;
}

/* It cannot be told what FILE has the system start. */
static void
add_unknown(struct script *script, struct span file, const char *why)
{
	add(script, &(struct script_file){WORD_UNKNOWN, .path = file,
			.word = SPAN(""), .why = why});
}

/* ---- the line ---- */

/* Read the beginning of the regular file FD.  -1 with errno on failure. */
static ssize_t
read_head(int fd, char room[LINE_MAX_READ])
{
	size_t n = 0;
	ssize_t got = 1;

	while (n < LINE_MAX_READ && got != 0) {
		got = read(fd, room + n, LINE_MAX_READ - n);
		if (got < 0 && errno != EINTR)
			return -1;
		n += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)n;
}

/* Open FILE if the system would start it.  -1; errno is 0 if it would not. */
static int
open_program(struct arena *arena, struct span file)
{
	const char *name = arena_cstr(arena, file);
	struct stat st;

	if (stat(name, &st) != 0)
		return -1;
	errno = 0;
	return (st.st_mode & 0111) != 0 ? slurp_open(name) : -1;
}

/* HEAD, the beginning of a script, up to the end of its first line. */
static struct span
first_line(struct span head)
{
	size_t n = 0;

	while (n < head.n && head.p[n] != '\n' && head.p[n] != '\0')
		n++;
	/* A last word that may go on is left out. */
	if (n == LINE_MAX_READ)
		while (n > 0 && head.p[n - 1] != ' ' && head.p[n - 1] != '\t')
			n--;
	return (struct span){head.p, n};
}

/*
 * Read the first line of FILE without its "#!".  False if it has none, or if
 * that cannot be told, which is noted then.
 */
static bool
read_line(struct script *script, struct span file, struct span *line)
{
	char *room = arena_alloc(script->arena, LINE_MAX_READ);
	int fd = open_program(script->arena, file);
	ssize_t n = fd >= 0 ? read_head(fd, room) : -1;
	int error = errno;

	if (fd >= 0)
		(void)close(fd);
	if (n < 0 && error != 0)
		add_unknown(script, file, strerror(error));
	if (n < 2 || room[0] != '#' || room[1] != '!')
		return false;
	*line = first_line((struct span){room, (size_t)n});
	*line = span_from(*line, line->n < 2 ? line->n : 2);
	return true;
}

/* Take the first word off *LINE.  False if there is none. */
static bool
next_word(struct span *line, struct span *word)
{
	size_t from = 0, to;

	while (
	    from < line->n && (line->p[from] == ' ' || line->p[from] == '\t'))
		from++;
	for (to = from;
	     to < line->n && line->p[to] != ' ' && line->p[to] != '\t';)
		to++;
	*word = (struct span){line->p + from, to - from};
	*line = span_from(*line, to);
	return word->n > 0;
}

/* ---- env ---- */

/*
 * WORD without the option of env that has it split a text into words, if it
 * begins with that.
 */
static struct span
without_split(struct span word)
{
	static const char options[][16] = {
	    "--split-string=", "--split-string", "-vS", "-S"};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		size_t n = strlen(options[i]);

		if (span_starts(word, (struct span){options[i], n}))
			return span_from(word, n);
	}
	return word;
}

/* Does WORD mean to env something else than what it says? */
static bool
is_quoted(struct span word)
{
	return span_has(word, '\\') || span_has(word, '\'') ||
	       span_has(word, '"') || span_has(word, '$') ||
	       span_has(word, '#');
}

/*
 * Take the words for env off *LINE up to the program that it starts, *WORD.
 * False if that cannot be told, as with an option that is not known here.
 */
static bool
env_program(struct span *line, struct span *word)
{
	while (next_word(line, word)) {
		*word = without_split(*word);
		if (word->n == 0 || span_eq(*word, SPAN("--")))
			continue;
		if (word->p[0] == '-' || is_quoted(*word) ||
		    span_starts(*word, SPAN("PATH=")))
			return false;
		if (!span_has(*word, '='))
			return true;
	}
	return false;
}

static bool
is_env(struct span path)
{
	const char *slash = bytes_last(path.p, '/', path.n);

	return span_eq(
	    span_from(path, slash != NULL ? (size_t)(slash - path.p) + 1 : 0),
	    SPAN("env"));
}

/* ---- files ---- */

/* The interpreter: a path from the command's directory, never from PATH. */
static void
add_interpreter(struct script *script, struct span word)
{
	struct script_file file = {.word = word, .is_program = true};
	struct span path = name_from(script->arena, script->cwd, word);

	file.what = words_file(script->arena, script->cwd, path, &file.path);
	file.why = strerror(errno);
	add(script, &file);
}

static void
add_program(struct script *script, struct span word)
{
	struct script_file file = {
	    .word = word, .is_program = true, .is_searched = true};

	file.what = words_program(script->arena, script->cwd, word, &file.path);
	file.why = strerror(errno);
	add(script, &file);
}

static void
add_named(struct script *script, struct span word)
{
	struct script_file file = {.word = word};

	file.what = words_file(script->arena, script->cwd, word, &file.path);
	file.why = strerror(errno);
	if (words_may_name(word))
		add(script, &file);
}

/* Add what FILE itself names. */
static void
follow(struct script *script, struct span file)
{
	struct span line, word;

	if (!read_line(script, file, &line))
		return;
	if (!next_word(&line, &word) || !utf8_valid(word)) {
		add_unknown(script, file, "its first line cannot be used");
		return;
	}
	add_interpreter(script, word);
	if (is_env(word)) {
		if (!env_program(&line, &word)) {
			add_unknown(script, file,
			    "its first line has words for env that are not "
			    "understood");
			return;
		}
		add_program(script, word);
	}
	while (next_word(&line, &word))
		add_named(script, word);
}

struct script_files
script_files(struct arena *arena, struct span cwd, struct span file)
{
	struct script script = {.arena = arena, .cwd = cwd};
	size_t nread = 1;

	follow(&script, file);
	for (size_t i = 0; i < script.files.n; i++) {
		const struct script_file *next = &script.files.at[i];

		if (!next->is_program || next->what != WORD_FILE)
			continue;
		if (nread++ == SCRIPTS_MAX) {
			add_unknown(
			    &script, file, "too many scripts run each other");
			break;
		}
		follow(&script, next->path);
	}
	return script.files;
}
