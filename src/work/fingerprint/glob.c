#include "work/fingerprint/glob.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/buf.h"
#include "base/map.h"
#include "work/fingerprint/pattern.h"
#include "work/fingerprint/tails.h"

/*
 * All alternatives go through the tree together, and each directory is read
 * once for all of them.  What may still follow there is a set of pattern
 * tails, each only once.  So neither many "**" nor many braces multiply the
 * work.
 */
struct glob_walk {
	struct arena *arena;
	int cwd; /* relative paths start here */
	struct span cwd_name;
	struct still *still;
	struct glob_list *list;
	const char *fault;
	struct map *visits; /* (device, inode) -> how often it was read */
	struct budget compares;
};

/* By how many paths a directory may be reached: links may form circles. */
enum { VISITS_MAX = 64 };

enum { COMPARES_MAX = 1 << 25 };

/* PATH and NAME, with a slash between them if one is needed. */
static struct span
join(struct arena *arena, struct span path, struct span name)
{
	struct buf buf = buf_new(arena, path.n + name.n + 1);

	buf_add(&buf, path);
	if (path.n > 0 && path.p[path.n - 1] != '/')
		buf_char(&buf, '/');
	buf_add(&buf, name);
	return buf_span(&buf);
}

static void
add_match(struct glob_walk *walk, struct span path, const struct stat *st)
{
	struct glob_list *list = walk->list;

	list->items = arena_more(walk->arena, list->items, list->n, &list->room,
	    sizeof(*list->items));
	list->items[list->n++] = (struct glob_match){path, *st};
}

