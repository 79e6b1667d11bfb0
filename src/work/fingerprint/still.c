#include "work/fingerprint/still.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "os/bytes.h"
#include "os/descriptor.h"
#include "os/times.h"
#include "path/cover.h"
#include "work/fingerprint/hash.h"
#include "work/fingerprint/watch.h"

/* A directory on the way to a file. */
struct passed {
	dev_t dev;
	ino_t ino;
	struct timespec mtime, ctime;
};

struct met_subject {
	struct span name;
	uint64_t met; /* a digest of all that must stay the same */
	struct passed *ways;
	size_t n, room;
	bool fresh; /* a later change may not show (STILL_FRESH) */
};

struct pass {
	struct met_subject *subjects;
	size_t n, room;
};

/*
 * What this pass has found already.  A deep directory has many names in it, and
 * each of these would ask for all that is above it once more.
 */
struct found {
	struct span real;    /* where_along */
	struct map *outside; /* directories noted with all above them */
	struct map *inside;  /* the same, from DIR on */
	struct span dir;
};

struct still {
	struct arena *arena;
	struct pass passes[2];
	struct found found;
	enum still_pass now;
	int64_t begun; /* of the pass, by the clock of file times */
	const struct span *made;
	size_t nmade;
	struct cover *made_at;	/* the same places */
	struct map *above_made; /* directories above them */
	struct watch *watch; /* NULL: nothing is watched */
};

/* Most have only a few, and every piece of work has one of these. */
enum { FEW = 4 };

struct still *
still_new(struct arena *arena)
{
	struct still *still = arena_array(arena, 1, sizeof(*still));

	still->arena = arena;
	return still;
}

void
still_made(struct still *still, const struct span *places, size_t n)
{
	still->made = places;
	still->nmade = n;
	still->made_at = cover_new(still->arena, n);
	still->above_made = map_new(still->arena, FEW);
	for (size_t i = 0; i < n; i++) {
		cover_add(still->made_at, places[i]);
		cover_note_above(still->above_made, places[i], i);
	}
}

void
still_look(struct still *still, enum still_pass pass)
{
	still->now = pass;
	still->begun = hash_now();
	still->passes[pass] = (struct pass){0};
	still->found = (struct found){0};
	still_subject(still, SPAN("an input"));
}

void
still_subject(struct still *still, struct span name)
{
	struct pass *pass;

	if (still == NULL)
		return;
	pass = &still->passes[still->now];
	if (pass->room == 0) {
		pass->room = FEW;
		pass->subjects =
		    arena_array(still->arena, FEW, sizeof(*pass->subjects));
	}
	pass->subjects = arena_more(still->arena, pass->subjects, pass->n,
	    &pass->room, sizeof(*pass->subjects));
	pass->subjects[pass->n++] = (struct met_subject){.name = name};
}

/* ---- noting ---- */

static struct met_subject *
current(struct still *still)
{
	struct pass *pass = &still->passes[still->now];

	return &pass->subjects[pass->n - 1];
}

