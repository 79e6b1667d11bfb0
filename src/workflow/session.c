#include "workflow/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/map.h"
#include "base/slurp.h"
#include "lock/lock.h"
#include "store/seal.h"
#include "workflow/session_text.h"

#define FILE_NAME "metadata.json"
#define NOTE_NAME "quiet"
#define FILE_MAX ((size_t)256 * 1024 * 1024)
#define USED_EVERY_MS 60000 /* how exactly the last use is known */

/* ---- the nodes ---- */

struct session_node *
session_find(struct session *session, struct span id)
{
	const uint64_t *at = map_find(session->ids, id);

	return at != NULL ? &session->nodes[*at] : NULL;
}

struct session_node *
session_note(struct session *session, struct span id)
{
	struct arena *arena = session->store->arena;
	uint64_t at = *map_at(session->ids, id, session->n);
	struct session_node *more;

	if (at < session->n)
		return &session->nodes[at];
	if (session->n == session->room) {
		session->room = session->room * 2 + 16;
		more = arena_array(arena, session->room, sizeof(*more));
		if (session->n > 0)
			memcpy(
			    more, session->nodes, session->n * sizeof(*more));
		session->nodes = more;
	}
	more = &session->nodes[session->n++];
	*more = (struct session_node){.id = id,
	    .run = SPAN(""),
	    .key = SPAN(""),
	    .type = SPAN(""),
	    .error = SPAN("")};
	return more;
}

/* ---- the file ---- */

/* Its directory; the caller has it closed by the arena. */
static int
open_dir(struct session *session, enum dir_want want)
{
	int flows = dir_open(session->store, "flows", want), dir;

	if (flows < 0)
		return -1;
	dir = dir_below(session->store, flows, session->name, want);
	arena_close_fd(session->store->arena, flows);
	return dir;
}

/* The bytes of the file NAME in DIR. */
static bool
load_bytes(struct store *store, int dir, const char *name, struct span *bytes)
{
	int fd = openat(dir, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool got;

	if (fd < 0)
		return false;
	got = slurp(store->arena, fd, FILE_MAX, bytes) == SLURP_OK &&
	      seal_open(store->arena, store, name, bytes);
	(void)close(fd);
	return got;
}

static bool
read_file(struct session *session, int dir)
{
	struct span text;

	return load_bytes(session->store, dir, FILE_NAME, &text) &&
	       session_read(session, text);
}

/* One of which nothing is known yet. */
static struct session
session_of(struct store *store, const struct source *source)
{
	struct session session = {.store = store, .source = source};
	struct digest name = digest_of(source->path);

	session.ids = map_new(store->arena, 64);
	digest_hex(&name, session.name);
	return session;
}

struct session
session_load(struct store *store, const struct source *source)
{
	struct session session = session_of(store, source);
	int dir = open_dir(&session, DIR_LOOK);

	if (dir >= 0) {
		(void)read_file(&session, dir);
		arena_close_fd(store->arena, dir);
	}
	return session;
}

void
session_reload(struct session *session)
{
	int dir = open_dir(session, DIR_LOOK);

	if (dir < 0)
		return;
	(void)read_file(session, dir);
	arena_close_fd(session->store->arena, dir);
}

static bool
has_changes(const struct session *session, uint64_t now)
{
	if (now - session->accessed_ms >= USED_EVERY_MS)
		return true;
	for (size_t i = 0; i < session->n; i++)
		if (session->nodes[i].changed)
			return true;
	return false;
}

static bool
save_in(struct session *session, int dir, uint64_t now)
{
	bool saved;

	/* Another run may have saved since: its nodes are kept. */
	(void)read_file(session, dir);
	session->accessed_ms = now;
	if (session->created_ms == 0)
		session->created_ms = now;
	saved = seal_file(
	    session->store, dir, FILE_NAME, session_write(session), 0600);
	for (size_t i = 0; i < session->n && saved; i++)
		session->nodes[i].changed = false;
	return saved;
}

bool
session_save(struct session *session, uint64_t now)
{
	struct lock_wish wish = {
	    lock_name("flow", span_str(session->name)), LOCK_EXCLUSIVE};
	struct lock_set *held = NULL;
	bool saved = false;
	int dir;

	if (!has_changes(session, now))
		return true;
	dir = open_dir(session, DIR_MAKE);
	if (dir < 0)
		return false;
	(void)lock_take(session->store, &wish, 1, LOCK_WAIT, NULL, NULL, &held);
	saved = save_in(session, dir, now);
	lock_release(held);
	arena_close_fd(session->store->arena, dir);
	return saved;
}

bool
session_load_note(
    struct store *store, const struct source *source, struct span *note)
{
	struct session session = session_of(store, source);
	int dir = open_dir(&session, DIR_LOOK);
	bool got;

	if (dir < 0)
		return false;
	got = load_bytes(store, dir, NOTE_NAME, note);
	arena_close_fd(store->arena, dir);
	return got;
}

bool
session_save_note(struct session *session, struct span note)
{
	int dir = open_dir(session, DIR_MAKE);
	bool saved;

	if (dir < 0)
		return false;
	saved = seal_file(session->store, dir, NOTE_NAME, note, 0600);
	arena_close_fd(session->store->arena, dir);
	return saved;
}

/* ---- clearing ---- */

/* Remove the directory NAME of FLOWS, which holds only our files. */
static bool
remove_one(struct store *store, int flows, const char *name)
{
	int dir = dir_below(store, flows, name, DIR_LOOK);

	if (dir < 0)
		return false;
	(void)unlinkat(dir, FILE_NAME, 0);
	(void)unlinkat(dir, NOTE_NAME, 0);
	arena_close_fd(store->arena, dir);
	return unlinkat(flows, name, AT_REMOVEDIR) == 0;
}

size_t
session_clear(struct session *session)
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
