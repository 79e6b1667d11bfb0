#include "work/blob/content.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/descent.h"
#include "os/entries.h"
#include "store/dir.h"
#include "work/blob/blob.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* ---- as text ---- */

bool
content_eq(const struct content *a, const struct content *b)
{
	return a->kind == b->kind && digest_eq(&a->hash, &b->hash);
}

static const char *
suffix(enum content_kind kind)
{
	switch (kind) {
	case CONTENT_PROGRAM:
		return ".x";
	case CONTENT_PRIVATE:
		return ".p";
	case CONTENT_PRIVATE_PROGRAM:
		return ".xp";
	case CONTENT_TREE:
		return ".dir";
	case CONTENT_ABSENT:
	case CONTENT_FILE:
		break;
	}
	return "";
}

void
content_write(const struct content *content, char text[CONTENT_TEXT])
{
	if (content->kind == CONTENT_ABSENT) {
		(void)strcpy(text, "absent");
		return;
	}
	digest_hex(&content->hash, text);
	(void)strcpy(text + DIGEST_HEX, suffix(content->kind));
}

bool
content_parse(struct span text, struct content *content)
{
	static const enum content_kind kinds[] = {CONTENT_FILE, CONTENT_PROGRAM,
	    CONTENT_PRIVATE, CONTENT_PRIVATE_PROGRAM, CONTENT_TREE};
	struct span rest;

	*content = (struct content){.kind = CONTENT_ABSENT};
	if (span_eq(text, SPAN("absent")))
		return true;
	if (text.n < DIGEST_HEX ||
	    !digest_parse((struct span){text.p, DIGEST_HEX}, &content->hash))
		return false;
	rest = span_from(text, DIGEST_HEX);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (span_eq(rest, span_str(suffix(kinds[i])))) {
			content->kind = kinds[i];
			return true;
		}
	return false;
}

/* ---- looking ---- */

struct content_look
content_look(struct hasher *hasher, struct store *store)
{
	struct content_look look = {hasher, store, 0, 0};
	int root = dir_root(store, DIR_LOOK);
	struct stat st;

	if (root >= 0 && fstat(root, &st) == 0) {
		look.store_dev = st.st_dev;
		look.store_ino = st.st_ino;
	}
	return look;
}

static bool
is_program(const struct stat *st)
{
	return (st->st_mode & 0111) != 0;
}

/* Is there somebody who may not read it? */
static bool
is_private(const struct stat *st)
{
	return (st->st_mode & 0044) != 0044;
}

static enum content_kind
kind_of(const struct stat *st)
{
	if (is_private(st))
		return is_program(st) ? CONTENT_PRIVATE_PROGRAM
				      : CONTENT_PRIVATE;
	return is_program(st) ? CONTENT_PROGRAM : CONTENT_FILE;
}

static enum manifest_mark
mark_of(const struct stat *st, bool hidden)
{
	if (hidden || is_private(st))
		return is_program(st) ? MANIFEST_PRIVATE_PROGRAM
				      : MANIFEST_PRIVATE;
	return is_program(st) ? MANIFEST_PROGRAM : MANIFEST_FILE;
}

/* The state of a walk through a tree. */
struct content_walk {
	const struct content_look *look;
	struct arena *arena;
	struct descent descent;
	struct buf path; /* of this directory, with a slash at its end */
	struct manifest *manifest;
	bool hidden; /* this directory or one above it is private */
	/*
	 * The directories to be walked through: for each level that the walk
	 * is in, a mark, and after it those that are left.
	 */
	struct content_dir *dirs;
	size_t n, room;
};

struct content_dir {
	const char *name; /* NULL: a mark, where a level begins */
	size_t path;	  /* of a mark: the length of the path above it */
	bool hidden;	  /* of a mark: is the directory above it? */
};

/*
 * The text of the link NAME, in ROOM; empty if NAME is not a link.  False if
 * that cannot be told.
 */
static bool
read_link(int dir, const char *name, char room[PATH_MAX], struct span *text)
{
	ssize_t n = readlinkat(dir, name, room, PATH_MAX);

	*text = (struct span){room, n > 0 ? (size_t)n : 0};
	return n > 0 || (n < 0 && errno == EINVAL);
}

/*
 * FILE describes what a link with the text TEXT leads to.  Make it describe
 * the link.
 */
static void
become_link(struct arena *arena, struct manifest_file *file, struct span text)
{
	struct buf both = buf_new(arena, DIGEST_HEX + text.n + 4);
	char hex[DIGEST_HEX + 1];

	digest_hex(&file->hash, hex);
	buf_str(&both, hex);
	buf_char(&both, (char)file->mark);
	buf_add(&both, text);
	file->hash = digest_of(buf_span(&both));
	file->mark = MANIFEST_LINK;
}

/* The path of NAME, as a copy. */
static struct span
path_of(const struct content_walk *walk, const char *name)
{
	struct buf path = buf_new(walk->arena, walk->path.n + strlen(name) + 1);

	buf_add(&path, buf_span(&walk->path));
	buf_str(&path, name);
	return buf_span(&path);
}

static void
push(struct content_walk *walk, struct content_dir dir)
{
	walk->dirs = arena_more(
	    walk->arena, walk->dirs, walk->n, &walk->room, sizeof(*walk->dirs));
	walk->dirs[walk->n++] = dir;
}

/*
 * A name that no system call takes cannot be kept or brought back.  Such a
 * tree is not known, so the work for it is bounded, too.
 */
static bool
is_too_long(const struct content_walk *walk, const char *name)
{
	if (walk->path.n + strlen(name) < PATH_MAX)
		return false;
	errno = ENAMETOOLONG;
	return true;
}

