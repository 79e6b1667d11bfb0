#include "unit_state.h"

#include <dirent.h>
#include <lmdb.h>
#include <stdarg.h>
#include <sys/wait.h>

#include "store/key.h"

/*
 * Nothing here is about a loss of power, and waiting for the disk would take
 * nearly all the time.
 */
int
fdatasync(int fd)
{
	(void)fd;
	return 0;
}

/* What happens when LMDB opens the database's file; NULL: nothing. */
static void (*when_opened)(void);

int
open(const char *path, int flags, ...)
{
	size_t n = strlen(path);
	va_list rest;
	int mode;

	va_start(rest, flags);
	mode = (flags & O_CREAT) != 0 ? va_arg(rest, int) : 0;
	va_end(rest);
	if (when_opened != NULL && n > sizeof(HOME_DATA) &&
	    strcmp(path + n - sizeof(HOME_DATA), "/" HOME_DATA) == 0) {
		void (*what)(void) = when_opened;

		when_opened = NULL;
		what();
	}
	return openat(AT_FDCWD, path, flags, mode);
}

static struct span
number_name(struct arena *arena, size_t i)
{
	struct buf name = buf_new(arena, 24);

	buf_str(&name, "name ");
	buf_u64(&name, i);
	return buf_span(&name);
}

static void
what_is_put_is_found(struct arena *arena)
{
	struct store store = unit_store(arena, "plain");
	struct state *state = state_open(&store, DIR_MAKE);
	struct span value;

	assert_non_null(state);
	assert_false(state_get(state, STATE_STAT, SPAN("a"), &value));
	state_put(state, STATE_STAT, SPAN("a"), SPAN("one"));
	state_put(state, STATE_DEP, SPAN("a"), SPAN("other table"));
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	ASSERT_TEXT(value, "one");
	state_put(state, STATE_STAT, SPAN("a"), SPAN("two"));
	assert_true(state_flush(state));
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	ASSERT_TEXT(value, "two");
	state_close(state);

	state = state_open(&store, DIR_USE);
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	ASSERT_TEXT(value, "two");
	assert_true(state_get(state, STATE_DEP, SPAN("a"), &value));
	ASSERT_TEXT(value, "other table");
	state_drop(state, STATE_STAT, SPAN("a"));
	assert_false(state_get(state, STATE_STAT, SPAN("a"), &value));
	assert_true(state_flush(state));
	assert_false(state_get(state, STATE_STAT, SPAN("a"), &value));
	assert_int_equal(state_count(state), 1);
	state_close(state);
}

static void
what_was_found_stays(struct arena *arena)
{
	struct store store = unit_store(arena, "stays");
	struct state *state = state_open(&store, DIR_MAKE);
	struct span before, after;

	state_put(state, STATE_STAT, SPAN("a"), SPAN("one"));
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &before));
	assert_true(state_flush(state));
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &after));
	for (size_t i = 0; i < 100; i++)
		state_put(state, STATE_STAT, number_name(arena, i), SPAN("two"));
	ASSERT_TEXT(before, "one");
	ASSERT_TEXT(after, "one");
	state_close(state);
}

/* A run whose nodes take long flushes after each of them. */
static void
flushes_take_no_memory(struct arena *arena)
{
	struct arena *small = arena_new((size_t)256 * 1024);
	struct store store = unit_store(small, "flushes");
	struct state *state;

	assert_int_equal(setjmp(*arena_guard(small)), 0);
	state = state_open(&store, DIR_MAKE);
	for (size_t i = 0; i < 100; i++) {
		state_put(state, STATE_STAT, number_name(arena, i), SPAN("a"));
		assert_true(state_flush(state));
	}
	assert_int_equal(state_count(state), 100);
	state_close(state);
	arena_free(small);
}

