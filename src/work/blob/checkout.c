#include "work/blob/checkout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/copy.h"
#include "os/bytes.h"
#include "os/rename.h"
#include "store/file.h"

enum { OWN_NAME = 64 };

/* The modes of new files and directories, before the umask. */
enum {
	MODE_PLAIN = 0666,
	MODE_PROGRAM = 0777,
	MODE_PRIVATE = 0600,
	MODE_PRIVATE_PROGRAM = 0700
};

/* ---- modes ---- */

struct checkout_modes
checkout_default(void)
{
	return (struct checkout_modes){
	    {CHECKOUT_HARDLINK, CHECKOUT_SYMLINK, CHECKOUT_COPY},
	    CHECKOUT_MODES};
}

static bool
parse_mode(struct span text, enum checkout_mode *mode)
{
	if (span_eq(text, SPAN("hardlink")))
		*mode = CHECKOUT_HARDLINK;
	else if (span_eq(text, SPAN("symlink")))
		*mode = CHECKOUT_SYMLINK;
	else if (span_eq(text, SPAN("copy")))
		*mode = CHECKOUT_COPY;
	else
		return false;
	return true;
}

static bool
has_mode(const struct checkout_modes *modes, enum checkout_mode mode)
{
	for (size_t i = 0; i < modes->n; i++)
		if (modes->order[i] == mode)
			return true;
	return false;
}

bool
checkout_parse(struct span text, struct checkout_modes *modes)
{
	enum checkout_mode mode;
	bool more = true;

	modes->n = 0;
	while (more) {
		const char *comma = memchr(text.p, ',', text.n);
		size_t n = comma != NULL ? (size_t)(comma - text.p) : text.n;

		more = comma != NULL;
		if (!parse_mode((struct span){text.p, n}, &mode) ||
		    has_mode(modes, mode))
			return false;
		modes->order[modes->n++] = mode;
		text = span_from(text, more ? n + 1 : n);
	}
	return true;
}

/* ---- one file ---- */

/* How a content is brought back. */
struct task {
	struct blobs *blobs;
	const struct checkout_modes *modes;
};

static bool
make_symlink(const struct task *task, const struct digest *hash, int dir,
    const char *name)
{
	struct arena *arena = task->blobs->store->arena;
	struct buf target = buf_new(arena, 256);
	char blob[BLOB_NAME];

	blob_name(hash, blob);
	buf_add(&target, task->blobs->store->root);
	buf_str(&target, "/objects/");
	buf_str(&target, blob);
	return symlinkat(arena_cstr(arena, buf_span(&target)), dir, name) == 0;
}

/* Open the blob HASH to copy it.  -1: see errno. */
static int
open_blob(const struct task *task, const struct digest *hash)
{
	struct blob_place place;
	struct stat st;
	int fd;

	if (!blob_find(task->blobs, hash, DIR_LOOK, &place))
		return -1;
	fd = file_open(place.dir, place.name);
	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	(void)close(fd);
	errno = EINVAL;
	return -1;
}

