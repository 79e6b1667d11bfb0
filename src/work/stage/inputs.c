#include "work/stage/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/map.h"
#include "os/bytes.h"
#include "path/cover.h"
#include "path/exclude.h"
#include "path/name.h"
#include "path/project.h"
#include "path/where.h"
#include "work/fingerprint/fingerprint.h"
#include "work/fingerprint/glob.h"
#include "work/stage/expect.h"
#include "work/stage/script.h"
#include "work/stage/words.h"

/* The arguments and the result of one look. */
struct look {
	struct work *work;
	const struct stage *stage;
	struct stage_inputs *in;
	/* What is declared, by absolute names; NULL until it is needed. */
	struct cover *outs, *deps, *code;
	struct map *above_outs; /* directories that hold an output, or NULL */
};

struct span
input_absolute(const struct work *work, struct span path)
{
	return name_from(work->arena, work->root, path);
}

bool
output_is_excluded(const struct work *work, struct span path)
{
	path = input_absolute(work, path);
	return exclude_matches(path) ||
	       work->excludes(work->arena, work->excluding, path);
}

struct span
output_real(const struct work *work, struct span path)
{
	return where_of(work->arena, work->root, path, WHERE_ITSELF).name;
}

/* May a copy of the output PATH, an absolute name of it, be kept? */
static bool
may_keep(const struct work *work, struct span path)
{
	return !exclude_matches_place(path) &&
	       !work->excludes(work->arena, work->excluding, path);
}

bool
output_is_kept(const struct work *work, const struct stage_out *out)
{
	struct span path, name, place;

	if (out->keep == OUT_NOT_KEPT)
		return false;
	path = input_path(work, out->path);
	name = input_absolute(work, path);
	if (!may_keep(work, name))
		return false;
	place = output_real(work, path);
	return span_eq(place, name) || may_keep(work, place);
}

struct digest
path_lock(const struct work *work, struct span path)
{
	/* The place itself: a link on the way is another name of it. */
	return lock_name("path", output_real(work, path));
}

/* Does PATH have a component ".."? */
static bool
goes_up(struct span path)
{
	while (path.n > 0) {
		const char *slash = memchr(path.p, '/', path.n);
		size_t n = slash != NULL ? (size_t)(slash - path.p) : path.n;

		if (n == 2 && path.p[0] == '.' && path.p[1] == '.')
			return true;
		path = span_from(path, slash != NULL ? n + 1 : n);
	}
	return false;
}

/*
 * The absolute, normalized name of PATH.  If it has "..", the kernel is asked:
 * the directory above a link is that of the link's target, and so it will be
 * for the command.
 */
static struct span
plain_name(const struct work *work, struct span path)
{
	if (goes_up(path))
		return where_of(work->arena, work->root, path, WHERE_ITSELF)
		    .name;
	return name_normalize(work->arena, input_absolute(work, path));
}

struct span
input_path(const struct work *work, struct span path)
{
	struct span name = plain_name(work, path), rest;

	if (!span_starts(name, work->root))
		return name;
	rest = span_from(name, work->root.n);
	if (rest.n == 0)
		return SPAN(".");
	if (work->root.n == 1)
		return rest; /* the root is "/" */
	return rest.p[0] == '/' ? span_from(rest, 1) : name;
}

/* Is PATH the directory DIR, or below it?  Both as input_path makes them. */
static bool
is_within(struct span path, struct span dir)
{
	if (span_eq(dir, SPAN(".")))
		return path.n > 0 && path.p[0] != '/';
	return span_starts(path, dir) &&
	       (path.n == dir.n || path.p[dir.n] == '/');
}

static void
give_up(
    struct look *look, const char *prefix, struct span name, struct span why)
{
	struct buf subject = buf_new(look->work->arena, name.n + 8);

	if (!look->in->resolved)
		return;
	buf_str(&subject, prefix);
	buf_add(&subject, name);
	look->in->resolved = false;
	look->in->unresolved = buf_span(&subject);
	look->in->why = why;
}

static void
add(struct look *look, enum fact_kind kind, struct span name, struct span value)
{
	if ((kind == FACT_DEP || kind == FACT_CODE || kind == FACT_WORD) &&
	    name.p[0] == '/')
		name = project_way(look->work->arena, look->work->project,
		    look->work->root, name);
	facts_add(look->work->arena, &look->in->facts, kind, name, value);
}

static struct span
hex_of(struct arena *arena, const struct digest *digest)
{
	char *hex = arena_alloc(arena, DIGEST_HEX + 1);

	digest_hex(digest, hex);
	return (struct span){hex, DIGEST_HEX};
}

static struct span
hash_text(struct arena *arena, struct span text)
{
	struct digest digest = digest_of(text);

	return hex_of(arena, &digest);
}

/* ---- files ---- */

