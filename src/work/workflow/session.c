#include "work/workflow/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/slurp.h"
#include "os/times.h"
#include "store/file.h"
#include "store/lock/lock.h"
#include "store/seal.h"
#include "work/workflow/session_text.h"

#define FILE_NAME "metadata.json"
#define NOTE_NAME "quiet"
#define FILE_MAX ((size_t)256 * 1024 * 1024)
#define READ_ROUNDS 3
/* How exactly the last use is known: normally, and for long workflows. */
#define USED_EVERY_MS 60000
#define LONG_USED_EVERY_MS ((uint64_t)60 * 60 * 1000)
/* From this number of nodes on a workflow is long. */
#define LONG 256
/* The journal may be as large as one part in this many of metadata.json. */
#define LINES_SHARE 8
#define LINE_ABOUT 512

/* ---- the nodes ---- */

struct session_node *
session_find(struct flow_session *session, struct span id)
{
	const uint64_t *at = map_find(session->ids, id);

	return at != NULL ? &session->nodes[*at] : NULL;
}

struct session_node *
session_note(struct flow_session *session, struct span id)
{
	struct arena *arena = session->store->arena;
	uint64_t at = *map_at(session->ids, id, session->n);
	struct session_node *node;

	if (at < session->n)
		return &session->nodes[at];
	session->nodes = arena_more(arena, session->nodes, session->n,
	    &session->room, sizeof(*session->nodes));
	node = &session->nodes[session->n++];
	*node = (struct session_node){.id = id,
	    .run = SPAN(""),
	    .key = SPAN(""),
	    .type = SPAN(""),
	    .error = SPAN("")};
	return node;
}

void
session_mark(struct flow_session *session, struct session_node *node)
{
	if (node->changed)
		return;
	node->changed = true;
	session->fresh = arena_more(session->store->arena, session->fresh,
	    session->nfresh, &session->fresh_room, sizeof(size_t));
	session->fresh[session->nfresh++] = (size_t)(node - session->nodes);
}

static void
forget_marks(struct flow_session *session)
{
	for (size_t i = 0; i < session->nfresh; i++)
		session->nodes[session->fresh[i]].changed = false;
	session->nfresh = 0;
}

/* ---- the file ---- */

/* Open its directory.  The caller closes it by arena_close_fd. */
static int
open_dir(struct flow_session *session, enum dir_want want)
{
	int flows = dir_open(session->store, "flows", want), dir;

	if (flows < 0)
		return -1;
	dir = dir_below(session->store, flows, session->name, want);
	arena_close_fd(session->store->arena, flows);
	return dir;
}

/* The name in the seal of the file NAME of SESSION. */
static struct seal_name
seal_name(const struct flow_session *session, const char *name)
{
	return (struct seal_name){
	    SPAN("flows"), span_str(session->name), name};
}

/* Read the sealed file NAME of SESSION, in DIR, into ARENA. */
static bool
load_bytes(struct arena *arena, const struct flow_session *session, int dir,
    const char *name, struct span *bytes)
{
	int fd = file_open(dir, name);
	bool got;

	if (fd < 0)
		return false;
	got = slurp(arena, fd, FILE_MAX, bytes) == SLURP_OK &&
	      seal_open(session->store, seal_name(session, name), bytes);
	(void)close(fd);
	return got;
}

