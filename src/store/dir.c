#include "store/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/slurp.h"
#include "base/write_all.h"
#include "os/bytes.h"
#include "store/file.h"
#include "store/make_dir.h"
#include "store/owner.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define STORE_MODE 0700
#define FILE_MODE 0600

/* The file by which backup programs recognise a cache (bford.info/cachedir). */
static const char cachedir_tag[] =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This directory is a cache of readcache; it may be deleted at any time.\n";

/*
 * Open the directory NAME in AT.  With DIR_MAKE a missing one is made with
 * MODE.  -1: see errno.
 */
static int
step(int at, const char *name, enum dir_want want, mode_t mode)
{
	int fd = openat(at, name, DIR_FLAGS | O_NOFOLLOW);

	if (fd < 0 && errno == ENOENT && want == DIR_MAKE &&
	    make_dir(at, name, mode))
		fd = openat(at, name, DIR_FLAGS | O_NOFOLLOW);
	return fd;
}

static bool
is_ours(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && st->st_uid == geteuid();
}

/*
 * Is the store in its usual place?  By its name: reads and people's commands
 * must agree.
 */
static bool
is_usual(const struct store *store)
{
	const struct span place = SPAN(FOLDER_STORE);
	struct span root = store->root;

	return root.n >= place.n &&
	       span_eq(span_from(root, root.n - place.n), place);
}

/* Is the directory FD ours?  Unless WANT is DIR_LOOK, also make it private. */
static bool
make_private(int fd, enum dir_want want)
{
	struct stat st;

	if (!is_ours(fd, &st))
		return false;
	return want == DIR_LOOK || (st.st_mode & 07777) == STORE_MODE ||
	    fchmod(fd, STORE_MODE) == 0;
}

/* "<key>.json", or the temporary file of a program that writes one. */
static bool
is_record_name(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");

	return n >= 8 && n <= DIGEST_HEX &&
	    (strcmp(name + n, ".json") == 0 ||
		strcmp(name + n, ".json.tmp") == 0);
}

/* Is NAME one of the names that a store's root may hold? */
static bool
is_store_name(const char *name)
{
	/* An array of arrays, not of pointers: no relocations at start-up. */
	static const char names[][16] = {".", "..", ".gitignore",
	    "CACHEDIR.TAG", DIR_STAMP, "objects", "tmp", "memo", "stages",
	    "flows", "locks", "state.mdb", "state.mdb-lock", "state.mdb-own",
	    OWNER_NAME};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return is_record_name(name);
}

DIR *
dir_list(int fd)
{
	int copy = openat(fd, ".", DIR_FLAGS);
	DIR *dir;

	if (copy < 0)
		return NULL;
	errno = ENOMEM; /* if fdopendir sets nothing */
	dir = fdopendir(copy);
	if (dir == NULL) {
		int error = errno;

		(void)close(copy);
		errno = error;
	}
	return dir;
}

bool
dir_has_only(int fd, bool (*is_good)(const char *name))
{
	DIR *dir = dir_list(fd);
	const struct dirent *entry;
	bool all = true;
	int error;

	if (dir == NULL)
		return false;
	while (all && (errno = 0, entry = readdir(dir)) != NULL)
		all = is_good(entry->d_name);
	error = errno;
	(void)closedir(dir);
	errno = error;
	/* A name that was not read could be anything. */
	return all && error == 0;
}

/*
 * Is FD the root of a store, or empty enough to become one?  A directory that
 * was named by mistake must not be taken over.
 */
static enum dir_fault
judge_entries(int fd)
{
	if (dir_has_only(fd, is_store_name))
		return DIR_FINE;
	return errno == 0 ? DIR_FOREIGN : DIR_FAILED;
}

bool
dir_note(int at, const char *name, struct span text)
{
	bool written;
	int fd = openat(at, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);

	if (fd < 0)
		return false;
	(void)fchmod(fd, FILE_MODE);
	written = write_all(fd, text);
	return close(fd) == 0 && written;
}

/* Is PATH the directory DIR, or below it? */
static bool
below(struct span path, struct span dir)
{
	return span_starts(path, dir) &&
	    (path.n == dir.n || dir.n == 1 || path.p[dir.n] == '/');
}

/* Why a component of the path could not be opened. */
static enum dir_fault
fault_of(int error)
{
	if (error == ENOENT)
		return DIR_ABSENT;
	return error == ENOTDIR || error == ELOOP ? DIR_IN_THE_WAY
						  : DIR_FAILED;
}

static enum dir_fault
judge_root(const struct store *store, int fd, enum dir_want want)
{
	enum dir_fault fault;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return DIR_FAILED;
	if (st.st_uid != geteuid())
		return DIR_NOT_OURS;
	fault = judge_entries(fd);
	if (fault == DIR_FINE && is_usual(store) && !make_private(fd, want))
		fault = DIR_FAILED;
	return fault;
}

/*
 * How many bytes of the store's path are trusted: those of the current
 * directory if the store is below it, else all but the last component.
 */