static struct span
content_text(struct arena *arena, const struct content *content)
{
	char *text = arena_alloc(arena, CONTENT_TEXT);

	content_write(content, text);
	return span_str(text);
}

/* Add the content of PATH.  False if nothing has that name. */
static bool
add_file(struct look *look, enum fact_kind kind, struct span path)
{
	struct work *work = look->work;
	struct content content;
	struct span text;

	if (expect_find(work, path, &text)) {
		add(look, kind, path, text);
		return true;
	}
	still_subject(work->hasher.still, path);
	still_path(work->hasher.still, work->root, path);
	errno = 0;
	if (!content_of(&work->look, work->top, arena_cstr(work->arena, path),
		&content, NULL)) {
		give_up(look, "file:", path,
		    span_str(errno != 0
				 ? strerror(errno)
				 : "it holds something that is not a file"));
		return true;
	}
	add(look, kind, path, content_text(work->arena, &content));
	return content.kind != CONTENT_ABSENT;
}

/* ---- what is declared ---- */

/* The absolute name of PATH, which is as it is declared or as in a fact. */
static struct span
whole_name(const struct work *work, struct span path)
{
	path = input_path(work, path);
	return span_eq(path, SPAN(".")) ? work->root
					: input_absolute(work, path);
}

/* Is NAME, an absolute one, an output of the stage, or in one? */
static bool
is_output(struct look *look, struct span name)
{
	const struct stage *stage = look->stage;

	if (look->outs == NULL) {
		look->outs = cover_new(look->work->arena, stage->nouts);
		for (size_t i = 0; i < stage->nouts; i++)
			cover_add(look->outs,
			    whole_name(look->work, stage->outs[i].path));
	}
	return cover_find(look->outs, name, COVER_NONE) != COVER_NONE;
}

/* Is PATH an old output that was put aside (aside.h)?  It is not an input. */
static bool
is_put_aside(struct span path)
{
	const char *slash = bytes_last(path.p, '/', path.n);
	struct span name =
	    span_from(path, slash != NULL ? (size_t)(slash - path.p) + 1 : 0);

	return name.n > 0 && name.p[0] == '.' &&
	       (bytes_find(name.p, name.n, ".readcache-aside", 16) != NULL ||
		   bytes_find(name.p, name.n, ".readcache-old", 14) != NULL);
}

/* Does the stage make something below NAME, an absolute one? */
static bool
holds_output(struct look *look, struct span name)
{
	const struct stage *stage = look->stage;

	if (look->above_outs == NULL) {
		look->above_outs = map_new(look->work->arena, stage->nouts);
		for (size_t i = 0; i < stage->nouts; i++)
			cover_note_above(look->above_outs,
			    whole_name(look->work, stage->outs[i].path), i);
	}
	return map_find(look->above_outs, name) != NULL;
}

static bool add_match(struct look *look, enum fact_kind kind, struct span path);

/* Add the directory PATH without the outputs in it, entry by entry. */
static void
add_around(struct look *look, enum fact_kind kind, struct span path)
{
	struct work *work = look->work;
	int fd = openat(work->top, arena_cstr(work->arena, path),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (stream != NULL)
		still_names(work->hasher.still, fd, SPAN(""));
	while (stream != NULL && (errno = 0, entry = readdir(stream)) != NULL) {
		struct span name = span_str(entry->d_name);

		if (span_eq(name, SPAN(".")) || span_eq(name, SPAN("..")))
			continue;
		name = name_in(work->arena, path, name);
		(void)add_match(look, kind, input_path(work, name));
	}
	/* A directory that was not read to its end does not count. */
	if (stream == NULL || errno != 0)
		give_up(look, "file:", path, span_str(strerror(errno)));
	if (stream != NULL)
		(void)closedir(stream);
	else if (fd >= 0)
		(void)close(fd);
}

/*
 * Add a match of a pattern: a file, or a directory with everything in it. False
 * if it is not an input.
 */
static bool
add_match(struct look *look, enum fact_kind kind, struct span path)
{
	struct span store = input_path(look->work, look->work->store->root);
	struct span name = whole_name(look->work, path);

	if (is_output(look, name) || is_within(path, store) ||
	    is_put_aside(path))
		return false;
	if (holds_output(look, name))
		add_around(look, kind, path);
	else
		(void)add_file(look, kind, path);
	return true;
}

/*
 * Add what a pattern matches.  A directory in one that was added is in it with
 * everything: to look at each again would take the square of their depth.
 */
static void
add_list(struct look *look, enum fact_kind kind, const struct glob_list *list)
{
	struct cover *whole = NULL;

	for (size_t i = 0; i < list->n; i++) {
		bool directory = S_ISDIR(list->items[i].st.st_mode);
		struct span path = input_path(look->work, list->items[i].path);

		if (directory && whole == NULL)
			whole = cover_new(look->work->arena, list->n - i);
		if (directory &&
		    cover_find(whole, path, COVER_NONE) != COVER_NONE)
			continue;
		if (add_match(look, kind, path) && directory)
			cover_add(whole, path);
	}
}

static void
add_matches(struct look *look, enum fact_kind kind, struct span pattern)
{
	struct work *work = look->work;
	struct glob_list list = {0};
	const char *fault;

	still_subject(work->hasher.still, pattern);
	fault = glob_find(
	    work->arena, work->root, pattern, work->hasher.still, &list);
	if (fault != NULL) {
		give_up(look, "glob:", pattern, span_str(fault));
		return;
	}
	add_list(look, kind, &list);
}

/*
 * Is PATTERN too long to be the name of a file itself?  It stands for many, so
 * it may be.
 */
static bool
is_longer_than_names(const struct work *work, struct span pattern)
{
	struct stat st;

	return fstatat(work->top, arena_cstr(work->arena, pattern), &st,
		   AT_SYMLINK_NOFOLLOW) != 0 &&
	       errno == ENAMETOOLONG;
}

/* A file of exactly this name comes first: a name may look like a pattern. */
static void
add_paths(
    struct look *look, enum fact_kind kind, const struct span *paths, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct facts *facts = &look->in->facts;
		struct span path = input_path(look->work, paths[i]);
		size_t before = facts->n;

		if (!glob_is_pattern(paths[i])) {
			(void)add_file(look, kind, path);
			continue;
		}
		if (!is_longer_than_names(look->work, path) &&
		    add_file(look, kind, path))
			continue;
		facts->n = before;
		add_matches(look, kind, paths[i]);
	}
}

