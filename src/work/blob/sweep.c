#include "work/blob/sweep.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/slurp.h"
#include "store/file.h"
#include "store/walk.h"

#define HOUR (60 * 60)
#define MANIFEST_MAX ((size_t)512 * 1024 * 1024)

struct sweep
sweep_begin(struct blobs *blobs)
{
	return (struct sweep){blobs, map_new(blobs->store->arena, 1024)};
}

/* ---- who is needed ---- */

/* The files that the manifest of the tree HEX names are needed, too. */
static void
need_tree(struct sweep *sweep, struct span hex)
{
	struct arena *arena = sweep->blobs->store->arena;
	struct digest hash;
	struct blob_place place;
	struct span text;
	int fd;

	if (!digest_parse(hex, &hash) ||
	    !blob_find(sweep->blobs, &hash, DIR_LOOK, &place))
		return;
	fd = file_open(place.dir, place.name);
	if (fd < 0)
		return;
	if (slurp(arena, fd, MANIFEST_MAX, &text) == SLURP_OK)
		sweep_need(sweep, text);
	(void)close(fd);
}

static void
need_one(struct sweep *sweep, struct span hex, struct span after)
{
	struct arena *arena = sweep->blobs->store->arena;
	uint64_t *seen;

	if (map_find(sweep->needed, hex) != NULL)
		return;
	hex.p = arena_cstr(arena, hex);
	seen = map_at(sweep->needed, hex, 0);
	*seen = 1;
	if (span_starts(after, SPAN(".dir")))
		need_tree(sweep, hex);
}

void
sweep_need(struct sweep *sweep, struct span text)
{
	size_t run = 0;

	/* A run of exactly as many hexadecimal digits as a hash has. */
	for (size_t i = 0; i <= text.n; i++) {
		if (i < text.n && hex_value(text.p[i]) >= 0) {
			run++;
			continue;
		}
		if (run == DIGEST_HEX)
			need_one(sweep, (struct span){text.p + i - run, run},
			    span_from(text, i));
		run = 0;
	}
}

/* ---- all of them ---- */

static void
each_below(
    struct blobs *blobs, const char *two, sweep_visit *visit, void *context)
{
	int dir = openat(blobs->objects, two,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct walk walk = walk_begin(dir);
	struct walk_thing thing;

	while (walk_any(&walk, &thing)) {
		char hex[DIGEST_HEX + 1];
		struct digest hash;

		if (strlen(thing.name) != DIGEST_HEX - 2)
			continue;
		(void)snprintf(hex, sizeof(hex), "%.2s%.62s", two, thing.name);
		if (digest_parse(span_str(hex), &hash))
			visit(context, &hash, &thing.st);
	}
	walk_end(&walk);
	if (dir >= 0)
		(void)close(dir);
}

void
sweep_each(struct blobs *blobs, sweep_visit *visit, void *context)
{
	struct walk walk = walk_begin(blobs->objects);
	struct walk_thing thing;

	while (walk_any(&walk, &thing)) {
		char two[3] = {0};

		if (!digest_is_hex(span_str(thing.name), 2))
			continue;
		memcpy(two, thing.name, 2);
		each_below(blobs, two, visit, context);
	}
	walk_end(&walk);
}

/* ---- the rest goes ---- */

struct sweeping {
	struct sweep *sweep;
	enum gc_want want;
	time_t now;
	struct sweep_result result;
};

static void
sweep_one(void *context, const struct digest *hash, const struct stat *st)
{
	struct sweeping *s = context;
	struct blob_place place;
	char hex[DIGEST_HEX + 1];

	s->result.blobs++;
	s->result.bytes += (uint64_t)st->st_size;
	digest_hex(hash, hex);
	if (!file_is_ours(st) ||
	    map_find(s->sweep->needed, span_str(hex)) != NULL ||
	    gc_is_recent(s->now, st->st_mtime, HOUR) ||
	    gc_is_recent(s->now, st->st_ctime, HOUR))
		return;
	if (s->want == GC_REMOVE &&
	    (!blob_find(s->sweep->blobs, hash, DIR_LOOK, &place) ||
		unlinkat(place.dir, place.name, 0) != 0))
		return;
	s->result.gone++;
	s->result.gone_bytes += (uint64_t)st->st_size;
}

struct sweep_result
sweep_end(struct sweep *sweep, time_t now, enum gc_want want)
{
	struct sweeping sweeping = {sweep, want, now, {0}};

	sweep_each(sweep->blobs, sweep_one, &sweeping);
	return sweeping.result;
}
