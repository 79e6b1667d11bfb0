/*
 * A session file: read it once, then only what was appended.
 */
#include "os/times.h"
#include "host/host.h"
#include "serve/memory_inside.h"

/* If more was appended, the file is read from its end, as if it were new. */
#define APPENDED_MAX ((uint64_t)16 * 1024 * 1024)

static bool
same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Remember what the file looks like now. */
static bool
note_file(struct memory *memory, const struct session_file *file)
{
	struct file_memory *known = &memory->file;
	uint64_t size = (uint64_t)file->st.st_size;
	struct session_place place;
	struct span tail;

	known->st = file->st;
	known->tail_bytes = size < TAIL_BYTES ? (size_t)size : TAIL_BYTES;
	place = (struct session_place){size - known->tail_bytes,
	    known->tail_bytes};
	if (known->tail == NULL)
		known->tail = arena_alloc(memory->arena, TAIL_BYTES);
	if (!session_file_at(file, file->arena, place, &tail))
		return false;
	memcpy(known->tail, tail.p, tail.n);
	return tail.p[tail.n - 1] == '\n';
}

/* Is FILE the one that was read, and is its old end still there? */
static bool
only_grew(const struct memory *memory, const struct session_file *file)
{
	const struct file_memory *known = &memory->file;
	uint64_t before = (uint64_t)known->st.st_size;
	struct session_place place = {before - known->tail_bytes,
	    known->tail_bytes};
	struct span tail;

	if (file->st.st_dev != known->st.st_dev ||
	    file->st.st_ino != known->st.st_ino ||
	    file->st.st_size < known->st.st_size ||
	    (uint64_t)file->st.st_size - before > APPENDED_MAX)
		return false;
	if (file->st.st_size == known->st.st_size)
		return same_time(times_modified(&file->st),
			   times_modified(&known->st)) &&
		       same_time(
			   times_changed(&file->st), times_changed(&known->st));
	return session_file_at(file, file->arena, place, &tail) &&
	    memcmp(tail.p, known->tail, tail.n) == 0;
}

static bool
append_line(struct memory *memory, struct arena *scratch, struct span line)
{
	struct json_doc doc;
	struct entry entry;

	if (!json_judge(scratch, line, &doc) ||
	    !host->entry(&doc, line, &entry) ||
	    !memory_extends(memory, &entry) ||
	    seen_has(memory->file.ids.on_way, entry.id) ||
	    seen_has(memory->file.ids.off_way, entry.id))
		return false;
	host->add(&memory->ledger.events, &doc, &entry, EDIT_NONE, 0);
	memory->leaf = memory_keep(memory, entry.id);
	(void)seen_add(memory->file.ids.on_way, entry.id);
	memory->file.leaf_is_last = true;
	return true;
}

/* Read what was appended.  False if it does not simply continue. */
static bool
append(struct memory *memory, const struct session_file *file)
{
	struct arena *scratch = arena_scratch(file->arena);
	struct reader lines;
	struct session_place place;
	struct span line;

	if (file->st.st_size == memory->file.st.st_size)
		return true;
	lines = reader_from_start(file->arena, file->fd,
	    (uint64_t)memory->file.st.st_size, (uint64_t)file->st.st_size,
	    READER_ROOM);
	while (reader_next(&lines, &line, &place)) {
		if (!append_line(memory, scratch, line))
			return false;
		arena_reset(scratch);
	}
	return !lines.failed && note_file(memory, file);
}

static bool
is_leaf(const struct memory *memory, const struct session *session)
{
	return session->leaf == LEAF_ID
	    ? span_eq(session->leaf_id, memory->leaf)
	    : memory->file.leaf_is_last;
}

/* Learn the whole branch. */
static bool
learn(struct memory *memory, const struct session_file *file,
    const struct session *session)
{
	struct branch_end end;

	memory_forget(memory);
	memory->unsettled = true;
	ledger_init(&memory->ledger, memory->arena, false);
	memory->file.ids = (struct branch_ids){
	    seen_new(memory->arena), seen_new(memory->arena)};
	if (host->branch(file, session, &memory->file.ids,
		&memory->ledger.events, &end) != BRANCH_OK ||
	    end.ragged)
		return false;
	memory->knows = KNOWS_FILE;
	memory->who = memory_keep(memory, session->file);
	memory->leaf = memory_keep(memory, end.leaf);
	memory->file.leaf_is_last = session->leaf == LEAF_ABSENT;
	host->dirs(&memory->file.dirs, memory->arena,
	    memory_keep(memory, file->cwd), memory_keep(memory, file->parent));
	return note_file(memory, file);
}

enum followed
memory_follow_file(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	struct session_file file;
	bool held;

	if (!host->open(arena, session->file, &file))
		return FOLLOWED_LOST;
	held = memory->knows == KNOWS_FILE &&
	    span_eq(memory->who, session->file) && only_grew(memory, &file) &&
	    append(memory, &file) && is_leaf(memory, session);
	if (!held)
		held = learn(memory, &file, session);
	if (held)
		ledger_enter(&memory->ledger);
	arena_close_fd(arena, file.fd);
	return held ? FOLLOWED : FOLLOWED_LOST;
}
