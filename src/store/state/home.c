#include "store/state/home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hex.h"
#include "os/identity.h"
#include "os/random.h"
#include "store/gc.h"
#include "store/key.h"
#include "store/owner.h"
#include "store/walk.h"

#define STATES "states"
#define DAY (24 * 60 * 60)

enum { FILE_MODE = 0600, GONE_NAME = HOME_NAME + 1 + 16 };

/* ---- which store ---- */

/* Fill in the name and the key of HOME.  False if STORE has no id yet. */
static bool
know_store(const struct store *store, int root, struct home *home)
{
	struct identity found;
	uint64_t named[3]; /* which directory, if the user has named it */
	struct span id = {store->id, STORE_ID_HEX};
	struct digest name, key;

	if (store->guarded && store->owner != OWNER_OURS)
		return false;
	if (!store->guarded) {
		if (!identity_of(root, &found))
			return false;
		named[0] = found.inode;
		named[1] = found.born_s;
		named[2] = found.born_ns;
		id = (struct span){(const char *)named, sizeof(named)};
	}
	name = mac_of(
	    store->key, (struct span[]){SPAN("state"), store->root, id}, 3);
	key = mac_of(store->key,
	    (struct span[]){SPAN("state entries"), store->root, id}, 3);
	hex_write(name.bytes, HOME_NAME / 2, home->name);
	home->name[HOME_NAME] = '\0';
	memcpy(&home->key, key.bytes, sizeof(home->key));
	return true;
}

static struct span
path_of(const struct store *store, const struct home *home)
{
	struct buf path = buf_new(store->arena, store->keys.n + 64);

	buf_add(&path, store->keys);
	buf_str(&path, "/" STATES "/");
	buf_str(&path, home->name);
	return buf_span(&path);
}

/* ---- the directories ---- */

/* A directory of ours in which nobody else can change anything. */
static bool
is_private(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	       (st.st_mode & 0022) == 0;
}

void
home_close(struct store *store, struct home *home)
{
	arena_close_fd(store->arena, home->dir);
	arena_close_fd(store->arena, home->states);
	home->dir = home->states = -1;
}

/* Open both directories.  False, with none open, if they cannot be used. */
static bool
open_both(struct store *store, enum dir_want want, struct home *home)
{
	int keys = key_dir(store->arena, store->keys, KEY_LOOK);

	if (keys < 0)
		return false;
	if (is_private(keys))
		home->states = dir_below(store, keys, STATES, want);
	(void)close(keys);
	if (home->states >= 0 && is_private(home->states))
		home->dir = dir_below(store, home->states, home->name, want);
	if (home->dir >= 0 && is_private(home->dir))
		return true;
	home_close(store, home);
	return false;
}