/* Does ERROR say that nothing is there?  Any other one says nothing. */
static bool
is_nothing(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

/*
 * PATH matches: add it with the facts of what it leads to, or of the link
 * itself if that leads to nothing.
 */
static void
add_if_there(struct glob_walk *walk, struct span path)
{
	const char *name = arena_cstr(walk->arena, path);
	struct stat st;

	still_path(walk->still, walk->cwd_name, path);
	/* A link in a circle leads to nothing either, whoever asks. */
	if (fstatat(walk->cwd, name, &st, 0) == 0 ||
	    ((is_nothing(errno) || errno == ELOOP) &&
		fstatat(walk->cwd, name, &st, AT_SYMLINK_NOFOLLOW) == 0))
		add_match(walk, path, &st);
	else if (!is_nothing(errno))
		walk->fault = "something it names cannot be looked at.";
}

static int
by_bytes(const void *a, const void *b)
{
	return span_compare(*(const struct span *)a, *(const struct span *)b);
}

/* May the directory FD be read, or was it read too often already? */
static bool
may_visit(struct glob_walk *walk, int fd)
{
	struct {
		dev_t dev;
		ino_t ino;
	} who, *kept;
	struct span name = {(const char *)&who, sizeof(who)};
	struct stat st;
	uint64_t *times;

	if (fstat(fd, &st) != 0)
		return false;
	memset(&who, 0, sizeof(who));
	who.dev = st.st_dev;
	who.ino = st.st_ino;
	times = map_find(walk->visits, name);
	if (times == NULL) {
		kept = arena_alloc(walk->arena, sizeof(*kept));
		memcpy(kept, &who, sizeof(who));
		name.p = (const char *)kept;
		times = map_at(walk->visits, name, 0);
	}
	return ++*times <= VISITS_MAX;
}

/* Note the components of TAILS that are compared with the names in FD. */
static void
note_compared(const struct glob_walk *walk, int fd, const struct tails *tails)
{
	for (size_t i = 0; i < tails->n; i++) {
		struct tail_step step = tail_step(tails->at[i]);

		if (step.kind == STEP_ANY || step.kind == STEP_MAGIC)
			still_names(walk->still, fd, step.component);
	}
}

/*
 * The names in PATH, sorted, to be compared with TAILS.  They are read to the
 * end before they are used, so only one directory is open at a time, however
 * deep the walk goes.
 */
static struct span *
list_names(struct glob_walk *walk, struct span path, const struct tails *tails,
    size_t *n)
{
	const char *name = path.n > 0 ? arena_cstr(walk->arena, path) : ".";
	int fd = openat(walk->cwd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct span *names = NULL;
	const struct dirent *entry;
	size_t room = 0;

	*n = 0;
	if (dir == NULL) {
		int error = errno;

		still_path(walk->still, walk->cwd_name, path);
		errno = error;
		/*
		 * Without a directory there are no names.  Any other reason is
		 * a fault.
		 */
		if (fd >= 0 || !is_nothing(errno))
			walk->fault = "a directory in it cannot be read.";
		if (fd >= 0)
			(void)close(fd);
		return NULL;
	}
	if (!may_visit(walk, fd)) {
		walk->fault = "it comes to one directory by too many paths.";
		(void)closedir(dir);
		return NULL;
	}
	note_compared(walk, fd, tails);
	while (errno = 0, (entry = readdir(dir)) != NULL) {
		struct span found = span_str(entry->d_name);

		if (span_eq(found, SPAN(".")) || span_eq(found, SPAN("..")))
			continue;
		names =
		    arena_more(walk->arena, names, *n, &room, sizeof(*names));
		names[(*n)++] =
		    (struct span){arena_cstr(walk->arena, found), found.n};
	}
	if (errno != 0)
		walk->fault = "a directory in it cannot be read.";
	(void)closedir(dir);
	if (*n > 0)
		qsort(names, *n, sizeof(*names), by_bytes);
	return names;
}

/* Is PATH a directory itself, not a link to one? */
static bool
is_real_directory(struct glob_walk *walk, struct span path)
{
	struct stat st;

	if (fstatat(walk->cwd, arena_cstr(walk->arena, path), &st,
		AT_SYMLINK_NOFOLLOW) == 0)
		return S_ISDIR(st.st_mode);
	if (!is_nothing(errno))
		walk->fault = "something in it cannot be looked at.";
	return false;
}

/* Does NAME match COMPONENT?  Long ones cost more of the budget. */
static bool
fits(struct glob_walk *walk, struct span component, struct span name)
{
	if (!budget_spend(&walk->compares, 1 + component.n * name.n / 64)) {
		walk->fault = "it is too much to compare so many names with.";
		return false;
	}
	return pattern_match_name(component, name);
}

/* The tails that are left for NAME, an entry of the directory of TAILS. */
static struct tails
tails_below(struct glob_walk *walk, const struct tails *tails, struct span path,
    struct span name)
{
	struct tails below = {.arena = walk->arena};
	bool asked = false, real = false;

	for (size_t i = 0; i < tails->n && walk->fault == NULL; i++) {
		struct tail_step step = tail_step(tails->at[i]);

		if (step.kind == STEP_MAGIC && fits(walk, step.component, name))
			tails_add(&below, step.rest);
		if (step.kind != STEP_ANY || name.p[0] == '.')
			continue;
		if (step.rest.n == 0)
			tails_add(&below, SPAN(""));
		if (!asked)
			real = is_real_directory(
			    walk, join(walk->arena, path, name));
		asked = true;
		if (real)
			tails_add(&below, tails->at[i]);
	}
	return below;
}

/* The plain names that TAILS begin with, in their order. */
struct plain {
	struct map *by_name; /* -> index */
	struct span *names;
	struct tails *tails; /* what may follow each */
	bool *listed;	     /* it was found in the directory */
	size_t n;
};

static struct plain
plain_names(struct arena *arena, const struct tails *tails)
{
	struct plain plain = {.by_name = map_new(arena, tails->n)};

	plain.names = arena_array(arena, tails->n, sizeof(*plain.names));
	plain.tails = arena_array(arena, tails->n, sizeof(*plain.tails));
	plain.listed = arena_array(arena, tails->n, sizeof(*plain.listed));
	for (size_t i = 0; i < tails->n; i++) {
		struct tail_step step = tail_step(tails->at[i]);
		struct span name;
		uint64_t at;

		if (step.kind != STEP_LITERAL)
			continue;
		name = pattern_literal(arena, step.component);
		at = *map_at(plain.by_name, name, plain.n);
		if (at == plain.n) {
			plain.names[plain.n] = name;
			plain.tails[plain.n++].arena = arena;
		}
		tails_add(&plain.tails[at], step.rest);
	}
	return plain;
}

static void visit(
    struct glob_walk *walk, struct span path, struct tails *tails);

/* Visit every name in PATH with the tails that may follow it. */
static void
visit_names(struct glob_walk *walk, struct span path, const struct tails *tails,
    const struct plain *plain)
{
	size_t n;
	struct span *names = list_names(walk, path, tails, &n);

	if (names == NULL)
		return; /* not a directory */
	for (size_t i = 0; i < n && walk->fault == NULL; i++) {
		struct tails below = tails_below(walk, tails, path, names[i]);
		const uint64_t *at = map_find(plain->by_name, names[i]);

		if (at != NULL) {
			plain->listed[*at] = true;
			for (size_t k = 0; k < plain->tails[*at].n; k++)
				tails_add(&below, plain->tails[*at].at[k]);
		}
		if (below.n > 0)
			visit(walk, join(walk->arena, path, names[i]), &below);
	}
}

/* Any of TAILS may follow at PATH. */
static void
visit(struct glob_walk *walk, struct span path, struct tails *tails)
{
	struct plain plain;
	bool reads = false;

	if (tails->n == 1 && tails->at[0].n == 0) { /* most cases */
		add_if_there(walk, path);
		return;
	}
	plain = plain_names(walk->arena, tails);
	for (size_t i = 0; i < tails->n; i++) {
		struct tail_step step = tail_step(tails->at[i]);

		if (step.kind == STEP_END)
			add_if_there(walk, path);
		reads =
		    reads || step.kind == STEP_ANY || step.kind == STEP_MAGIC;
	}
	if (reads)
		visit_names(walk, path, tails, &plain);
	for (size_t i = 0; i < plain.n && walk->fault == NULL; i++)
		if (!plain.listed[i])
			visit(walk, join(walk->arena, path, plain.names[i]),
			    &plain.tails[i]);
}

/*
 * Does ".." come after a wildcard?  Then every match would lead back to the
 * same place.
 */
static bool
turns_back(struct span pattern)
{
	bool magic = false;

	while (pattern.n > 0) {
		struct tail_step step = tail_step(tail_begin(pattern));

		if (magic && span_eq(step.component, SPAN("..")))
			return true;
		magic =
		    magic || step.kind == STEP_ANY || step.kind == STEP_MAGIC;
		pattern = step.rest;
	}
	return false;
}

static int
by_path(const void *a, const void *b)
{
	return span_compare(((const struct glob_match *)a)->path,
	    ((const struct glob_match *)b)->path);
}

/* Sort LIST, and keep once what several alternatives found. */
static void
settle(struct glob_list *list)
{
	size_t n = 0;

	if (list->n == 0)
		return;
	qsort(list->items, list->n, sizeof(*list->items), by_path);
	for (size_t i = 0; i < list->n; i++)
		if (n == 0 ||
		    !span_eq(list->items[i].path, list->items[n - 1].path))
			list->items[n++] = list->items[i];
	list->n = n;
}

const char *
glob_find(struct arena *arena, struct span cwd, struct span pattern,
    struct still *still, struct glob_list *list)
{
	struct glob_walk walk = {.arena = arena,
	    .cwd_name = cwd,
	    .still = still,
	    .list = list,
	    .compares = {COMPARES_MAX}};
	struct tails below = {.arena = arena}, absolute = {.arena = arena};
	struct span *alternatives;
	size_t n;

	*list = (struct glob_list){NULL, 0, 0};
	walk.fault = pattern_braces(arena, pattern, &alternatives, &n);
	for (size_t i = 0; i < n && walk.fault == NULL; i++) {
		struct span text = alternatives[i];

		while (span_starts(text, SPAN("./")))
			text = span_from(text, 2);
		if (turns_back(text))
			walk.fault = "\"..\" may not come after a wildcard.";
		if (text.n > 0)
			tails_add(text.p[0] == '/' ? &absolute : &below,
			    tail_begin(text));
	}
	if (walk.fault != NULL)
		return walk.fault;
	walk.cwd =
	    open(arena_cstr(arena, cwd), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (walk.cwd < 0)
		return "the directory it is below cannot be opened.";
	arena_own_fd(arena, walk.cwd);
	walk.visits = map_new(arena, 64);
	if (below.n > 0)
		visit(&walk, SPAN(""), &below);
	if (absolute.n > 0 && walk.fault == NULL)
		visit(&walk, SPAN("/"), &absolute);
	arena_close_fd(arena, walk.cwd);
	settle(list);
	return walk.fault;
}

bool
glob_is_pattern(struct span text)
{
	return pattern_is_magic(text) || span_has(text, '{');
}