static void
what_is_removed_is_empty(struct arena *arena)
{
	struct store store = unit_store(arena, "removed");
	struct state *state = state_open(&store, DIR_MAKE);
	struct state_place place;
	struct span value;

	state_put(state, STATE_STAT, SPAN("a"), SPAN("one"));
	assert_true(state_flush(state));
	assert_true(state_remove(&store));
	assert_false(state_place(&store, &place));
	/* Whoever has it open is not disturbed. */
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	state_close(state);
	assert_null(state_open(&store, DIR_USE));
	assert_false(state_remove(&store));
	state = state_open(&store, DIR_MAKE);
	assert_non_null(state);
	assert_int_equal(state_count(state), 0);
	state_close(state);
}

static void
without_one_everything_is_absent(struct arena *arena)
{
	struct store store = unit_store(arena, "none");
	struct span value;

	assert_null(state_open(&store, DIR_USE));
	assert_null(state_open(&store, DIR_LOOK));
	assert_int_not_equal(access(unit_path(arena, "none"), F_OK), 0);
	assert_false(state_get(NULL, STATE_STAT, SPAN("a"), &value));
	state_put(NULL, STATE_STAT, SPAN("a"), SPAN("b"));
	assert_false(state_flush(NULL));
	state_rest(NULL);
	state_close(NULL);
	assert_int_equal(state_count(NULL), 0);
}

static void
looking_changes_nothing(struct arena *arena)
{
	struct store store = unit_store(arena, "look");
	struct state *state = state_open(&store, DIR_MAKE);
	struct span value;

	state_put(state, STATE_STAT, SPAN("a"), SPAN("1"));
	assert_true(state_flush(state));
	state_close(state);
	state = state_open(&store, DIR_LOOK);
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	state_put(state, STATE_STAT, SPAN("a"), SPAN("2"));
	(void)state_flush(state);
	assert_true(state_get(state, STATE_STAT, SPAN("a"), &value));
	ASSERT_TEXT(value, "1");
	state_close(state);
}

static void
what_is_too_long_is_not_kept(struct arena *arena)
{
	struct store store = unit_store(arena, "long");
	struct state *state = state_open(&store, DIR_MAKE);
	struct span name = unit_repeat(arena, SPAN("n"), STATE_NAME_MAX + 1);
	struct span big = unit_repeat(arena, SPAN("v"), STATE_VALUE_MAX + 1);
	struct span value;

	state_put(state, STATE_STAT, name, SPAN("1"));
	state_put(state, STATE_STAT, SPAN("a"), big);
	state_put(state, STATE_STAT, span_from(name, 1), span_from(big, 1));
	assert_true(state_flush(state));
	assert_false(state_get(state, STATE_STAT, name, &value));
	assert_false(state_get(state, STATE_STAT, SPAN("a"), &value));
	assert_true(state_get(state, STATE_STAT, span_from(name, 1), &value));
	ASSERT_SPAN(value, span_from(big, 1));
	state_close(state);
}

/* ---- several processes ---- */

enum { WRITERS = 8, PUTS = 25 };

static _Noreturn void
write_many(const char *root, size_t writer)
{
	struct arena *arena = arena_new(UNIT_ARENA);
	struct store store =
	    store_at(arena, span_str(root), span_str(unit_base));

	store.keys = span_str(unit_path(arena, "keys"));
	for (size_t i = 0; i < PUTS; i++) {
		bool written = false;

		/* On a busy machine its turn may not come within a second. */
		for (int tries = 0; tries < 60 && !written; tries++) {
			struct state *state = state_open(&store, DIR_MAKE);

			state_put(state, STATE_LEFT,
			    number_name(arena, writer * PUTS + i), SPAN("v"));
			written = state_flush(state);
			state_close(state);
		}
		if (!written)
			_exit(1);
	}
	_exit(0);
}

