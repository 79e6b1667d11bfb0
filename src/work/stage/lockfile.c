#include "work/stage/lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/slurp.h"
#include "store/file.h"
#include "store/seal.h"
#include "work/stage/facts_json.h"

#define LOCK_MAX ((size_t)256 * 1024 * 1024)
#define LOCK_MODE 0600

/* ---- as text ---- */

struct span
lockfile_write(struct arena *arena, const struct lockfile *lock)
{
	struct buf out = buf_new(arena, 128 * lock->facts.n + 512);
	char hex[DIGEST_HEX + 1];

	buf_str(&out, "{\n");
	for (int kind = 0; kind < FACT_KINDS; kind++) {
		buf_str(&out, "  \"");
		buf_str(&out, fact_section((enum fact_kind)kind));
		buf_str(&out, "\": ");
		facts_emit(
		    &out, &lock->facts, (enum fact_kind)kind, "\n    ", "\n  ");
		buf_str(&out, ",\n");
	}
	digest_hex(&lock->record, hex);
	buf_str(&out, "  \"record\": \"");
	buf_str(&out, hex);
	buf_str(&out, "\",\n  \"v\": 1\n}\n");
	return buf_span(&out);
}

bool
lockfile_parse(struct arena *arena, struct span text, struct lockfile *lock)
{
	enum { RECORD = FACT_KINDS, VERSION, FIELDS };
	struct json_field fields[FIELDS] = {
	    [RECORD] = {.name = SPAN("record")},
	    [VERSION] = {.name = SPAN("v")},
	};
	struct json_text record;
	struct json_doc doc;

	*lock = (struct lockfile){0};
	if (!json_judge(arena, text, &doc))
		return false;
	for (int kind = 0; kind < FACT_KINDS; kind++)
		fields[kind].name =
		    span_str(fact_section((enum fact_kind)kind));
	json_pick(&doc, text, fields, FIELDS);
	if (json_kind(fields[VERSION].value) != JSON_NUMBER ||
	    !span_eq(fields[VERSION].value, SPAN("1")) ||
	    !json_text(arena, fields[RECORD].value, &record) ||
	    !digest_parse(record.text, &lock->record))
		return false;
	for (int kind = 0; kind < FACT_KINDS; kind++)
		if (!facts_take(&doc, fields[kind].value, (enum fact_kind)kind,
			&lock->facts))
			return false;
	facts_sort(&lock->facts);
	return true;
}

/* ---- in the store ---- */

int
lockfile_dir(struct store *store, struct span flow, enum dir_want want)
{
	int stages = dir_open(store, "stages", want), dir;

	if (stages < 0)
		return -1;
	dir = dir_below(store, stages, arena_cstr(store->arena, flow), want);
	arena_close_fd(store->arena, stages);
	return dir;
}

static const char *
file_name(struct store *store, struct span name)
{
	struct buf file = buf_new(store->arena, name.n + sizeof(".lock"));

	buf_add(&file, name);
	buf_str(&file, ".lock");
	return arena_cstr(store->arena, buf_span(&file));
}

static struct seal_name
seal_name(struct store *store, struct span flow, struct span name)
{
	return (struct seal_name){
	    SPAN("stages"), flow, file_name(store, name)};
}

bool
lockfile_load(struct arena *arena, struct store *store, int dir,
    struct span flow, struct span name, struct lockfile *lock)
{
	struct span text;
	enum slurp got;
	int fd;

	if (dir < 0)
		return false;
	fd = file_open(dir, file_name(store, name));
	if (fd < 0)
		return false;
	arena_own_fd(store->arena, fd);
	got = slurp(arena, fd, LOCK_MAX, &text);
	arena_close_fd(store->arena, fd);
	return got == SLURP_OK &&
	       seal_open(store, seal_name(store, flow, name), &text) &&
	       lockfile_parse(arena, text, lock);
}

bool
lockfile_stat(struct store *store, int dir, struct span name, struct stat *st)
{
	return dir >= 0 && fstatat(dir, file_name(store, name), st,
			       AT_SYMLINK_NOFOLLOW) == 0;
}

bool
lockfile_save(struct store *store, int dir, struct span flow, struct span name,
    const struct lockfile *lock)
{
	if (dir < 0) {
		errno = ENOENT;
		return false;
	}
	return seal_file(store, dir, seal_name(store, flow, name),
	    lockfile_write(store_scratch(store), lock), LOCK_MODE);
}
