#include "work/record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/slurp.h"
#include "base/utf8.h"
#include "os/times.h"
#include "store/dir.h"
#include "store/file.h"

#define RECORD_MODE 0600
#define USED_SECONDS (60 * 60)

enum { RECORD_NAME = DIGEST_HEX + sizeof(".json") };

struct records
records_in(struct store *store)
{
	return (struct records){store, -1};
}

int
records_open(struct records *records, enum dir_want want)
{
	if (records->dir >= 0)
		return records->dir;
	records->dir = dir_open(records->store, "memo",
	    want == DIR_MAKE ? DIR_USE : want);
	if (records->dir < 0)
		records->dir = dir_plain(records->store, want);
	if (records->dir < 0 && want == DIR_MAKE)
		records->dir = dir_open(records->store, "memo", want);
	return records->dir;
}

bool
records_are_plain(const struct records *records)
{
	return records->dir >= 0 && records->dir == records->store->top;
}

/*
 * The file name of KEY.  False if KEY is not valid: the disk is not asked
 * then.
 */
static bool
file_name(struct span key, char name[RECORD_NAME])
{
	if (!record_key_valid(key))
		return false;
	(void)snprintf(name, RECORD_NAME, "%.*s.json", (int)key.n, key.p);
	return true;
}

struct seal_name
record_seal(const char *name)
{
	return (struct seal_name){SPAN("memo"), SPAN(""), name};
}

/* ---- reading ---- */

/*
 * Note that FD, called NAME, is used, in its access time: else gc takes it too
 * early.  Done at most once an hour, and only if the times are nobody else's.
 */
static void
note_use(int dir, const char *name, int fd, const struct stat *st)
{
	static const struct timespec used[2] = {
	    {0, UTIME_NOW}, {0, UTIME_OMIT}};
	time_t now = time(NULL);

	if ((st->st_atime > now || now - st->st_atime > USED_SECONDS) &&
	    file_is_alone(dir, name, st))
		(void)futimens(fd, used);
}

static uint64_t
made_at(const struct stat *st)
{
	if (times_modified(st)->tv_sec < 0)
		return 0;
	return (uint64_t)times_modified(st)->tv_sec * 1000 +
	       (uint64_t)times_modified(st)->tv_nsec / 1000000;
}

static enum record_got
judge(const struct record *record, uint64_t max_age)
{
	switch (clock_judge(&record->life, max_age, clock_now())) {
	case FRESH:
		return RECORD_HIT;
	case STALE_EXPIRED:
		return RECORD_EXPIRED;
	case STALE_TOO_OLD:
		return RECORD_TOO_OLD;
	case STALE_FUTURE:
		break;
	}
	return RECORD_FUTURE;
}

static void
keep(struct arena *arena, struct span *text)
{
	if (text->p != NULL)
		text->p = arena_cstr(arena, *text);
}

/* Copy all texts of RECORD to ARENA, out of the scratch arena. */
static void
keep_all(struct arena *arena, struct record *record)
{
	struct span *const texts[] = {&record->value, &record->kind,
	    &record->status, &record->errors, &record->order, &record->json,
	    &record->model, &record->outs, &record->inputs, &record->flow,
	    &record->phase, &record->run_id, &record->creator,
	    &record->tool_version};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		keep(arena, texts[i]);
}

/* Read the open file FD of the record KEY. */
static enum record_got
load_open(struct records *records, int fd, const char *name, struct span key,
    uint64_t max_age, struct record *record, struct stat *st)
{
	struct arena *scratch = store_scratch(records->store);
	struct span text;
	enum slurp got;

	if (fstat(fd, st) != 0)
		return RECORD_FAILED;
	got = slurp(scratch, fd, RECORD_MAX, &text);
	if (got != SLURP_OK)
		return got == SLURP_FAILED ? RECORD_FAILED : RECORD_DAMAGED;
	if (!seal_open(records->store, record_seal(name), &text) ||
	    !record_read(scratch, key, text, record))
		return RECORD_DAMAGED;
	if (record->status.p != NULL && !span_eq(record->status, SPAN("done")))
		return RECORD_DAMAGED;
	keep_all(records->store->arena, record);
	(void)store_scratch(records->store); /* the file may be large */
	record->key = key;
	/* Other programs do not write when it was made. */
	if (record->life.created_ms == 0)
		record->life.created_ms = made_at(st);
	return judge(record, max_age);
}

enum record_got
record_load(struct records *records, struct span key, uint64_t max_age,
    enum record_use use, struct record *record)
{
	char name[RECORD_NAME];
	enum record_got got;
	struct stat st;
	int dir, fd;