static struct flow_session_file
look_at_file(int dir)
{
	struct stat st;

	if (fstatat(dir, FILE_NAME, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return (struct flow_session_file){0, 0, 0};
	return (struct flow_session_file){(uint64_t)st.st_ino,
	    (uint64_t)st.st_size,
	    (uint64_t)times_changed(&st)->tv_sec * 1000000000 +
		(uint64_t)times_changed(&st)->tv_nsec};
}

/* Read metadata.json if it is not the file that was read before. */
static bool
read_file(struct flow_session *session, int dir)
{
	struct flow_session_file there = look_at_file(dir);
	struct arena *scratch;
	struct span text;

	if (there.inode == session->read.inode &&
	    there.size == session->read.size &&
	    there.changed_ns == session->read.changed_ns)
		return false;
	scratch = store_scratch(session->store);
	session->read = there;
	session->journal_at = 0;
	session->is_behind = false;
	journal_first(session->store, session->name, session->journal);
	if (load_bytes(scratch, session, dir, FILE_NAME, &text))
		(void)session_read(session, scratch, text);
	return true;
}

/* Read what is new in DIR; false if nothing is. */
static bool
read_all(struct flow_session *session, int dir)
{
	struct journal_lines lines = {.text = SPAN("")};
	struct arena *scratch;
	bool news = false, again;
	size_t rounds = 0;

	/* The store has been opened now, so its owner is known. */
	if (session->journal[0] == '\0')
		journal_first(session->store, session->name, session->journal);
	do {
		news = read_file(session, dir) || news;
		scratch = store_scratch(session->store);
		lines.from = session->journal_at;
		/*
		 * With another word: it was saved meanwhile, or the journal is
		 * void.
		 */
		again =
		    !journal_read(scratch, session->store, dir,
			session->journal, &lines);
	} while (again && ++rounds < READ_ROUNDS);
	if (again || lines.text.n == 0)
		return news;
	session_read_lines(session, scratch, lines.text);
	session->journal_at = lines.next;
	session->is_behind = true;
	return true;
}

/* An empty session. */
static struct flow_session
session_of(struct store *store, const struct source *source)
{
	struct flow_session session = {.store = store, .source = source};
	struct digest name = digest_of(source->path);

	session.ids = map_new(store->arena, 64);
	digest_hex(&name, session.name);
	return session;
}

struct flow_session
session_load(struct store *store, const struct source *source)
{
	struct flow_session session = session_of(store, source);
	int dir = open_dir(&session, DIR_LOOK);

	if (dir >= 0) {
		(void)read_all(&session, dir);
		arena_close_fd(store->arena, dir);
	}
	return session;
}

bool
session_reload(struct flow_session *session)
{
	int dir = open_dir(session, DIR_LOOK);
	bool news;

	if (dir < 0)
		return false;
	news = read_all(session, dir);
	arena_close_fd(session->store->arena, dir);
	return news;
}

/* ---- writing ---- */

/* Save everything under a new word, which makes the old journal void. */
static bool
save_in(struct flow_session *session, int dir, uint64_t now)
{
	char old[JOURNAL_WORD + 1];

	(void)strcpy(old, session->journal);
	journal_word(session->journal);
	session->accessed_ms = now;
	if (session->created_ms == 0)
		session->created_ms = now;
	if (!seal_file(session->store, dir, seal_name(session, FILE_NAME),
		session_write(session, store_scratch(session->store)), 0600)) {
		(void)strcpy(session->journal, old);
		return false;
	}
	session->read = look_at_file(dir);
	session->saved = session->source->hash;
	session->journal_at = 0;
	session->is_behind = false;
	journal_remove(dir);
	forget_marks(session);
	return true;
}

static bool
jot_in(struct flow_session *session, int dir)
{
	struct arena *scratch = store_scratch(session->store);
	struct buf lines = buf_new(scratch, 512 * session->nfresh);

	for (size_t i = 0; i < session->nfresh; i++)
		session_write_line(
		    &lines, &session->nodes[session->fresh[i]]);
	if (!journal_add(scratch, session->store, dir, session->journal,
		buf_span(&lines), &session->journal_at))
		return false;
	session->is_behind = true;
	forget_marks(session);
	return true;
}

/*
 * Read what other runs have noted, then write: everything, with the time NOW,
 * or only journal lines if NOW is 0.
 */
static bool
write_in(struct flow_session *session, uint64_t now)
{
	struct lock_wish wish = {
	    lock_name("flow", span_str(session->name)), LOCK_EXCLUSIVE};
	struct lock_set *held = NULL;
	int dir = open_dir(session, DIR_MAKE);
	bool written;

	if (dir < 0)
		return false;
	(void)lock_take(session->store, &wish, 1, LOCK_WAIT, NULL, NULL, &held);
	(void)read_all(session, dir);
	written = now > 0 ? save_in(session, dir, now) : jot_in(session, dir);
	lock_release(held);
	arena_close_fd(session->store->arena, dir);
	return written;
}

bool
session_jot(struct flow_session *session)
{
	if (session->nfresh == 0 || session->cannot_jot)
		return true;
	session->cannot_jot = !write_in(session, 0);
	return !session->cannot_jot;
}

/* Are a few more lines enough, and is metadata.json otherwise up to date? */
static bool
may_add_lines(const struct flow_session *session, uint64_t now)
{
	uint64_t lines =
	    session->journal_at + LINE_ABOUT * (uint64_t)session->nfresh;

	return session->n >= LONG && !session->cannot_jot &&
	       digest_eq(&session->saved, &session->source->hash) &&
	       now >= session->accessed_ms &&
	       now - session->accessed_ms < LONG_USED_EVERY_MS &&
	       lines < session->read.size / LINES_SHARE;
}

bool
session_save(struct flow_session *session, uint64_t now)
{
	if (may_add_lines(session, now) && session_jot(session))
		return true;
	if (session->nfresh == 0 && !session->is_behind &&
	    now - session->accessed_ms < USED_EVERY_MS)
		return true;
	return write_in(session, now);
}

bool
session_load_note(
    struct store *store, const struct source *source, struct span *note)
{
	struct flow_session session = session_of(store, source);
	int dir = open_dir(&session, DIR_LOOK);
	bool got;

	if (dir < 0)
		return false;
	got = load_bytes(store->arena, &session, dir, NOTE_NAME, note);
	arena_close_fd(store->arena, dir);
	return got;
}

bool
session_save_note(struct flow_session *session, struct span note)
{
	int dir = open_dir(session, DIR_MAKE);
	bool saved;

	if (dir < 0)
		return false;
	saved = seal_file(session->store, dir, seal_name(session, NOTE_NAME),
	    note, 0600);
	arena_close_fd(session->store->arena, dir);
	return saved;
}

void
session_drop_note(struct flow_session *session)
{
	int dir = open_dir(session, DIR_LOOK);

	if (dir < 0)
		return;
	(void)unlinkat(dir, NOTE_NAME, 0);
	arena_close_fd(session->store->arena, dir);
}

/* ---- clearing ---- */

/* Remove the directory NAME in FLOWS, which holds only our files. */
static bool
remove_one(struct store *store, int flows, const char *name)
{
	int dir = dir_below(store, flows, name, DIR_LOOK);

	if (dir < 0)
		return false;
	(void)unlinkat(dir, FILE_NAME, 0);
	(void)unlinkat(dir, NOTE_NAME, 0);
	journal_remove(dir);
	arena_close_fd(store->arena, dir);
	return unlinkat(flows, name, AT_REMOVEDIR) == 0;
}

size_t
session_clear(struct flow_session *session)
{
	int flows = dir_open(session->store, "flows", DIR_LOOK);
	bool removed;

	if (flows < 0)
		return 0;
	removed = remove_one(session->store, flows, session->name);
	arena_close_fd(session->store->arena, flows);
	return removed ? session->n : 0;
}

size_t
session_clear_all(struct store *store)
{
	int flows = dir_open(store, "flows", DIR_LOOK);
	DIR *dir = flows >= 0 ? fdopendir(dup(flows)) : NULL;
	const struct dirent *entry;
	size_t n = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (digest_is_hex(span_str(entry->d_name), DIGEST_HEX))
			n += remove_one(store, flows, entry->d_name);
	if (dir != NULL)
		(void)closedir(dir);
	if (flows >= 0)
		arena_close_fd(store->arena, flows);
	return n;
}
