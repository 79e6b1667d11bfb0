#include "work/record/list.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/slurp.h"
#include "os/open.h"
#include "os/times.h"
#include "store/dir.h"
#include "store/file.h"
#include "store/walk.h"

enum { NAMES = 5 };

/* The entry in the state; the names follow it. */
struct listed_entry {
	int64_t mtime;
	uint64_t ino, size;
	struct lifetime life;
	uint8_t sound, has_outs;
	uint16_t names[NAMES]; /* lengths of the names */
	uint8_t claim;	       /* in what was padding, of zeros, before */
};

struct listing {
	struct records *records;
	struct state *state;
	struct arena *scratch; /* for one file at a time */
	struct record_list list;
	size_t room;
};

static int64_t
modified(const struct stat *st)
{
	return (int64_t)times_modified(st)->tv_sec * 1000000000 +
	       times_modified(st)->tv_nsec;
}

/* Name I of INFO, in the order in which they are stored. */
static struct span *
name_at(struct record_info *info, int i)
{
	struct span *names[NAMES] = {&info->kind, &info->flow, &info->phase,
	    &info->run_id, &info->model};

	return names[i];
}

/* ---- the state ---- */

static bool
recall(struct listing *l, const struct stat *st, struct record_info *info)
{
	struct span value;
	struct listed_entry entry;

	if (!state_get(l->state, STATE_RECORD, info->key, &value) ||
	    value.n < sizeof(entry))
		return false;
	memcpy(&entry, value.p, sizeof(entry));
	if (entry.mtime != modified(st) || entry.ino != (uint64_t)st->st_ino ||
	    entry.size != (uint64_t)st->st_size)
		return false;
	info->sound = entry.sound != 0;
	info->has_outs = entry.has_outs != 0;
	info->claim = (enum record_claim)entry.claim;
	info->life = entry.life;
	value = span_from(value, sizeof(entry));
	for (int i = 0; i < NAMES; i++) {
		if (entry.names[i] > value.n)
			return false;
		*name_at(info, i) = (struct span){value.p, entry.names[i]};
		value = span_from(value, entry.names[i]);
	}
	return true;
}

static void
remember(struct listing *l, const struct stat *st, struct record_info *info)
{
	struct listed_entry entry;
	struct buf value = buf_new(l->records->store->arena, 256);

	memset(&entry, 0, sizeof(entry)); /* its padding is written too */
	entry.mtime = modified(st);
	entry.ino = (uint64_t)st->st_ino;
	entry.size = (uint64_t)st->st_size;
	entry.life = info->life;
	entry.sound = info->sound;
	entry.has_outs = info->has_outs;
	entry.claim = (uint8_t)info->claim;
	for (int i = 0; i < NAMES; i++) {
		size_t n = name_at(info, i)->n;

		if (n > STATE_VALUE_MAX)
			return;
		entry.names[i] = (uint16_t)n;
	}
	buf_add(&value, (struct span){(char *)&entry, sizeof(entry)});
	for (int i = 0; i < NAMES; i++)
		buf_add(&value, *name_at(info, i));
	state_put(l->state, STATE_RECORD, info->key, buf_span(&value));
}

/* ---- the files ---- */

static struct span
keep(struct listing *l, struct span text)
{
	if (text.p == NULL)
		return SPAN("");
	return (struct span){
	    arena_cstr(l->records->store->arena, text), text.n};
}

static void
fill(struct listing *l, const struct record *record, struct record_info *info)
{
	info->sound = true;
	info->has_outs = record->outs.p != NULL;
	info->claim = record->claim;
	info->life = record->life;
	info->kind = keep(l, record->kind);
	info->flow = keep(l, record->flow);
	info->phase = keep(l, record->phase);
	info->run_id = keep(l, record->run_id);
	info->model = keep(l, record->model);
}

/* Reading it here is not a use: the access time stays as it is. */
static void
read_info(
    struct listing *l, const struct walk_thing *thing, struct record_info *info)
{
	int fd = open_unnoticed(
	    l->records->dir, thing->name, O_RDONLY | FILE_SAFELY);
	struct record record;
	struct span text;

	if (fd < 0)
		return;
	if (slurp(l->scratch, fd, RECORD_MAX, &text) == SLURP_OK &&
	    seal_open(l->records->store, record_seal(thing->name), &text) &&
	    record_read(l->scratch, info->key, text, &record))
		fill(l, &record, info);
	(void)close(fd);
	arena_reset(l->scratch);
}

static void
add(struct listing *l, const struct record_info *info)
{
	l->list.items = arena_more(l->records->store->arena, l->list.items,
	    l->list.n, &l->room, sizeof(*l->list.items));
	l->list.items[l->list.n++] = *info;
}

static void
look_at(struct listing *l, const struct walk_thing *thing)
{
	struct span name = span_str(thing->name);
	struct record_info info = {.sound = false};

	if (name.n < 5 || memcmp(name.p + name.n - 5, ".json", 5) != 0)
		return;
	name.n -= 5;
	if (!record_key_valid(name))
		return;
	info.key = keep(l, name);
	info.bytes = (uint64_t)thing->st.st_size;
	info.used = thing->st.st_atime > thing->st.st_mtime
			? thing->st.st_atime
			: thing->st.st_mtime;
	info.made = thing->st.st_mtime;
	for (int i = 0; i < NAMES; i++)
		*name_at(&info, i) = SPAN("");
	if (S_ISREG(thing->st.st_mode) && !recall(l, &thing->st, &info)) {
		read_info(l, thing, &info);
		remember(l, &thing->st, &info);
	}
	add(l, &info);
}

static int
by_key(const void *a, const void *b)
{
	return span_compare(((const struct record_info *)a)->key,
	    ((const struct record_info *)b)->key);
}

struct record_list
record_list(struct records *records, struct state *state)
{
	struct listing l = {.records = records,
	    .state = state,
	    .scratch = arena_scratch(records->store->arena)};
	struct walk_thing thing;
	struct walk walk;

	walk = walk_begin(records_open(records, DIR_LOOK));
	while (walk_any(&walk, &thing))
		look_at(&l, &thing);
	walk_end(&walk);
	if (l.list.n > 0)
		qsort(l.list.items, l.list.n, sizeof(*l.list.items), by_key);
	return l.list;
}