	if (!file_name(key, name))
		return RECORD_ABSENT;
	/* Whoever looks changes no mode: what is written next has ours. */
	dir = records_open(records, DIR_LOOK);
	if (dir < 0)
		return RECORD_ABSENT;
	fd = file_open(dir, name);
	if (fd < 0)
		return errno == ENOENT ? RECORD_ABSENT
		       : errno == ELOOP ? RECORD_DAMAGED /* a link */
					: RECORD_FAILED;
	arena_own_fd(records->store->arena, fd);
	got = load_open(records, fd, name, key, max_age, record, &st);
	if (use == RECORD_USE && got == RECORD_HIT)
		note_use(dir, name, fd, &st);
	if (use == RECORD_USE && got == RECORD_EXPIRED &&
	    (record->claim != CLAIM_NONE || !dir_is_shared(records->store)))
		(void)unlinkat(dir, name, 0);
	arena_close_fd(records->store->arena, fd);
	return got;
}

enum reason
record_reason(enum record_got got)
{
	switch (got) {
	case RECORD_HIT:
		return REASON_SAME;
	case RECORD_EXPIRED:
		return REASON_EXPIRED;
	case RECORD_TOO_OLD:
		return REASON_TOO_OLD;
	case RECORD_FUTURE:
		return REASON_FUTURE;
	case RECORD_DAMAGED:
		return REASON_DAMAGED;
	case RECORD_FAILED:
		return REASON_STORE;
	case RECORD_ABSENT:
		break;
	}
	return REASON_FIRST;
}

/*
 * Is the file NAME in DIR, which other programs use, a record by what it says
 * of itself?
 */
static bool
is_record(struct records *records, int dir, const char *name, struct span key)
{
	struct arena *scratch = store_scratch(records->store);
	int fd = file_open(dir, name);
	struct record record;
	struct span text;
	bool is;

	if (fd < 0)
		return false;
	is = slurp(scratch, fd, RECORD_MAX, &text) == SLURP_OK &&
	     record_read(scratch, key, text, &record) &&
	     record.claim != CLAIM_NONE;
	(void)close(fd);
	(void)store_scratch(records->store);
	return is;
}

/*
 * May NAME in DIR be removed or replaced?  Not if it may be the file of
 * somebody who has never heard of us.
 */
static bool
is_removable(
    struct records *records, int dir, const char *name, struct span key)
{
	return !dir_is_shared(records->store) ||
	       is_record(records, dir, name, key);
}

/* ---- writing ---- */

static bool
write_text(struct store *store, int dir, const char *name, struct span text)
{
	if (seal_file(store, dir, record_seal(name), text, RECORD_MODE))
		return true;
	/*
	 * A directory is in the way.  It is removed if it is empty, else it
	 * may be somebody's.
	 */
	if (errno != EISDIR || unlinkat(dir, name, AT_REMOVEDIR) != 0) {
		errno = errno == ENOTEMPTY || errno == EEXIST ? EISDIR : errno;
		return false;
	}
	return seal_file(store, dir, record_seal(name), text, RECORD_MODE);
}

bool
record_save(struct records *records, const struct record *record)
{
	char name[RECORD_NAME];
	struct span text;
	struct stat st;
	bool saved;
	int dir;

	if (!file_name(record->key, name)) {
		errno = EINVAL;
		return false;
	}
	dir = records_open(records, DIR_MAKE);
	if (dir < 0)
		return false;
	if (!is_removable(records, dir, name, record->key) &&
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return false;
	}
	text = record_write(store_scratch(records->store), record);
	saved = write_text(records->store, dir, name, text);
	/* Free the text, which may be large. */
	(void)store_scratch(records->store);
	return saved;
}

bool
record_remove(struct records *records, struct span key)
{
	char name[RECORD_NAME];
	int dir;

	if (!file_name(key, name))
		return false;
	dir = records_open(records, DIR_USE);
	return dir >= 0 && is_removable(records, dir, name, key) &&
	       (unlinkat(dir, name, 0) == 0 ||
		   unlinkat(dir, name, AT_REMOVEDIR) == 0);
}

bool
record_exists(struct records *records, struct span key)
{
	char name[RECORD_NAME];
	struct stat st;
	int dir;

	if (!file_name(key, name))
		return false;
	dir = records_open(records, DIR_LOOK);
	return dir >= 0 && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

struct span
record_creator(struct arena *arena)
{
	const char *user = getenv("USER");
	struct buf text = buf_new(arena, 64);
	struct utsname host;

	if (user != NULL && user[0] != '\0' && utf8_valid(span_str(user))) {
		buf_str(&text, user);
	} else {
		buf_str(&text, "uid ");
		buf_u64(&text, (uint64_t)geteuid());
	}
	if (uname(&host) == 0 && utf8_valid(span_str(host.nodename))) {
		buf_char(&text, '@');
		buf_str(&text, host.nodename);
	}
	return buf_span(&text);
}
