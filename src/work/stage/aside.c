#include "work/stage/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "os/bytes.h"
#include "os/rename.h"
#include "os/times.h"
#include "work/stage/claim.h"
#include "work/stage/lockfile.h"

enum { COPIES_MAX = 100000 };

/* ---- names ---- */

/* PATH with NAME as its last component. */
static struct span
sibling(struct arena *arena, struct span path, const char *name)
{
	const char *slash = bytes_last(path.p, '/', path.n);
	struct buf out = buf_new(arena, path.n + strlen(name) + 1);

	if (slash != NULL)
		buf_add(
		    &out, (struct span){path.p, (size_t)(slash - path.p) + 1});
	buf_str(&out, name);
	return buf_span(&out);
}

static bool
is_there(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* ---- whose is it? ---- */

static struct span
digest_span(const struct digest *digest)
{
	return (struct span){(const char *)digest->bytes, DIGEST_BYTES};
}

static struct digest
note_name(const struct work *work, struct span path)
{
	return digest_of(input_absolute(work, path));
}

/*
 * What PATH holds, as text.  A file that cannot be read is identified by its
 * inode and time; a directory that cannot is OUTPUT_UNKNOWN.
 */
static struct span
content_text(struct work *work, struct span path)
{
	const char *name = arena_cstr(work->arena, path);
	char *text = arena_alloc(work->arena, 128);
	struct content content;
	struct stat st;

	/* A link that leads to nothing is not absent. */
	if (content_of(&work->look, work->top, name, &content, NULL) &&
	    (content.kind != CONTENT_ABSENT ||
		fstatat(work->top, name, &st, AT_SYMLINK_NOFOLLOW) != 0)) {
		content_write(&content, text);
		return span_str(text);
	}
	if (fstatat(work->top, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    S_ISDIR(st.st_mode))
		return OUTPUT_UNKNOWN;
	(void)snprintf(text, 128, "file %lx %lx %lx.%lx",
	    (unsigned long)st.st_dev, (unsigned long)st.st_ino,
	    (unsigned long)times_modified(&st)->tv_sec,
	    (unsigned long)times_modified(&st)->tv_nsec);
	return span_str(text);
}

static bool
is_in_lock(struct stage_plan *plan, struct span path, struct span text)
{
	struct work *work = plan->work;
	const struct span *said;
	struct lockfile lock;

	if (!lockfile_load(work->arena, work->store,
		work_locks(work, plan->stage->flow, DIR_LOOK),
		plan->stage->flow, plan->stage->name, &lock))
		return false;
	said = facts_find(&lock.facts, FACT_OUTPUT, path);
	return said != NULL && span_eq(*said, text);
}

static bool
is_noted(struct work *work, struct span path, struct span text)
{
	struct digest name = note_name(work, path);
	struct span noted;

	return state_get(work->state, STATE_LEFT, digest_span(&name), &noted) &&
	       span_eq(noted, text);
}

static bool
is_in_store(struct work *work, struct span text)
{
	struct blobs blobs = blobs_in(work->store, &work->hasher, DIR_LOOK);
	struct manifest manifest;
	struct content content;
	bool there = content_parse(text, &content) &&
		     content.kind != CONTENT_ABSENT &&
		     blob_check_content(
			 &blobs, &content, BLOB_LOOK, &manifest) == BLOB_GOOD;

	arena_close_fd(work->store->arena, blobs.objects);
	return there;
}

/* Did we make TEXT, the content that the output PATH was seen to have? */
static bool
is_ours(struct stage_plan *plan, struct span path, struct span text)
{
	if (span_eq(text, OUTPUT_UNKNOWN))
		return false;
	return is_in_lock(plan, path, text) ||
	       is_noted(plan->work, path, text) ||
	       is_in_store(plan->work, text);
}

void
aside_note_ours(struct stage_plan *plan)
{
	struct work *work = plan->work;

	for (size_t i = 0; i < plan->stage->nouts; i++) {
		struct span path = input_path(work, plan->stage->outs[i].path);
		struct digest name = note_name(work, path);
		struct span text;

		if (plan->asides[i].came_back)
			continue;
		text = content_text(work, path);
		if (!span_eq(text, OUTPUT_UNKNOWN) &&
		    !span_eq(text, SPAN("absent")))
			state_put(
			    work->state, STATE_LEFT, digest_span(&name), text);
	}
}

/* ---- what is not ours ---- */

/* Give NAME in DIR, which was PATH, a name under which it is kept. */
static bool
keep_copy(struct stage_plan *plan, struct span path, int dir, const char *name)
{
	struct arena *arena = plan->work->arena;
	const char *slash = bytes_last(path.p, '/', path.n);
	const char *last = arena_cstr(
	    arena, slash != NULL ? span_from(path, (size_t)(slash - path.p) + 1)
				 : path);
	struct buf after = buf_new(arena, path.n + 128);
	const char *old = claim_beside(arena, last, "old");
	char number[32];

	for (int i = 2; !rename_new(dir, name, old); i++) {
		if (errno != EEXIST || i > COPIES_MAX)
			return false;
		(void)snprintf(number, sizeof(number), "old-%d", i);
		old = claim_beside(arena, last, number);
	}
	buf_str(&after, " was not made by readcache, so it is kept: ");
	buf_add(&after, sibling(arena, path, old));
	buf_char(&after, '.');
	plan_remark(
	    plan, "the old ", path, arena_cstr(arena, buf_span(&after)));
	return true;
}

/* NAME in DIR held TEXT as PATH.  Remove it if it is ours, else keep it. */
static bool
put_away(struct stage_plan *plan, struct span path, struct span text, int dir,
    const char *name)
{
	return is_ours(plan, path, text)
		   ? beneath_remove(plan->work->arena, dir, name)
		   : keep_copy(plan, path, dir, name);
}

bool
aside_save(struct stage_plan *plan, struct span path)
{
	struct work *work = plan->work;
	struct span text = content_text(work, path);
	struct beneath place;
	bool done;

	if (span_eq(text, SPAN("absent")) || is_ours(plan, path, text))
		return true;
	if (!beneath_go(work->arena, work->top, path, BENEATH_FIND, &place))
		return errno == ENOENT;
	done = !is_there(place.dir, place.name) ||
	       keep_copy(plan, path, place.dir, place.name);
	beneath_close(&place);
	return done;
}

/* ---- after a run that was killed ---- */

static void
recover_one(struct stage_plan *plan, struct span path, struct beneath *place,
    const char *aside)
{
	struct work *work = plan->work;
	struct span now = content_text(work, path),
		    old = content_text(work, sibling(work->arena, path, aside));

	/* The run had finished: its outputs are in the lock. */
	if (is_in_lock(plan, path, now)) {
		(void)put_away(plan, path, old, place->dir, aside);
		return;
	}
	if (is_there(place->dir, place->name) &&
	    !put_away(plan, path, now, place->dir, place->name))
		return;
	if (rename_new(place->dir, aside, place->name))
		plan_remark(plan, "", path,
		    " is back as it was before a run that was killed.");
}

bool
aside_recover(struct stage_plan *plan)
{
	bool found = false;

	for (size_t i = 0; i < plan->stage->nouts; i++) {
		struct beneath place;
		const char *aside;

		if (!claim_place(plan, i, &place))
			continue;
		aside = claim_beside(plan->work->arena, place.name, "aside");
		if (is_there(place.dir, aside) && claim_covers(plan, i)) {
			found = true;
			recover_one(plan,
			    input_path(plan->work, plan->stage->outs[i].path),
			    &place, aside);
		}
		beneath_close(&place);
	}
	return found;
}

/* ---- around a run ---- */

/*
 * Rename the output I at PLACE to the name that *NAME will be.  What is aside
 * there and cannot be claimed may be that of a run at work: it stays as it is.
 */
static bool
rename_aside(const struct stage_plan *plan, size_t i,
    const struct beneath *place, const char **name)
{
	struct arena *arena = plan->work->arena;
	char number[32];

	*name = claim_beside(arena, place->name, "aside");
	for (int k = 2; !rename_new(place->dir, place->name, *name); k++) {
		if (errno != EEXIST || k > COPIES_MAX || claim_covers(plan, i))
			return false;
		(void)snprintf(number, sizeof(number), "aside-%d", k);
		*name = claim_beside(arena, place->name, number);
	}
	return true;
}

static bool
move_one(struct stage_plan *plan, size_t i, struct aside *aside)
{
	struct work *work = plan->work;
	struct beneath place;
	bool done = true;

	aside->path = input_path(work, plan->stage->outs[i].path);
	if (!claim_place(plan, i, &place))
		return errno == ENOENT;
	if (is_there(place.dir, place.name)) {
		aside->text = content_text(work, aside->path);
		aside->ours = is_ours(plan, aside->path, aside->text);
		done = rename_aside(plan, i, &place, &aside->name);
		aside->moved = done;
	}
	if (aside->moved)
		(void)fstatat(
		    place.dir, aside->name, &aside->st, AT_SYMLINK_NOFOLLOW);
	beneath_close(&place);
	return done;
}

bool
aside_move(struct stage_plan *plan, struct span *which)
{
	size_t n = plan->stage->nouts;

	plan->asides =
	    arena_array(plan->work->arena, n + 1, sizeof(*plan->asides));
	for (plan->nasides = 0; plan->nasides < n; plan->nasides++) {
		struct aside *aside = &plan->asides[plan->nasides];
		int error;

		if (move_one(plan, plan->nasides, aside))
			continue;
		error = errno;
		*which = aside->path;
		aside_come_back(plan);
		errno = error;
		return false;
	}
	return true;
}

/* Is what was moved aside unchanged since then? */
static bool
is_untouched(struct stage_plan *plan, const struct aside *aside, int dir,
    const char *name)
{
	struct work *work = plan->work;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	/*
	 * Facts are enough for a file: reading a large one again would be
	 * slow.
	 */
	if (!S_ISDIR(st.st_mode) && !hash_is_coarse(&st))
		return st.st_ino == aside->st.st_ino &&
		       hash_same_facts(&st, &aside->st);
	return span_eq(aside->text,
	    content_text(work, sibling(work->arena, aside->path, name)));
}

/* Is NAME in DIR the very thing that was moved aside? */
static bool
is_the_same(const struct aside *aside, int dir)
{
	struct stat st;

	return fstatat(dir, aside->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       st.st_ino == aside->st.st_ino && st.st_dev == aside->st.st_dev;
}

/* The new output I is made: remove the old one, or keep it elsewhere. */
static bool
drop_one(struct stage_plan *plan, size_t i, const struct beneath *place)
{
	const struct aside *aside = &plan->asides[i];
	/* The new output is the same, so nothing is lost. */
	bool needless =
	    aside->ours ||
	    (!span_eq(aside->text, OUTPUT_UNKNOWN) &&
		span_eq(aside->text, content_text(plan->work, aside->path)));

	if (!is_there(place->dir, aside->name))
		return true;
	/* It is not what was moved there: another run may be at work. */
	if (!is_the_same(aside, place->dir) && !claim_covers(plan, i))
		return false;
	return needless && is_untouched(plan, aside, place->dir, aside->name)
		   ? beneath_remove(plan->work->arena, place->dir, aside->name)
		   : keep_copy(plan, aside->path, place->dir, aside->name);
}

void
aside_drop(struct stage_plan *plan)
{
	for (size_t i = 0; i < plan->nasides; i++) {
		struct beneath place;

		if (!plan->asides[i].moved || !claim_place(plan, i, &place))
			continue;
		if (!drop_one(plan, i, &place))
			plan_remark(plan, "the old ", plan->asides[i].path,
			    " cannot be removed; it is beside the new one.");
		beneath_close(&place);
	}
	plan->nasides = 0;
}

/*
 * Remove what the failed command made, and bring the old output I back.  What
 * another run may have made is kept.
 */
static bool
come_back_one(struct stage_plan *plan, size_t i)
{
	const struct aside *aside = &plan->asides[i];
	struct beneath place;
	bool done;

	if (!claim_place(plan, i, &place))
		return false;
	done = is_the_same(aside, place.dir) &&
	       (!is_there(place.dir, place.name) ||
		   (claim_covers(plan, i) ? beneath_remove(plan->work->arena,
						place.dir, place.name)
					  : keep_copy(plan, aside->path,
						place.dir, place.name))) &&
	       rename_new(place.dir, aside->name, place.name);
	beneath_close(&place);
	return done;
}

void
aside_come_back(struct stage_plan *plan)
{
	for (size_t i = 0; i < plan->nasides; i++) {
		if (!plan->asides[i].moved)
			continue;
		plan->asides[i].came_back = true;
		if (!come_back_one(plan, i))
			plan_remark(plan, "the old ", plan->asides[i].path,
			    " could not be brought back.");
	}
	plan->nasides = 0;
}