bool
home_is_current(const struct store *store, const struct home *home)
{
	struct stat mine, there;

	return fstat(home->dir, &mine) == 0 &&
	       stat(arena_cstr(store->arena, home->path), &there) == 0 &&
	       mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

/* ---- the files ---- */

enum home_file { FILE_FINE, FILE_ABSENT, FILE_STRANGE };

/* LMDB follows links and writes to what is there, so look first. */
static enum home_file
look_at(const struct home *home, const char *name)
{
	struct stat st;

	if (fstatat(home->dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? FILE_ABSENT : FILE_STRANGE;
	return S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
		       st.st_nlink == 1 && (st.st_mode & 0077) == 0
		   ? FILE_FINE
		   : FILE_STRANGE;
}

/*
 * Make the file NAME, or leave it if another process has made it.  LMDB would
 * make it too, but with the umask, which may take rights from the owner.
 */
static bool
make_file(const struct home *home, const char *name)
{
	int fd = openat(home->dir, name,
	    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
	bool made;

	if (fd < 0)
		return errno == EEXIST;
	made = fchmod(fd, FILE_MODE) == 0;
	/*
	 * Closing it gives up all locks of this process on it.  It has none:
	 * LMDB opens the file later.
	 */
	(void)close(fd);
	return made;
}

/* Can LMDB open both files, and will it open no others? */
static enum home_file
prepare_files(const struct home *home, enum dir_want want)
{
	static const char names[][16] = {HOME_LOCK, HOME_DATA};
	enum home_file file = FILE_FINE;

	for (size_t i = 0; i < 2 && file == FILE_FINE; i++) {
		file = look_at(home, names[i]);
		if (file == FILE_ABSENT && want == DIR_MAKE)
			file = make_file(home, names[i]) ? FILE_FINE
							 : FILE_STRANGE;
	}
	return file;
}

/* The time of the directory is the last use, to the day. */
static void
note_use(const struct home *home)
{
	static const struct timespec now[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
	struct stat st;

	if (fstat(home->dir, &st) == 0 &&
	    !gc_is_recent(time(NULL), st.st_mtime, DAY))
		(void)futimens(home->dir, now);
}

bool
home_open(struct store *store, int root, enum dir_want want, struct home *home)
{
	*home = (struct home){.states = -1, .dir = -1};
	if (owner_ask(store, root, want) != OWNER_OURS ||
	    !owner_key(store, want) || !know_store(store, root, home))
		return false;
	home->path = path_of(store, home);
	for (int i = 0; i < 2 && open_both(store, want, home); i++) {
		enum home_file file = prepare_files(home, want);

		if (file == FILE_FINE) {
			if (want != DIR_LOOK)
				note_use(home);
			return true;
		}
		/* What LMDB must not open is replaced. */
		if (file == FILE_STRANGE && want == DIR_MAKE)
			(void)home_remove(home);
		home_close(store, home);
		if (want != DIR_MAKE)
			break;
	}
	return false;
}

uint64_t
home_size(const struct home *home)
{
	struct stat st;

	if (fstatat(home->dir, HOME_DATA, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    st.st_size < 0)
		return 0;
	return (uint64_t)st.st_size;
}

/* ---- removing ---- */

/* Remove the directory NAME in STATES, if it has our files only. */
static bool
remove_gone(int states, const char *name)
{
	int dir = openat(
	    states, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir < 0)
		return false;
	(void)unlinkat(dir, HOME_DATA, 0);
	(void)unlinkat(dir, HOME_LOCK, 0);
	(void)close(dir);
	return unlinkat(states, name, AT_REMOVEDIR) == 0;
}

/* Give NAME in STATES a name that nobody opens, and remove it. */
static bool
remove_database(int states, const char *name)
{
	uint8_t random[(GONE_NAME - HOME_NAME - 1) / 2];
	char gone[GONE_NAME + 1];

	if (!random_fill(random, sizeof(random)))
		return false;
	memcpy(gone, name, HOME_NAME);
	gone[HOME_NAME] = '-';
	hex_write(random, sizeof(random), gone + HOME_NAME + 1);
	gone[GONE_NAME] = '\0';
	if (renameat(states, name, states, gone) != 0)
		return errno == ENOENT;
	/* What cannot be removed now is tried again by home_tidy. */
	(void)remove_gone(states, gone);
	return true;
}

bool
home_remove(struct home *home)
{
	return remove_database(home->states, home->name);
}

/* Is NAME that of a database, or of one that is to go? */
static bool
is_database(const char *name, bool *gone)
{
	size_t n = strlen(name);

	*gone = n == GONE_NAME;
	return (n == HOME_NAME || *gone) &&
	       digest_is_hex((struct span){name, HOME_NAME}, HOME_NAME) &&
	       (!*gone || name[HOME_NAME] == '-');
}

/* Is it a day since the databases were last looked at?  If so, note it. */
static bool
is_time(int states, time_t now)
{
	const struct timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
	struct stat st;

	if (fstatat(states, DIR_STAMP, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		(void)dir_note(states, DIR_STAMP, SPAN(""));
		return false;
	}
	return !gc_is_recent(now, st.st_mtime, DAY) &&
	       utimensat(states, DIR_STAMP, times, AT_SYMLINK_NOFOLLOW) == 0;
}

void
home_tidy(struct home *home)
{
	time_t now = time(NULL);
	struct walk_thing thing;
	struct walk walk;
	bool gone;

	if (!is_time(home->states, now))
		return;
	walk = walk_begin(home->states);
	while (walk_any(&walk, &thing)) {
		if (!S_ISDIR(thing.st.st_mode) ||
		    !is_database(thing.name, &gone) ||
		    strcmp(thing.name, home->name) == 0)
			continue;
		if (gone)
			(void)remove_gone(home->states, thing.name);
		else if ((now - thing.st.st_mtime) / DAY >= HOME_DAYS)
			(void)remove_database(home->states, thing.name);
	}
	walk_end(&walk);
}