static bool
make_copy(const struct task *task, const struct digest *hash, int dir,
    const char *name, mode_t mode)
{
	int from = open_blob(task, hash);
	int to = from >= 0 ? openat(dir, name,
				 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
			   : -1;
	bool done = to >= 0 && copy_bytes(from, to);

	if (from >= 0)
		(void)close(from);
	if (to >= 0)
		done = close(to) == 0 && done;
	return done;
}

/*
 * Make NAME in DIR a link to the blob HASH.  It is looked at when it is made,
 * for the blob's own name may have led to another file a moment ago: a link to
 * a file that is not as blobs are does not stay, and *PLAIN is false then.
 */
static bool
try_link(const struct task *task, enum checkout_mode mode,
    const struct digest *hash, int dir, const char *name, bool *plain)
{
	struct blob_place place;
	struct stat st;
	bool made;

	if (!blob_find(task->blobs, hash, DIR_LOOK, &place))
		return false;
	if (mode == CHECKOUT_HARDLINK)
		made = linkat(place.dir, place.name, dir, name, 0) == 0 &&
		       fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
	else
		made = make_symlink(task, hash, dir, name) &&
		       fstatat(place.dir, place.name, &st,
			   AT_SYMLINK_NOFOLLOW) == 0;
	if (!made)
		return false;
	*plain = blob_is_plain(task->blobs, &st);
	if (*plain)
		return true;
	(void)unlinkat(dir, name, 0);
	errno = EPERM; /* the next way is tried */
	return false;
}

static bool
make_link(const struct task *task, enum checkout_mode mode,
    const struct digest *hash, int dir, const char *name)
{
	bool plain = true;

	if (try_link(task, mode, hash, dir, name, &plain))
		return true;
	if (!plain && blob_renew(task->blobs, hash))
		return try_link(task, mode, hash, dir, name, &plain);
	if (!plain)
		errno = EPERM;
	return false;
}

static bool
make_by(const struct task *task, enum checkout_mode mode,
    const struct digest *hash, int dir, const char *name)
{
	switch (mode) {
	case CHECKOUT_HARDLINK:
	case CHECKOUT_SYMLINK:
		return make_link(task, mode, hash, dir, name);
	case CHECKOUT_COPY:
	case CHECKOUT_MODES:
		break;
	}
	return make_copy(task, hash, dir, name, MODE_PLAIN);
}

/* Does ERROR mean that only this way is impossible here? */
static bool
is_no_place(int error)
{
	return error == EXDEV || error == EPERM || error == EACCES ||
	       error == EMLINK || error == ENOTSUP;
}

/* Make the file NAME, which does not exist yet, in DIR. */
static bool
make_file(const struct task *task, const struct digest *hash, mode_t mode,
    int dir, const char *name)
{
	/* A link would have the blob's mode. */
	if (mode != MODE_PLAIN)
		return make_copy(task, hash, dir, name, mode);
	for (size_t i = 0; i < task->modes->n; i++) {
		if (make_by(task, task->modes->order[i], hash, dir, name))
			return true;
		if (!is_no_place(errno))
			return false;
	}
	return false;
}

static mode_t
mode_of_kind(enum content_kind kind)
{
	switch (kind) {
	case CONTENT_PROGRAM:
		return MODE_PROGRAM;
	case CONTENT_PRIVATE:
		return MODE_PRIVATE;
	case CONTENT_PRIVATE_PROGRAM:
		return MODE_PRIVATE_PROGRAM;
	case CONTENT_ABSENT:
	case CONTENT_FILE:
	case CONTENT_TREE:
		break;
	}
	return MODE_PLAIN;
}

static mode_t
mode_of_mark(enum manifest_mark mark)
{
	switch (mark) {
	case MANIFEST_PROGRAM:
		return MODE_PROGRAM;
	case MANIFEST_PRIVATE:
		return MODE_PRIVATE;
	case MANIFEST_PRIVATE_PROGRAM:
		return MODE_PRIVATE_PROGRAM;
	case MANIFEST_FILE:
	case MANIFEST_LINK:
	case MANIFEST_EMPTY:
		break;
	}
	return MODE_PLAIN;
}

/* ---- a directory ---- */

static bool
is_within(struct span path, struct span dir)
{
	return dir.n == 0 || (path.n > dir.n && path.p[dir.n] == '/' &&
				 span_starts(path, dir));
}

/*
 * The mode of the directory DIR, whose first file is number I of MANIFEST.  A
 * manifest records a private directory only by its files, which are all
 * private (content.h).  So a directory with only private files is made
 * private.
 */
static mode_t
mode_of_directory(const struct manifest *manifest, size_t i, struct span dir)
{
	bool empty = true;

	for (; i < manifest->n && is_within(manifest->files[i].path, dir);
	     i++) {
		mode_t mode = mode_of_mark(manifest->files[i].mark);

		if (mode != MODE_PRIVATE && mode != MODE_PRIVATE_PROGRAM)
			return MODE_PROGRAM;
		empty = false;
	}
	return empty ? MODE_PROGRAM : MODE_PRIVATE_PROGRAM;
}

static bool
make_directory(struct arena *arena, int top, struct span dir, mode_t mode)
{
	struct beneath place;
	bool done = beneath_go(arena, top, dir, BENEATH_FIND, &place);

	if (!done)
		return false;
	done = mkdirat(place.dir, place.name, mode) == 0;
	beneath_close(&place);
	return done;
}

/*
 * Make the directories above file number I that the file before it did not
 * need.
 */
static bool
make_directories(
    struct arena *arena, int top, const struct manifest *manifest, size_t i)
{
	struct span path = manifest->files[i].path;

	for (size_t n = 1; n < path.n; n++) {
		struct span dir = {path.p, n};

		if (path.p[n] != '/' ||
		    (i > 0 && is_within(manifest->files[i - 1].path, dir)))
			continue;
		if (!make_directory(
			arena, top, dir, mode_of_directory(manifest, i, dir)))
			return false;
	}
	return true;
}

static bool
make_tree(const struct task *task, const struct manifest *manifest, int dir,
    const char *name)
{
	struct arena *arena = task->blobs->store->arena;
	struct span at = SPAN(""); /* the directory that PLACE is in */
	struct beneath place = {-1, NULL};
	bool done =
	    mkdirat(dir, name, mode_of_directory(manifest, 0, SPAN(""))) == 0;
	int top = done ? openat(dir, name,
			     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
		       : -1;

	done = top >= 0;
	for (size_t i = 0; i < manifest->n && done; i++) {
		const struct manifest_file *file = &manifest->files[i];
		const char *slash = bytes_last(file->path.p, '/', file->path.n);
		size_t n = slash != NULL ? (size_t)(slash - file->path.p) : 0;
		struct span above = {file->path.p, n};

		/*
		 * The files are sorted, so most are in the same directory as
		 * the one before.
		 */
		if (place.dir < 0 || !span_eq(above, at)) {
			beneath_close(&place);
			done = make_directories(arena, top, manifest, i) &&
			       beneath_go(arena, top, file->path, BENEATH_FIND,
				   &place);
			at = above;
		}
		if (done)
			done = make_file(task, &file->hash,
			    mode_of_mark(file->mark), place.dir,
			    arena_cstr(arena,
				span_from(file->path, n > 0 ? n + 1 : 0)));
	}
	beneath_close(&place);
	if (top >= 0)
		(void)close(top);
	return done;
}

/* ---- in its place ---- */

/* A name for the new file beside its target, which nobody else uses. */
static void
own_name(char name[OWN_NAME])
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)snprintf(name, OWN_NAME, ".readcache-%ld-%lx", (long)getpid(),
	    (unsigned long)now.tv_nsec);
}