static void
t22_eight_writers_lose_nothing(struct arena *arena)
{
	struct store store = unit_store(arena, "many");
	const char *root = unit_path(arena, "many");
	struct state *state;
	int status;

	for (size_t i = 0; i < WRITERS; i++)
		if (fork() == 0)
			write_many(root, i);
	for (size_t i = 0; i < WRITERS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	state = state_open(&store, DIR_USE);
	assert_int_equal(state_count(state), WRITERS * PUTS);
	state_close(state);
}

static void
children_do_not_inherit_it(struct arena *arena)
{
	struct store store = unit_store(arena, "inherit");
	struct state *state = state_open(&store, DIR_MAKE);
	char command[600];

	assert_non_null(state);
	(void)snprintf(command, sizeof(command),
	    "! ls -l /proc/self/fd | grep -q '/state\\.mdb\\|/states/'");
	assert_int_equal(system(command), 0);
	state_close(state);
}

/* ---- damage ---- */

enum { ENTRIES = 400 };

static void
fill(struct arena *arena, struct store *store)
{
	struct state *state = state_open(store, DIR_MAKE);

	assert_non_null(state);
	for (size_t i = 0; i < ENTRIES; i++)
		state_put(state, STATE_STAT, number_name(arena, i),
		    number_name(arena, i * 7));
	assert_true(state_flush(state));
	state_close(state);
}

/* Whatever it says, it says nothing wrong; and it does not crash. */
static size_t
count_true(struct arena *arena, struct store *store)
{
	struct state *state = state_open(store, DIR_USE);
	struct span value;
	size_t found = 0;

	for (size_t i = 0; i < ENTRIES; i++)
		if (state_get(
			state, STATE_STAT, number_name(arena, i), &value)) {
			ASSERT_SPAN(value, number_name(arena, i * 7));
			found++;
		}
	state_put(state, STATE_STAT, SPAN("new"), SPAN("one"));
	(void)state_flush(state);
	state_close(state);
	return found;
}

static void
overwrite(const char *path, long at, struct span bytes)
{
	FILE *file = fopen(path, "r+b");

	assert_non_null(file);
	assert_int_equal(fseek(file, at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, file), bytes.n);
	assert_int_equal(fclose(file), 0);
}

/* The whole file PATH. */
static struct span
file_bytes(struct arena *arena, const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	char *bytes;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &st), 0);
	bytes = arena_alloc(arena, (size_t)st.st_size);
	assert_int_equal(fread(bytes, 1, (size_t)st.st_size, file), st.st_size);
	assert_int_equal(fclose(file), 0);
	return (struct span){bytes, (size_t)st.st_size};
}

static void
damage_one(const char *path, struct chance *chance, size_t size, int how)
{
	char junk[64];

	for (size_t j = 0; j < sizeof(junk); j++)
		junk[j] = (char)chance_next(chance);
	switch (how) {
	case 0:
		assert_int_equal(
		    truncate(path, (off_t)chance_below(chance, size)), 0);
		break;
	case 1: /* one byte */
		overwrite(
		    path, (long)chance_below(chance, size), span_of(junk, 1));
		break;
	default: /* a run of junk, somewhere */
		overwrite(path, (long)chance_below(chance, size - 64),
		    span_of(junk, sizeof(junk)));
		break;
	}
}

static void
damage_is_only_slowness(struct arena *arena)
{
	struct store first = unit_store(arena, "damage");
	struct arena *scratch = arena_scratch(arena);
	struct chance chance = chance_new(8);
	const char *path;
	struct span good;

	fill(arena, &first);
	path = unit_in_home(&first, HOME_DATA);
	good = file_bytes(arena, path);
	for (int i = 0; i < 300; i++) {
		struct store store = unit_store(scratch, "damage");
		struct state *state = state_open(&store, DIR_MAKE);

		/* If the last damage was noticed, there is a new one. */
		assert_non_null(state);
		state_close(state);
		unit_write_file(path, good);
		damage_one(path, &chance, good.n, i % 4);
		(void)count_true(scratch, &store);
		arena_reset(scratch);
	}
}

static void
what_is_no_database_is_replaced(struct arena *arena)
{
	struct store store = unit_store(arena, "junk");

	fill(arena, &store);
	unit_write_file(unit_in_home(&store, HOME_DATA),
	    unit_repeat(arena, SPAN("junk\n"), 5000));
	assert_int_equal(count_true(arena, &store), 0);
	fill(arena, &store);
	assert_int_equal(count_true(arena, &store), ENTRIES);
}