/* Nobody can choose these numbers, so a small digest is enough. */
static void
meet(struct still *still, uint64_t number)
{
	uint64_t *met = &current(still)->met;

	*met = (*met ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	*met ^= *met >> 32;
}

static void
meet_time(struct still *still, const struct timespec *time)
{
	meet(still, (uint64_t)time->tv_sec);
	meet(still, (uint64_t)time->tv_nsec);
}

void
still_file(struct still *still, const struct stat *st)
{
	if (still == NULL)
		return;
	if (hash_is_coarse(st) && !hash_is_settled(st, still->begun))
		current(still)->fresh = true;
	meet(still, (uint64_t)st->st_dev);
	meet(still, (uint64_t)st->st_ino);
	meet(still, (uint64_t)st->st_mode);
	meet(still, (uint64_t)st->st_size);
	meet_time(still, times_modified(st));
	meet_time(still, times_changed(st));
}

static void
pass_directory(struct still *still, const struct stat *st)
{
	struct met_subject *subject = current(still);

	if (subject->room == 0) {
		subject->room = FEW;
		subject->ways =
		    arena_array(still->arena, FEW, sizeof(*subject->ways));
	}
	subject->ways = arena_more(still->arena, subject->ways, subject->n,
	    &subject->room, sizeof(*subject->ways));
	subject->ways[subject->n++] = (struct passed){
	    st->st_dev, st->st_ino, *times_modified(st), *times_changed(st)};
}

static const char *
text(struct still *still, struct span s)
{
	return arena_cstr(still->arena, s);
}

static struct watch *
watcher(struct still *still)
{
	if (still->watch == NULL)
		still->watch = watch_new(still->arena);
	return still->watch;
}

/* The directories that were noted from DIR on; NULL: all above them, too. */
static struct map *
noted(struct still *still, const struct span *dir)
{
	struct found *found = &still->found;
	struct map **map = dir != NULL ? &found->inside : &found->outside;

	if (*map == NULL || (dir != NULL && !span_eq(found->dir, *dir)))
		*map = map_new(still->arena, FEW);
	if (dir != NULL)
		found->dir = *dir;
	return *map;
}

/*
 * Note the directories above NAME; if NAME is in DIR, only those from DIR on.
 * Those below DIR are also watched: that a directory was moved away and back
 * shows in its times only until something is made in it.  DIR itself is not
 * watched, as the work has it open.  None is noted twice in a pass.
 */
static void
pass_above(struct still *still, struct span dir, struct span name)
{
	bool within = where_within(name, dir);
	struct map *map = noted(still, within ? &dir : NULL);
	size_t first = within ? dir.n : 1, from = name.n;
	struct stat st;

	while (from > first &&
	       (name.p[from - 1] != '/' ||
		   map_find(map, (struct span){name.p, from - 1}) == NULL))
		from--;
	for (size_t n = from; n < name.n; n++) {
		struct span above = {name.p, n};

		if (name.p[n] != '/')
			continue;
		(void)map_at(map, above, 0);
		if (still->now == STILL_BEFORE && within && n > dir.n)
			watch_self(watcher(still), above);
		if (stat(text(still, above), &st) == 0)
			pass_directory(still, &st);
	}
}

/*
 * Nothing is at NAME: watch the lowest directory above it that exists, to see
 * whether something comes.
 */
static void
watch_absent(struct still *still, struct span name)
{
	const char *slash;
	struct span above = name;
	int fd;

	do {
		name = above;
		slash = bytes_last(above.p, '/', above.n);
		above.n = slash == NULL || slash == above.p
			      ? 1
			      : (size_t)(slash - above.p);
		fd = open(text(still, above),
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} while (fd < 0 && (errno == ENOENT || errno == ENOTDIR) &&
		 above.n > 1);
	if (fd < 0)
		return;
	watch_name(watcher(still), fd,
	    span_from(name, above.n + (above.n > 1)));
	(void)close(fd);
}

/* Does the work itself make NAME, something in it, or a directory above it? */
static bool
is_made(const struct still *still, struct span name)
{
	return still->nmade > 0 &&
	       (cover_find(still->made_at, name, COVER_NONE) != COVER_NONE ||
		   map_find(still->above_made, name) != NULL || name.n == 1);
}

void
still_path(struct still *still, struct span dir, struct span path)
{
	struct where where;
	struct stat st;

	if (still == NULL)
		return;
	where = where_along(
	    still->arena, dir, path, WHERE_LEADS, &still->found.real);
	if (is_made(still, where.name))
		return;
	for (size_t i = 0; i < where.nlinks; i++) {
		if (lstat(text(still, where.links[i]), &st) == 0)
			still_file(still, &st);
		pass_above(still, dir, where.links[i]);
	}
	pass_above(still, dir, where.name);
	if (lstat(text(still, where.name), &st) == 0)
		/* A directory is only noted as one on the way. */
		(S_ISDIR(st.st_mode) ? pass_directory : still_file)(still, &st);
	else if (still->now == STILL_BEFORE)
		watch_absent(still, where.name);
}

bool
still_path_at(struct still *still, int dir, const char *name)
{
	char room[PATH_MAX];
	size_t n;

	if (still == NULL)
		return true;
	n = descriptor_where(dir, room, sizeof(room));
	if (n > 0)
		still_path(still,
		    (struct span){text(still, (struct span){room, n}), n},
		    span_str(name));
	return n > 0;
}

void
still_names(struct still *still, int fd, struct span component)
{
	if (still != NULL && still->now == STILL_BEFORE)
		watch_names(watcher(still), fd, component);
}

/* ---- comparing ---- */

static bool
same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/*
 * Is it still the same directory?  Making or removing something in it sets
 * both of its times to the same value.  Moving it away and back changes only
 * the change time.
 */
static bool
passed_same(const struct passed *old, const struct passed *now)
{
	return old->dev == now->dev && old->ino == now->ino &&
	       (same_time(&old->ctime, &now->ctime) ||
		   same_time(&now->ctime, &now->mtime));
}

static bool
subject_same(const struct met_subject *old, const struct met_subject *now)
{
	if (!span_eq(old->name, now->name) || old->met != now->met ||
	    old->n != now->n)
		return false;
	for (size_t i = 0; i < old->n; i++)
		if (!passed_same(&old->ways[i], &now->ways[i]))
			return false;
	return true;
}

enum still_verdict
still_judge(struct still *still, struct span *which)
{
	const struct pass *old = &still->passes[STILL_BEFORE],
			  *now = &still->passes[STILL_AFTER];

	*which = SPAN("an input");
	for (size_t i = 0; i < old->n && i < now->n; i++)
		if (!subject_same(&old->subjects[i], &now->subjects[i])) {
			*which = old->subjects[i].name;
			return STILL_CHANGED;
		}
	if (old->n != now->n ||
	    (still->watch != NULL &&
		!watch_quiet(
		    still->watch, still->made, still->nmade, which)))
		return STILL_CHANGED;
	for (size_t i = 0; i < old->n; i++)
		if (old->subjects[i].fresh) {
			*which = old->subjects[i].name;
			return STILL_FRESH;
		}
	return STILL_SAME;
}

void
still_end(struct still *still)
{
	if (still != NULL)
		watch_end(still->watch);
}
