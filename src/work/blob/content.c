#include "work/blob/content.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

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
	struct buf path; /* of this directory, with a slash at its end */
	struct manifest *manifest;
	bool hidden; /* this directory or one above it is private */
};

static bool walk_directory(struct content_walk *walk, int fd);

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

static bool
walk_below(struct content_walk *walk, int dir, const char *name)
{
	int fd = openat(dir, name, DIR_FLAGS | O_NOFOLLOW);
	size_t length = walk->path.n;
	struct stat st;
	bool done;

	if (fd < 0 || fstat(fd, &st) != 0) {
		if (fd >= 0)
			(void)close(fd);
		return false;
	}
	if (st.st_dev == walk->look->store_dev &&
	    st.st_ino == walk->look->store_ino) {
		(void)close(fd);
		return true;
	}
	buf_str(&walk->path, name);
	buf_char(&walk->path, '/');
	done = walk_directory(walk, fd);
	walk->path.n = length;
	return done;
}

static bool
walk_entry(struct content_walk *walk, int dir, const struct dirent *entry)
{
	struct manifest_file file;
	char room[PATH_MAX];
	struct span text = SPAN("");
	struct stat st;
	bool link;

	if (entries_may_be_link(entry)) {
		if (!read_link(dir, entry->d_name, room, &text))
			return false;
		still_path_at(walk->look->hasher->still, dir, entry->d_name);
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
		return !link && walk_below(walk, dir, entry->d_name);
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

/* Walk through the directory FD and close it.  False if it cannot be read. */
static bool
walk_directory(struct content_walk *walk, int fd)
{
	DIR *stream = fdopendir(fd);
	const struct dirent *entry;
	bool known = true, empty = true, hidden = walk->hidden;
	struct stat st;

	if (stream == NULL) {
		(void)close(fd);
		return false;
	}
	known = fstat(fd, &st) == 0;
	if (known)
		still_file(walk->look->hasher->still, &st);
	walk->hidden = hidden || !known || is_private(&st);
	while (known && (errno = 0, entry = readdir(stream)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0) {
			empty = false;
			known = walk_entry(walk, fd, entry);
		}
	/* A directory that was not read to its end does not count. */
	known = known && errno == 0;
	(void)closedir(stream);
	walk->hidden = hidden;
	if (known && empty)
		add_empty(walk);
	return known;
}

static bool
content_of_tree(const struct content_look *look, int root, const char *path,
    struct content *content, struct manifest *manifest)
{
	struct arena *arena = look->hasher->arena;
	struct content_walk walk = {
	    look, arena, buf_new(arena, 256), manifest, false};
	int fd = openat(root, path, DIR_FLAGS);

	if (fd < 0 || !walk_directory(&walk, fd))
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