/* F1: LMDB would follow a link, and write to what it leads to. */
static void
f1_links_are_not_followed(struct arena *arena)
{
	static const char *const names[] = {HOME_DATA, HOME_LOCK};
	const char *victim = unit_path(arena, "victim");
	struct store store = unit_store(arena, "links");

	unit_write_file(victim, SPAN("mine"));
	assert_int_equal(chmod(victim, 0600), 0); /* as our own have it */
	for (size_t i = 0; i < 4; i++) {
		const char *name;
		struct stat st;

		fill(arena, &store);
		name = unit_in_home(&store, names[i % 2]);
		assert_int_equal(unlink(name), 0);
		if (i < 2)
			assert_int_equal(symlink(victim, name), 0);
		else
			assert_int_equal(link(victim, name), 0);
		assert_null(state_open(&store, DIR_USE));
		assert_null(state_open(&store, DIR_LOOK));
		fill(arena, &store); /* what cannot be used is replaced */
		assert_int_equal(count_true(arena, &store), ENTRIES);
		assert_int_equal(stat(victim, &st), 0);
		assert_int_equal(st.st_size, 4);
		assert_int_equal(st.st_nlink, 1);
	}
}

/* ---- where it is ---- */

/* H2: whoever can write in the project cannot reach LMDB's files. */
static void
h2_nothing_of_it_is_in_the_store(struct arena *arena)
{
	const char *victim = unit_path(arena, "untouched");
	struct store store = unit_store(arena, "project");
	const struct dirent *entry;
	struct stat st;
	DIR *dir;

	assert_int_equal(mkdir(unit_path(arena, "project"), 0700), 0);
	unit_write_file(victim, SPAN("mine"));
	assert_int_equal(
	    symlink("../untouched", unit_path(arena, "project/state.mdb")), 0);
	assert_int_equal(
	    symlink("../untouched", unit_path(arena, "project/state.mdb-lock")),
	    0);
	fill(arena, &store);
	assert_int_equal(count_true(arena, &store), ENTRIES);
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 4);
	dir = opendir(unit_path(arena, "project"));
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_type != DT_LNK)
			CHECK(strstr(entry->d_name, "state") == NULL, "%s",
			    entry->d_name);
	(void)closedir(dir);
	assert_true(span_starts(span_str(unit_in_home(&store, "")),
	    span_str(unit_path(arena, "keys/states/"))));
	assert_int_equal(stat(unit_in_home(&store, ""), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(unit_in_home(&store, HOME_DATA), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat(unit_in_home(&store, HOME_LOCK), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

/* H2: a place that is not the user's alone is not used. */
static void
h2_an_unfit_place_is_not_used(struct arena *arena)
{
	const char *states = unit_path(arena, "bad/states");
	const char *aside = unit_path(arena, "bad/aside");
	struct store store = unit_store(arena, "unfit");
	struct stat st;

	store.keys = span_str(unit_path(arena, "bad"));
	fill(arena, &store);
	assert_int_equal(rename(states, aside), 0);
	assert_int_equal(symlink("aside", states), 0);
	assert_null(state_open(&store, DIR_LOOK));
	assert_null(state_open(&store, DIR_USE));
	assert_null(state_open(&store, DIR_MAKE));
	assert_int_equal(unlink(states), 0);
	unit_write_file(states, SPAN("in the way"));
	assert_null(state_open(&store, DIR_MAKE));
	assert_int_equal(unlink(states), 0);
	assert_int_equal(rename(aside, states), 0);
	assert_int_equal(count_true(arena, &store), ENTRIES);
	/* Open to others: looking refuses it, using makes it private. */
	assert_int_equal(chmod(states, 0777), 0);
	assert_null(state_open(&store, DIR_LOOK));
	assert_int_equal(count_true(arena, &store), ENTRIES);
	assert_int_equal(stat(states, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(chmod(unit_in_home(&store, ""), 0777), 0);
	assert_null(state_open(&store, DIR_LOOK));
	assert_int_equal(count_true(arena, &store), ENTRIES);
	/* A file that others could write is replaced. */
	assert_int_equal(chmod(unit_in_home(&store, HOME_DATA), 0666), 0);
	assert_null(state_open(&store, DIR_USE));
	fill(arena, &store);
	/* The directory of the key itself is the user's to mend. */
	assert_int_equal(chmod(unit_path(arena, "bad"), 0770), 0);
	assert_null(state_open(&store, DIR_MAKE));
	assert_int_equal(chmod(unit_path(arena, "bad"), 0700), 0);
	assert_int_equal(count_true(arena, &store), ENTRIES);
	if (geteuid() != 0)
		return; /* only root can give things away */
	assert_int_equal(chown(states, 12345, 12345), 0);
	assert_null(state_open(&store, DIR_MAKE));
}

static const char *turned; /* the directory of a database */

static void
turn_away(void)
{
	char aside[512], data[512];

	(void)snprintf(aside, sizeof(aside), "%s.aside", turned);
	(void)snprintf(data, sizeof(data), "%s/" HOME_DATA, turned);
	assert_int_equal(rename(turned, aside), 0);
	assert_int_equal(mkdir(turned, 0700), 0);
	assert_int_equal(close(creat(data, 0600)), 0);
	turned = NULL;
}

/* A lock of one database and the data of the next: two could write at once. */
static void
h2_both_files_are_of_one_directory(struct arena *arena)
{
	struct store store = unit_store(arena, "turned");

	fill(arena, &store);
	turned = unit_in_home(&store, ".");
	turned = arena_cstr(
	    arena, (struct span){turned, strlen(turned) - strlen("/.")});
	when_opened = turn_away;
	assert_null(state_open(&store, DIR_USE));
	assert_null(turned); /* it was done */
	fill(arena, &store);
	assert_int_equal(count_true(arena, &store), ENTRIES);
}

/* Every store has its own, and one that is made anew begins with none. */
static void
h2_each_store_has_its_own(struct arena *arena)
{
	const char *aside = unit_path(arena, "first aside");
	struct store one = unit_store(arena, "first");
	struct store two = unit_store(arena, "second");
	struct store again;

	fill(arena, &one);
	assert_null(state_open(&two, DIR_USE));
	fill(arena, &two);
	assert_string_not_equal(unit_in_home(&one, ""), unit_in_home(&two, ""));
	/* Both exist, so one cannot have the inode number of the other. */
	assert_int_equal(rename(unit_path(arena, "first"), aside), 0);
	assert_int_equal(mkdir(unit_path(arena, "first"), 0700), 0);
	again = unit_store(arena, "first");
	assert_null(state_open(&again, DIR_USE));
	again = unit_store(arena, "first aside"); /* it was moved */
	assert_null(state_open(&again, DIR_USE));
}

/* ---- what somebody else has written ---- */

/* Put VALUE under KEY into the database of STORE, past the module. */
static void
plant(struct store *store, struct span key, struct span value)
{
	MDB_val name = {key.n, (void *)(uintptr_t)key.p};
	MDB_val stored = {value.n, (void *)(uintptr_t)value.p};
	MDB_env *env;
	MDB_txn *txn;
	MDB_dbi table;

	assert_int_equal(mdb_env_create(&env), 0);
	assert_int_equal(mdb_env_open(env, unit_in_home(store, HOME_DATA),
			     MDB_NOSUBDIR, 0600),
	    0);
	assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
	assert_int_equal(mdb_dbi_open(txn, NULL, 0, &table), 0);
	if (value.p == NULL) /* what is under KEY, under the name "moved" */
		assert_int_equal(mdb_get(txn, table, &name, &stored), 0);
	if (value.p == NULL)
		name = (MDB_val){6, (void *)(uintptr_t) "Smoved"};
	assert_int_equal(mdb_put(txn, table, &name, &stored, 0), 0);
	assert_int_equal(mdb_txn_commit(txn), 0);
	mdb_env_close(env);
}

static bool
has(struct store *store, enum state_table table, const char *name)
{
	struct state *state = state_open(store, DIR_USE);
	struct span value;
	bool got;

	assert_non_null(state);
	got = state_get(state, table, span_str(name), &value);
	state_close(state);
	return got;
}

/* H3: whoever can write the file, but has no key, can plant nothing. */
static void
h3_a_planted_entry_is_absent(struct arena *arena)
{
	struct store store = unit_store(arena, "planted");
	struct digest hash = digest_of(SPAN("Snamevalue"));
	struct buf forged = buf_new(arena, 64);

	fill(arena, &store);
	buf_add(&forged, SPAN("value"));
	buf_add(&forged, (struct span){(const char *)hash.bytes, 8});
	plant(&store, SPAN("Sname"), buf_span(&forged)); /* it was valid once */
	assert_false(has(&store, STATE_STAT, "name"));
	plant(&store, SPAN("Sshort"), SPAN("short"));
	assert_false(has(&store, STATE_STAT, "short"));
	plant(&store, SPAN("Sempty"), unit_repeat(arena, SPAN("\0"), 16));
	assert_false(has(&store, STATE_STAT, "empty"));
	/* Somebody's own key, by the same rules. */
	hash = digest_of(SPAN("Sname"));
	plant(
	    &store, SPAN("Sname"), (struct span){(const char *)hash.bytes, 32});
	assert_false(has(&store, STATE_STAT, "name"));
}

/* H3: nor move an entry of the user's to another name, table or store. */
static void
h3_a_moved_entry_is_absent(struct arena *arena)
{
	struct store store = unit_store(arena, "moved");
	struct store other = unit_store(arena, "moved too");
	struct span data;

	fill(arena, &store);
	assert_true(has(&store, STATE_STAT, "name 1"));
	plant(&store, SPAN("Sname 1"), (struct span){NULL, 0});
	assert_true(has(&store, STATE_STAT, "name 1"));
	assert_false(has(&store, STATE_STAT, "moved"));
	fill(arena, &other);
	assert_true(has(&other, STATE_STAT, "name 1"));
	data = file_bytes(arena, unit_in_home(&store, HOME_DATA));
	unit_write_file(unit_in_home(&other, HOME_DATA), data);
	assert_false(has(&other, STATE_STAT, "name 1"));
	unit_write_file(unit_in_home(&store, HOME_DATA), data);
	assert_true(has(&store, STATE_STAT, "name 1"));
}

/* The check is by the user's key: with another key all is absent. */
static void
h3_another_key_finds_nothing(struct arena *arena)
{
	struct store store = unit_store(arena, "keyed"), again;
	const char *before, *after;
	uint8_t key[MAC_KEY];

	store.keys = span_str(unit_path(arena, "keys of one"));
	fill(arena, &store);
	before = unit_in_home(&store, "");
	assert_int_equal(unlink(unit_path(arena, "keys of one/key")), 0);
	assert_true(key_get(arena, store.keys, KEY_MAKE, key));
	again = unit_store(arena, "keyed");
	again.keys = store.keys;
	assert_null(state_open(&again, DIR_USE)); /* it has another name */
	fill(arena, &again);
	after = unit_in_home(&again, "");
	assert_string_not_equal(before, after);
}

/* ---- databases of stores that are gone ---- */

enum { DAY_SECONDS = 24 * 60 * 60 };

static void
set_age(const char *path, long days)
{
	struct timespec times[2] = {{0, UTIME_OMIT}, {0, 0}};

	times[1].tv_sec = time(NULL) - days * DAY_SECONDS;
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static struct store
aged_store(struct arena *arena, const char *name, long days)
{
	struct store store = unit_store(arena, name);

	store.keys = span_str(unit_path(arena, "old keys"));
	fill(arena, &store);
	set_age(unit_in_home(&store, ""), days);
	return store;
}

static bool
is_there(struct store *store)
{
	struct state_place place;

	return state_place(store, &place);
}

static void
h2_what_nobody_uses_goes(struct arena *arena)
{
	struct store own = aged_store(arena, "own", 100);
	struct store old = aged_store(arena, "old", 90);
	struct store young = aged_store(arena, "young", 89);
	struct store future = aged_store(arena, "future", -100);
	const char *states = unit_path(arena, "old keys/states");
	const char *stamp = unit_path(arena, "old keys/states/" DIR_STAMP);
	const char *foreign = unit_path(arena, "old keys/states/foreign");
	const char *lost = unit_path(arena,
	    "old "
	    "keys/states/0123456789abcdef0123456789abcdef-0123456789abcdef");
	struct stat st;

	assert_int_equal(mkdir(foreign, 0700), 0);
	set_age(foreign, 1000);
	assert_int_equal(mkdir(lost, 0700), 0); /* a removal that was cut off */
	state_tidy(&own); /* the first time nothing can be old */
	assert_true(is_there(&old));
	set_age(stamp, 0);
	state_tidy(&own); /* not again on the same day */
	assert_true(is_there(&old));
	set_age(stamp, 2);
	set_age(unit_in_home(&own, ""), 100);
	state_tidy(&own);
	assert_false(is_there(&old));
	assert_true(is_there(&young));
	assert_true(is_there(&future));
	assert_true(is_there(&own));
	assert_int_equal(access(foreign, F_OK), 0);
	assert_int_not_equal(access(lost, F_OK), 0);
	assert_int_equal(stat(stamp, &st), 0);
	assert_true(time(NULL) - st.st_mtime < DAY_SECONDS);
	assert_int_equal(stat(states, &st), 0);
	assert_int_equal(st.st_nlink, 2 + 4); /* own, young, future, foreign */
}

/* Being used is noted, to the day; looking is not a use. */
static void
h2_a_use_is_noted(struct arena *arena)
{
	struct store store = aged_store(arena, "used", 50);
	const char *home = unit_in_home(&store, "");
	struct stat st;

	state_close(state_open(&store, DIR_LOOK));
	assert_int_equal(stat(home, &st), 0);
	assert_true(time(NULL) - st.st_mtime > 49 * DAY_SECONDS);
	state_close(state_open(&store, DIR_USE));
	assert_int_equal(stat(home, &st), 0);
	assert_true(time(NULL) - st.st_mtime < DAY_SECONDS);
}

/* What earlier versions kept in the store goes, but nobody else's file. */
static void
h2_a_former_database_goes(struct arena *arena)
{
	const char *data = unit_path(arena, "former/state.mdb");
	const char *own = unit_path(arena, "former/state.mdb-own");
	struct store store = unit_store(arena, "former");

	fill(arena, &store);
	unit_write_file(data, SPAN("data"));
	state_tidy(&store);
	assert_int_equal(access(data, F_OK), 0);
	unit_write_file(own, SPAN("of another program"));
	state_tidy(&store);
	assert_int_equal(access(data, F_OK), 0);
	unit_write_file(own, unit_repeat(arena, SPAN("m"), 32));
	state_tidy(&store);
	assert_int_not_equal(access(data, F_OK), 0);
	assert_int_not_equal(access(own, F_OK), 0);
	assert_int_equal(count_true(arena, &store), ENTRIES);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_is_put_is_found),
	    TEST(what_was_found_stays),
	    TEST(flushes_take_no_memory),
	    TEST(what_is_removed_is_empty),
	    TEST(without_one_everything_is_absent),
	    TEST(looking_changes_nothing),
	    TEST(what_is_too_long_is_not_kept),
	    TEST(t22_eight_writers_lose_nothing),
	    TEST(children_do_not_inherit_it),
	    TEST(damage_is_only_slowness),
	    TEST(what_is_no_database_is_replaced),
	    TEST(f1_links_are_not_followed),
	    TEST(h2_nothing_of_it_is_in_the_store),
	    TEST(h2_an_unfit_place_is_not_used),
	    TEST(h2_both_files_are_of_one_directory),
	    TEST(h2_each_store_has_its_own),
	    TEST(h3_a_planted_entry_is_absent),
	    TEST(h3_a_moved_entry_is_absent),
	    TEST(h3_another_key_finds_nothing),
	    TEST(h2_what_nobody_uses_goes),
	    TEST(h2_a_use_is_noted),
	    TEST(h2_a_former_database_goes),
	};

	return RUN_TESTS_IN_DIR(tests);
}