static bool
walk_entry(struct content_walk *walk, const struct dirent *entry)
{
	int dir = walk->descent.fd;
	struct manifest_file file;
	char room[PATH_MAX];
	struct span text = SPAN("");
	struct stat st;
	bool link;

	if (is_too_long(walk, entry->d_name))
		return false;
	if (entries_may_be_link(entry)) {
		if (!read_link(dir, entry->d_name, room, &text) ||
		    !still_path_at(
			walk->look->hasher->still, dir, entry->d_name))
			return false;
	}
	link =
	    text.n > 0 && !blob_of_target(walk->look->store, text, &file.hash);
	switch (hash_file(
	    walk->look->hasher, dir, entry->d_name, &file.hash, &st)) {
	case HASHED:
		break;
	case HASHED_DIRECTORY:
		/*
		 * A link to a directory is not followed: it may lead back, or
		 * have no end.
		 */
		if (link)
			return false;
		push(walk, (struct content_dir){.name = arena_cstr(walk->arena,
						    span_str(entry->d_name))});
		return true;
	case HASHED_ABSENT: /* removed meanwhile: the tree is changing */
	case HASHED_NOT:
		return false;
	}
	file.path = path_of(walk, entry->d_name);
	file.size = (uint64_t)st.st_size;
	file.mark = mark_of(&st, walk->hidden);
	if (link)
		become_link(walk->arena, &file, text);
	manifest_add(walk->arena, walk->manifest, &file);
	return true;
}

/* Add the directory that the walk is in, as an empty one. */
static void
add_empty(struct content_walk *walk)
{
	struct buf path = buf_new(walk->arena, walk->path.n + 1);
	struct manifest_file file = {.mark = MANIFEST_EMPTY};

	if (walk->path.n == 0)
		return; /* the tree itself: an empty manifest */
	buf_add(
	    &path, (struct span){buf_span(&walk->path).p, walk->path.n - 1});
	file.path = buf_span(&path);
	manifest_add(walk->arena, walk->manifest, &file);
}

/*
 * Look at all entries of the directory that the walk is in.  False if it cannot
 * be read.
 */
static bool
walk_entries(struct content_walk *walk)
{
	int fd = fcntl(walk->descent.fd, F_DUPFD_CLOEXEC, 0);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	bool known = true, empty = true;

	if (stream == NULL) {
		if (fd >= 0)
			(void)close(fd);
		return false;
	}
	while (known && (errno = 0, entry = readdir(stream)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0) {
			empty = false;
			known = walk_entry(walk, entry);
		}
	/* A directory that was not read to its end does not count. */
	known = known && errno == 0;
	(void)closedir(stream);
	if (known && empty)
		add_empty(walk);
	return known;
}

/* The walk has come to a directory: note it, and look at its entries. */
static bool
walk_directory(struct content_walk *walk, size_t above)
{
	struct stat st;

	push(walk, (struct content_dir){NULL, above, walk->hidden});
	if (fstat(walk->descent.fd, &st) != 0)
		return false;
	if (st.st_dev == walk->look->store_dev &&
	    st.st_ino == walk->look->store_ino && walk->descent.depth > 0)
		return true;
	still_file(walk->look->hasher->still, &st);
	walk->hidden = walk->hidden || is_private(&st);
	return walk_entries(walk);
}

static bool
walk_down(struct content_walk *walk, const char *name)
{
	size_t above = walk->path.n;

	if (!descent_down(&walk->descent, name))
		return false;
	buf_str(&walk->path, name);
	buf_char(&walk->path, '/');
	return walk_directory(walk, above);
}

/* Nothing is left in the directory that the walk is in. */
static bool
walk_up(struct content_walk *walk)
{
	const struct content_dir *mark = &walk->dirs[--walk->n];

	walk->path.n = mark->path;
	walk->hidden = mark->hidden;
	if (walk->n == 0)
		return true;
	walk->n--; /* the directory itself */
	return descent_up(&walk->descent);
}

/*
 * Walk through the directory FD and close it.  False if something in it cannot
 * be known.
 */
static bool
walk_tree(struct content_walk *walk, int fd)
{
	bool known;

	descent_begin(&walk->descent, walk->arena, fd);
	known = walk_directory(walk, 0);
	while (known && walk->n > 0) {
		const char *name = walk->dirs[walk->n - 1].name;

		known = name == NULL ? walk_up(walk) : walk_down(walk, name);
	}
	descent_end(&walk->descent);
	return known;
}

static bool
content_of_tree(const struct content_look *look, int root, const char *path,
    struct content *content, struct manifest *manifest)
{
	struct arena *arena = look->hasher->arena;
	struct content_walk walk = {.look = look,
	    .arena = arena,
	    .path = buf_new(arena, 256),
	    .manifest = manifest};
	int fd = openat(root, path, DIR_FLAGS);

	if (fd < 0 || !walk_tree(&walk, fd))
		return false;
	manifest_sort(manifest);
	content->kind = CONTENT_TREE;
	content->hash = digest_of(manifest_write(arena, manifest));
	return true;
}

bool
content_of(const struct content_look *look, int root, const char *path,
    struct content *content, struct manifest *manifest)
{
	struct manifest own;
	struct stat st;

	*content = (struct content){.kind = CONTENT_ABSENT};
	manifest = manifest != NULL ? manifest : &own;
	*manifest = (struct manifest){0};
	switch (hash_file(look->hasher, root, path, &content->hash, &st)) {
	case HASHED:
		content->kind = kind_of(&st);
		return true;
	case HASHED_ABSENT:
		return true;
	case HASHED_DIRECTORY:
		return content_of_tree(look, root, path, content, manifest);
	case HASHED_NOT:
		break;
	}
	return false;
}