static void
add_files(struct look *look)
{
	const struct stage *stage = look->stage;

	add_paths(look, FACT_DEP, stage->deps, stage->ndeps);
	add_paths(look, FACT_CODE, stage->code, stage->ncode);
}

/* ---- the command's words ---- */

/*
 * Is NAME, an absolute one, one of the N declared PATHS, or in one of them?
 * *COVER is made of these when it is first needed.
 */
static bool
is_declared(struct look *look, struct cover **cover, struct span name,
    const struct span *paths, size_t n)
{
	if (*cover == NULL) {
		*cover = cover_new(look->work->arena, n);
		for (size_t i = 0; i < n; i++)
			cover_add(*cover, whole_name(look->work, paths[i]));
	}
	return cover_find(*cover, name, COVER_NONE) != COVER_NONE;
}

/*
 * Add FILE, which a word of the command names, if WHAT says that it is one. Not
 * if it is declared, if the stage makes it, or if it is in the store: files of
 * values there are named by their content.  WHY is for WORD_UNKNOWN.
 */
static void
add_word(
    struct look *look, enum word_found what, struct span file, const char *why)
{
	const struct stage *stage = look->stage;
	struct span path, name;

	if (what == WORD_NONE)
		return;
	path = input_path(look->work, file);
	name = whole_name(look->work, path);
	if (is_output(look, name) ||
	    is_within(path, input_path(look->work, look->work->store->root)) ||
	    is_declared(look, &look->deps, name, stage->deps, stage->ndeps) ||
	    is_declared(look, &look->code, name, stage->code, stage->ncode))
		return;
	if (what == WORD_UNKNOWN)
		give_up(look, "file:", path, span_str(why));
	else
		(void)add_file(look, FACT_WORD, path);
}

/*
 * Add what runs FILE, which a word of the command names, if it is a script. A
 * word that is not the first may be a program too: "nice ./script".
 */
static void
add_script(struct look *look, struct span file)
{
	struct work *work = look->work;
	struct span name = whole_name(work, file);
	struct script_files files;

	if (is_output(look, name))
		return; /* it goes before the command runs */
	files = script_files(work->arena, look->stage->cwd, file);
	for (size_t i = 0; i < files.n; i++)
		add_word(
		    look, files.at[i].what, files.at[i].path, files.at[i].why);
}

/* More words than these may name a file many times: look at it once. */
enum { FEW_WORDS = 16 };

static void
add_words(struct look *look)
{
	struct arena *arena = look->work->arena;
	const struct stage *stage = look->stage;
	struct map *seen =
	    stage->argc > FEW_WORDS ? map_new(arena, stage->argc) : NULL;

	for (size_t i = 0; i < stage->argc; i++) {
		struct span word = stage->argv[i], file;
		size_t before = look->in->facts.n;
		enum word_found what;

		if (i > 0 && seen != NULL && *map_at(seen, word, i) != i)
			continue;
		what = i == 0 ? words_program(arena, stage->cwd, word, &file)
			      : words_file(arena, stage->cwd, word, &file);
		add_word(look, what, file,
		    what == WORD_UNKNOWN ? strerror(errno) : NULL);
		look->in->nnamed += i > 0 && look->in->facts.n > before;
		if (what == WORD_FILE)
			add_script(look, file);
	}
}