/*
 * Rename MADE to NAME.  What was at NAME is at MADE afterwards, or is removed.
 */
static bool
put_in_place(struct arena *arena, int dir, const char *made, const char *name)
{
	if (rename_exchange(dir, made, name))
		return true;
	if (errno != ENOENT && errno != EINVAL && errno != ENOSYS)
		return false;
	/* Nothing is at NAME, or the file system cannot exchange names. */
	if (renameat(dir, made, dir, name) == 0)
		return true;
	return (errno == EISDIR || errno == ENOTEMPTY || errno == EEXIST ||
		   errno == ENOTDIR) &&
	       beneath_remove(arena, dir, name) &&
	       renameat(dir, made, dir, name) == 0;
}

bool
checkout(struct blobs *blobs, const struct checkout_modes *modes, int root,
    struct span path, const struct content *content,
    const struct manifest *manifest)
{
	struct arena *arena = blobs->store->arena;
	struct task task = {blobs, modes};
	char made[OWN_NAME];
	struct beneath place;
	bool done;
	int error;

	if (!beneath_go(arena, root, path, BENEATH_MAKE, &place))
		return false;
	own_name(made);
	done = content->kind == CONTENT_TREE
		   ? make_tree(&task, manifest, place.dir, made)
		   : make_file(&task, &content->hash,
			 mode_of_kind(content->kind), place.dir, made);
	done = done && put_in_place(arena, place.dir, made, place.name);
	error = errno;
	/* Remove what was there before, or what is half made. */
	(void)beneath_remove(arena, place.dir, made);
	beneath_close(&place);
	errno = error;
	return done;
}