static size_t
trusted_part(const struct store *store)
{
	struct span root = store->root, cwd = store->cwd;
	const char *slash = bytes_last(root.p, '/', root.n);

	if (span_eq(cwd, SPAN("/")))
		return 0;
	if (below(root, cwd) && root.n > cwd.n)
		return cwd.n;
	return slash != NULL ? (size_t)(slash - root.p) : 0;
}

/*
 * Open the store's root step by step.  Whether it is a store is judged later.
 */
static int
walk_to_root(const struct store *store, enum dir_want want)
{
	struct arena *arena = store->arena;
	size_t trusted = trusted_part(store);
	struct span rest = span_from(store->root, trusted);
	int fd = open(trusted > 0 ? arena_cstr(arena,
			  (struct span){store->root.p, trusted})
				  : "/",
	    DIR_FLAGS);

	if (fd >= 0)
		arena_own_fd(arena, fd);
	while (fd >= 0 && rest.n > 1) {
		struct span name = span_from(rest, 1);
		const char *end = memchr(name.p, '/', name.n);
		int next;

		if (end != NULL)
			name.n = (size_t)(end - name.p);
		rest = span_from(rest, name.n + 1);
		/*
		 * Only the root is private; its parents belong to the project.
		 */
		next = step(fd, arena_cstr(arena, name), want,
		    rest.n > 1 ? 0777 : STORE_MODE);
		arena_close_fd(arena, fd);
		if (next >= 0)
			arena_own_fd(arena, next);
		fd = next;
	}
	return fd;
}

/*
 * Open the store's root.  -1 if it cannot be used: FAULT says why, and errno
 * is ENOENT only if there is no store.
 */
static int
open_root(const struct store *store, enum dir_want want,
    enum dir_fault *fault)
{
	int fd = -1, error;

	/* Refuse the current directory and every directory above it. */
	*fault = DIR_ABOVE_CWD;
	if (!below(store->cwd, store->root)) {
		fd = walk_to_root(store, want);
		*fault =
		    fd >= 0 ? judge_root(store, fd, want) : fault_of(errno);
	}
	if (*fault == DIR_FINE)
		return fd;
	error = *fault == DIR_ABSENT ? ENOENT
	    : *fault == DIR_FAILED   ? errno
				     : EPERM;
	arena_close_fd(store->arena, fd);
	errno = error;
	return -1;
}

enum dir_fault
dir_look(const struct store *store)
{
	struct store asked = *store;
	enum dir_fault fault;
	int root = open_root(store, DIR_LOOK, &fault), error;

	if (fault == DIR_FINE)
		switch (owner_ask(&asked, root, DIR_LOOK)) {
		case OWNER_STRANGE:
			fault = DIR_STRANGE;
			break;
		case OWNER_KEYLESS:
			fault = DIR_KEYLESS;
			break;
		case OWNER_UNKNOWN:
			fault = DIR_FAILED;
			break;
		case OWNER_UNASKED:
		case OWNER_OURS:
			break;
		}
	if ((fault == DIR_FINE || fault == DIR_ABSENT) && store->guarded &&
	    store->keys.n == 0)
		fault = DIR_KEYLESS;
	if ((fault == DIR_FINE || fault == DIR_ABSENT ||
		fault == DIR_STRANGE) &&
	    owner_key_is_unfit(&asked))
		fault = DIR_KEY_UNFIT;
	error = errno;
	arena_close_fd(store->arena, root);
	errno = error;
	return fault;
}

int
dir_root(struct store *store, enum dir_want want)
{
	enum dir_fault fault;

	if (store->top < 0)
		store->top = open_root(store, want, &fault);
	else if (is_usual(store) && !make_private(store->top, want)) {
		errno = EPERM; /* opened with DIR_LOOK before */
		return -1;
	}
	return store->top;
}

/* Does the file NAME hold exactly TEXT?  TEXT is short. */
static bool
says(int root, const char *name, struct span text)
{
	int fd = file_open(root, name);
	char there[sizeof(cachedir_tag)];
	struct stat st;
	bool same;

	if (fd < 0)
		return false;
	same = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (size_t)st.st_size == text.n && text.n <= sizeof(there) &&
	    slurp_at(fd, there, text.n, 0) &&
	    memcmp(there, text.p, text.n) == 0;
	(void)close(fd);
	return same;
}

/*
 * Make sure that the file NAME holds TEXT.  A different one may have come with
 * a repository, to make git add what is kept here.
 */
static void
keep_note(int root, const char *name, struct span text)
{
	if (says(root, name, text))
		return;
	(void)unlinkat(root, name, 0);
	(void)dir_note(root, name, text);
}