/* ---- the rest ---- */

/* Each word has its length before it, so that no word can look like two. */
static struct span
argv_hash(struct arena *arena, const struct stage *stage)
{
	struct digest digest;
	struct key key;

	key_begin(&key, "argv", 1);
	for (size_t i = 0; i < stage->argc; i++)
		key_add(&key, "word", stage->argv[i]);
	digest = key_end(&key);
	return hex_of(arena, &digest);
}

/*
 * The command's directory, as it is named in the key.  A stage without
 * declared files runs again only if its words change.  So in a shared store
 * its result counts for this directory only: another clone may be at another
 * commit, and nothing would show that.
 */
static struct span
called(struct look *look)
{
	const struct stage *stage = look->stage;

	if (stage->ndeps == 0 && stage->ncode == 0 &&
	    stage->nfingerprints == 0 && work_shares(look->work))
		return stage->cwd;
	return work_called(look->work, stage->cwd);
}

static void
add_command(struct look *look)
{
	struct arena *arena = look->work->arena;
	const struct stage *stage = look->stage;

	add(look, FACT_COMMAND, SPAN("argv"), argv_hash(arena, stage));
	add(look, FACT_COMMAND, SPAN("cwd"), hash_text(arena, called(look)));
	if (stage->input.n > 0)
		add(look, FACT_COMMAND, SPAN("stdin"),
		    hash_text(arena, stage->input));
}

static void
add_environment(struct look *look)
{
	struct arena *arena = look->work->arena;

	for (size_t i = 0; i < look->stage->nenv; i++) {
		struct span name = look->stage->env[i];
		const char *value = getenv(arena_cstr(arena, name));

		add(look, FACT_ENV, name,
		    value != NULL ? hash_text(arena, span_str(value))
				  : SPAN("unset"));
	}
}

/* The places that the stage itself changes: its outputs, and the store. */
static struct span *
made_places(struct work *work, const struct stage *stage)
{
	struct span *places =
	    arena_array(work->arena, stage->nouts + 1, sizeof(*places));

	for (size_t i = 0; i < stage->nouts; i++)
		places[i] = where_of(
		    work->arena, work->root, stage->outs[i].path, WHERE_ITSELF)
				.name;
	places[stage->nouts] = work->kept.name;
	return places;
}

static void
add_fingerprints(struct look *look)
{
	const struct stage *stage = look->stage;
	struct hasher *hasher = &look->work->hasher;

	if (stage->nfingerprints == 0)
		return;
	hasher->made = made_places(look->work, stage);
	hasher->nmade = stage->nouts + 1;
	for (size_t i = 0; i < stage->nfingerprints; i++) {
		struct fingerprint fingerprint = fingerprint_resolve(
		    hasher, stage->cwd, stage->fingerprints[i]);

		if (!fingerprint.resolved)
			give_up(look, "", fingerprint.spec, fingerprint.why);
		else
			add(look, FACT_FINGERPRINT, fingerprint.spec,
			    hex_of(look->work->arena, &fingerprint.digest));
	}
	hasher->made = NULL;
	hasher->nmade = 0;
}

static void
add_declared(struct look *look)
{
	const struct stage *stage = look->stage;

	for (size_t i = 0; i < stage->nouts; i++)
		add(look, FACT_OUT, input_path(look->work, stage->outs[i].path),
		    output_is_kept(look->work, &stage->outs[i])
			? SPAN("kept")
			: SPAN("not kept"));
	for (size_t i = 0; i < stage->nparams; i++)
		add(look, FACT_PARAM, stage->params[i].name,
		    stage->params[i].secret
			? fact_hidden(look->work->arena, stage->params[i].json)
			: stage->params[i].json);
}

struct stage_inputs
inputs_look(struct work *work, const struct stage *stage)
{
	struct stage_inputs in = {.resolved = true};
	struct look look = {.work = work, .stage = stage, .in = &in};

	add_command(&look);
	add_files(&look);
	add_words(&look);
	add_environment(&look);
	add_fingerprints(&look);
	add_declared(&look);
	facts_sort(&in.facts);
	in.key = facts_key(&in.facts, stage->flow, stage->name);
	return in;
}

struct stage_inputs
inputs_look_still(struct work *work, const struct stage *stage,
    struct still *still, enum still_pass pass)
{
	struct stage_inputs in;

	still_made(still, made_places(work, stage), stage->nouts + 1);
	still_look(still, pass);
	work->hasher.still = still;
	in = inputs_look(work, stage);
	work->hasher.still = NULL;
	return in;
}