/* Is NAME only a note, so that a directory with it may become a store? */
static bool
is_note_name(const char *name)
{
	static const char names[][16] = {
	    ".", "..", ".gitignore", "CACHEDIR.TAG", DIR_STAMP};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* What dir_is_shared says of ROOT, which is not in the usual place. */
static enum root_of
look_whose(int root)
{
	bool plain = false, memo = false, used = false;
	DIR *dir = dir_list(root);
	const struct dirent *entry;
	int error;

	if (dir == NULL)
		return ROOT_SHARED;
	while ((errno = 0, entry = readdir(dir)) != NULL) {
		plain = plain || is_record_name(entry->d_name);
		memo = memo || strcmp(entry->d_name, "memo") == 0;
		used = used || !is_note_name(entry->d_name);
	}
	error = errno;
	(void)closedir(dir);
	if (error != 0 || (plain && !memo))
		return ROOT_SHARED;
	return !used || says(root, "CACHEDIR.TAG", span_str(cachedir_tag))
		   ? ROOT_STORE
		   : ROOT_SHARED;
}

bool
dir_is_shared(struct store *store)
{
	int root;

	if (is_usual(store))
		return false;
	if (store->root_of == ROOT_UNASKED) {
		root = dir_root(store, DIR_LOOK);
		if (root < 0)
			return errno != ENOENT;
		store->root_of = look_whose(root);
	}
	return store->root_of == ROOT_SHARED;
}

/*
 * Write the files that a store has besides its directories.  This is done
 * whenever something is kept, not only with a new store: the process that made
 * the store may have been interrupted before.  With FIRST the directory to keep
 * it in is missing.
 *
 * In a directory that others use they would hide the others' files from git and
 * from backups.
 */
static void
write_notes(struct store *store, int root, bool first)
{
	bool usual = is_usual(store), shared = dir_is_shared(store);

	if (usual)
		keep_note(root, ".gitignore", SPAN("*\n"));
	else if (!shared)
		(void)dir_note(root, ".gitignore", SPAN("*\n"));
	if (!first)
		return;
	if (usual)
		keep_note(root, "CACHEDIR.TAG", span_str(cachedir_tag));
	else if (!shared)
		(void)dir_note(root, "CACHEDIR.TAG", span_str(cachedir_tag));
	(void)dir_note(root, DIR_STAMP, SPAN("")); /* no gc for an hour */
}

int
dir_enter(int fd, const char *name, enum dir_want want)
{
	int below = step(fd, name, want, STORE_MODE);

	if (below < 0 || make_private(below, want))
		return below;
	(void)close(below);
	errno = EPERM;
	return -1;
}

int
dir_below(struct store *store, int fd, const char *name, enum dir_want want)
{
	int below = dir_enter(fd, name, want);

	if (below >= 0)
		arena_own_fd(store->arena, below);
	return below;
}

int
dir_open(struct store *store, const char *sub, enum dir_want want)
{
	int root = dir_root(store, want);
	enum owner owner;
	struct stat st;

	if (root < 0)
		return -1;
	owner = owner_ask(store, root, want);
	if (owner != OWNER_OURS) {
		if (owner != OWNER_UNKNOWN)
			errno = EPERM;
		return -1;
	}
	if (want != DIR_MAKE)
		return dir_below(store, root, sub, want);
	write_notes(
	    store, root, fstatat(root, sub, &st, AT_SYMLINK_NOFOLLOW) != 0);
	return dir_below(store, root, sub, want);
}

const char *
dir_fault_text(enum dir_fault fault)
{
	switch (fault) {
	case DIR_FINE:
		return "it can be used.";
	case DIR_ABSENT:
		return "there is no store yet; the first read makes it.";
	case DIR_IN_THE_WAY:
		return "a link, or something that is not a directory, is in the "
		       "way; remove it, or name another store.";
	case DIR_ABOVE_CWD:
		return "a store cannot be the current directory or one above "
		       "it; name a directory of its own.";
	case DIR_FOREIGN:
		return "it holds other things than a store; name an empty "
		       "directory, or one that is not there yet.";
	case DIR_NOT_OURS:
		return "it belongs to another user; name one of your own.";
	case DIR_STRANGE:
		return "it was not made by you on this machine, so nothing in "
		       "it is used; remove it, or, if you trust it, take it "
		       "over: readcache cache adopt.";
	case DIR_KEYLESS:
		return "there is no place for the key that proves it yours; "
		       "set HOME or XDG_STATE_HOME, or name a store "
		       "(--store).";
	case DIR_KEY_UNFIT:
		return "the key that proves it yours (readcache/key in "
		       "XDG_STATE_HOME or ~/.local/state) must be a file of 32 "
		       "bytes that only you can read, and is not; remove it, "
		       "and a new one is made.";
	case DIR_FAILED:
		break;
	}
	return "it cannot be opened; look at its permissions.";
}

int
dir_plain(struct store *store, enum dir_want want)
{
	int root = dir_root(store, want == DIR_MAKE ? DIR_USE : want);
	DIR *dir = root >= 0 ? dir_list(root) : NULL;
	const struct dirent *entry;
	bool plain = false;

	if (dir == NULL)
		return -1;
	while (!plain && (entry = readdir(dir)) != NULL)
		plain = is_record_name(entry->d_name);
	(void)closedir(dir);
	return plain ? root : -1;
}
